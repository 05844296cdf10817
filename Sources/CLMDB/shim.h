// What LMDB's C interface offers to Swift, and the system calls of Linux that Swift does not see: `statfs`, which tells
// a network filesystem, and `openat2`; imported by the module LMDB alone.
#include <lmdb.h>
#ifdef __linux__
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/vfs.h>

long syscall(long number, ...);

// Opens a path unless a component of it is a symbolic link; -1 with `errno` otherwise, and where the kernel has no
// `openat2` or a filter forbids it.
static inline int verbatim_open_without_links(int directory, const char *path, int flags) {
#ifdef SYS_openat2
  struct { uint64_t flags, mode, resolve; } how = {(uint64_t)flags, 0, 0x04 /* RESOLVE_NO_SYMLINKS */};
  return (int)syscall(SYS_openat2, directory, path, &how, sizeof how);
#else
  return -1;
#endif
}
#endif
