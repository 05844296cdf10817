// Measures the memory allocated by a program.
#include <stddef.h>

#include "peers.h"

#ifdef __GLIBC__
#include <malloc.h>

size_t peer_allocated_bytes(void) {
  struct mallinfo2 information = mallinfo2();
  return information.uordblks + information.hblkhd;
}
#else
size_t peer_allocated_bytes(void) { return 0; }
#endif
