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

// AES-128-GCM with an IV of 16 bytes and a tag of 16, without associated data: seals, or opens and
// tells by 0 that the tag is another one. In C, since one call is ten of libcrypto's.
static inline int whorl_aes_gcm(
    int seals, const unsigned char *key, const unsigned char *iv, const unsigned char *in,
    int count, unsigned char *out, unsigned char *tag) {
  int done = 0;
  int rest = 0;
  EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
  int good = context
      && EVP_CipherInit_ex(context, EVP_aes_128_gcm(), NULL, NULL, NULL, seals) == 1
      && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, 16, NULL) == 1
      && EVP_CipherInit_ex(context, NULL, NULL, key, iv, seals) == 1
      && (count == 0 || EVP_CipherUpdate(context, out, &done, in, count) == 1)
      && (seals || EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, 16, tag) == 1)
      && EVP_CipherFinal_ex(context, out + done, &rest) == 1
      && (!seals || EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, 16, tag) == 1);
  EVP_CIPHER_CTX_free(context);
  return good;
}
