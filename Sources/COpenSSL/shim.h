#pragma once

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>

// Macros, which Swift does not import.
static const int whorl_public_key = EVP_PKEY_PUBLIC_KEY;
static const int whorl_key_pair = EVP_PKEY_KEYPAIR;

// Variadic behind its macro, which Swift cannot call.
static inline EVP_PKEY *whorl_p256_generate(void) { return EVP_EC_gen("P-256"); }
