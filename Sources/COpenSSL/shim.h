#pragma once

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>

// Variadic, which Swift cannot call.
static inline EVP_PKEY *whorl_p256_generate(void) {
  return EVP_PKEY_Q_keygen(NULL, NULL, "EC", "P-256");
}

// A key of an uncompressed point, 65 bytes, and a scalar of 32, or NULL for a public key. In C,
// since the builder keeps pointers to names and values until it is done.
static inline EVP_PKEY *whorl_p256_import(const unsigned char *point, const unsigned char *scalar) {
  EVP_PKEY *key = NULL;
  OSSL_PARAM *parameters = NULL;
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
  OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
  BIGNUM *number = scalar ? BN_bin2bn(scalar, 32, NULL) : NULL;
  if (context && builder && (number || !scalar)
      && OSSL_PARAM_BLD_push_utf8_string(builder, OSSL_PKEY_PARAM_GROUP_NAME, "P-256", 0)
      && OSSL_PARAM_BLD_push_octet_string(builder, OSSL_PKEY_PARAM_PUB_KEY, point, 65)
      && (!number || OSSL_PARAM_BLD_push_BN_pad(builder, OSSL_PKEY_PARAM_PRIV_KEY, number, 32))
      && (parameters = OSSL_PARAM_BLD_to_param(builder))
      && EVP_PKEY_fromdata_init(context) == 1) {
    EVP_PKEY_fromdata(context, &key, scalar ? EVP_PKEY_KEYPAIR : EVP_PKEY_PUBLIC_KEY, parameters);
  }
  OSSL_PARAM_free(parameters);
  BN_clear_free(number);
  OSSL_PARAM_BLD_free(builder);
  EVP_PKEY_CTX_free(context);
  return key;
}
