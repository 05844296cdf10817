// XXH3 from xxHash; imported by the module Digests alone. XXH_INLINE_ALL renames every function by a macro, which
// Swift does not see, so each one used has a wrapper here.
#define XXH_INLINE_ALL
#include <xxhash.h>

#if defined(__linux__) && defined(__x86_64__)
// The library's function for the widest vectors of the processor, which a header cannot choose; some builds of the
// library do not have it.
extern XXH64_hash_t XXH3_64bits_withSeed_dispatch(const void *bytes, size_t count, XXH64_hash_t seed)
    __attribute__((weak));
#endif

static inline uint64_t verbatim_xxh3_64(const void *bytes, size_t count, uint64_t seed) {
#if defined(__linux__) && defined(__x86_64__)
  // As much as pages have: for less, the call costs more than it saves.
  if (count >= 1024 && XXH3_64bits_withSeed_dispatch) return XXH3_64bits_withSeed_dispatch(bytes, count, seed);
#endif
  return XXH3_64bits_withSeed(bytes, count, seed);
}

typedef struct {
  uint64_t low, high;
} verbatim_xxh128;

static inline verbatim_xxh128 verbatim_xxh3_128(const void *bytes, size_t count, uint64_t seed) {
  XXH128_hash_t hash = XXH3_128bits_withSeed(bytes, count, seed);
  return (verbatim_xxh128){hash.low64, hash.high64};
}
