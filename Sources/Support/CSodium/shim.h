// BLAKE2b, SHA-256, Ed25519 and XChaCha20 from libsodium; imported by the module Digests alone. The alignment of the
// state of BLAKE2b keeps Swift from seeing its type, so its three calls are here as one, and as three that take it as
// 64-byte-aligned memory.
#include <sodium/core.h>
#include <sodium/crypto_generichash_blake2b.h>
#include <sodium/crypto_hash_sha256.h>
#include <sodium/crypto_sign_ed25519.h>
#include <sodium/crypto_stream_xchacha20.h>
#include <sodium/randombytes.h>
#include <sodium/utils.h>

static inline void verbatim_blake2b_256(
    unsigned char hash[32], const unsigned char *first, unsigned long long first_count,
    const unsigned char *second, unsigned long long second_count) {
  crypto_generichash_blake2b_state state;
  crypto_generichash_blake2b_init(&state, 0, 0, 32);
  crypto_generichash_blake2b_update(&state, first, first_count);
  crypto_generichash_blake2b_update(&state, second, second_count);
  crypto_generichash_blake2b_final(&state, hash, 32);
}

static inline void verbatim_blake2b_256_begin(void *state) {
  crypto_generichash_blake2b_init((crypto_generichash_blake2b_state *)state, 0, 0, 32);
}

static inline void verbatim_blake2b_256_add(void *state, const unsigned char *bytes, unsigned long long count) {
  crypto_generichash_blake2b_update((crypto_generichash_blake2b_state *)state, bytes, count);
}

static inline void verbatim_blake2b_256_end(void *state, unsigned char hash[32]) {
  crypto_generichash_blake2b_final((crypto_generichash_blake2b_state *)state, hash, 32);
}

// Two parts of one input, hashed with a key of 32 bytes.
static inline void verbatim_blake2b_keyed(
    unsigned char *hash, size_t hash_count, const unsigned char key[32], const unsigned char *first,
    unsigned long long first_count, const unsigned char *second, unsigned long long second_count) {
  crypto_generichash_blake2b_state state;
  crypto_generichash_blake2b_init(&state, key, 32, hash_count);
  crypto_generichash_blake2b_update(&state, first, first_count);
  crypto_generichash_blake2b_update(&state, second, second_count);
  crypto_generichash_blake2b_final(&state, hash, hash_count);
}
