// The system calls of Linux that Swift does not see: `statfs`, which tells a network filesystem, `openat2` and `statx`;
// and a read of memory that other processes write. Imported by the module Files alone.
#include <stdint.h>

// Returns a number that another process may be writing; reads that follow are not made before.
static inline uint64_t verbatim_load(const void *address) {
  return __atomic_load_n((const uint64_t *)address, __ATOMIC_ACQUIRE);
}

#ifdef __linux__
#include <sys/syscall.h>
#include <sys/sysmacros.h>
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

// Which file is at a path, a link not followed, without asking for its times; -1 where the kernel has no `statx`, or
// there is no such file.
//
// `stat` asks for the times, too. Since Linux 6.13, a file whose times were asked for gets new ones with its next
// write, which the journal has to take: a `stat` behind each append made the next one 15 to 20 percent slower.
static inline int verbatim_identity(const char *path, uint64_t *device, uint64_t *inode) {
#ifdef SYS_statx
  // The first fields of `struct statx`, and where in it inode and device are.
  struct { uint32_t words[64]; } found = {{0}};
  const int here = -100 /* AT_FDCWD */, flags = 0x100 /* AT_SYMLINK_NOFOLLOW */;
  if (syscall(SYS_statx, here, path, flags, 0x100 /* STATX_INO */, &found) != 0) return -1;
  *inode = (uint64_t)found.words[9] << 32 | found.words[8];
  *device = makedev(found.words[34], found.words[35]);
  return 0;
#else
  return -1;
#endif
}
#endif
