// A library to preload that lets the n-th system call on files below a directory fail, as a bad or full disk does.
//
// The environment says what fails:
//   ATTACK_BELOW    the absolute path of the directory; calls on other files are passed on
//   ATTACK_CALL     the number of the call that fails, from 1; 0 counts only
//   ATTACK_ERROR    EIO, ENOSPC, EDQUOT, EROFS, or short: a write that writes half of its bytes; or kill: no error, but
//                   the process is killed before the call
//   ATTACK_STICKY   if set, all calls from that one on fail
//   ATTACK_META     if set, only writes through descriptors opened with O_DSYNC count: LMDB's meta pages
//   ATTACK_COUNTER  a file of a page that holds the count; processes that share it count together, else each for itself
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

/// What the counter file holds: the count, and the first call that failed, as text.
struct counter {
  unsigned count;
  unsigned failed;
  char first[1024];
};

static struct counter own;
static struct counter *counter = &own;
static char below[4096];
static size_t belowLength;
static unsigned failing;
static int isSticky, onlyMeta, isShort, isKill, errorCode;

/// The next definition of a function; found once for each place that asks.
#define NEXT(result, name, ...)                                                                                        \
  static result (*next)(__VA_ARGS__);                                                                                  \
  if (!next) next = (result (*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("ATTACK_BELOW"), *error = getenv("ATTACK_ERROR"), *shared = getenv("ATTACK_COUNTER");
  if (!path || !error) return;
  belowLength = strlen(path);
  if (belowLength >= sizeof below) abort();
  memcpy(below, path, belowLength + 1);
  failing = getenv("ATTACK_CALL") ? (unsigned)atoi(getenv("ATTACK_CALL")) : 0;
  isSticky = getenv("ATTACK_STICKY") != NULL;
  onlyMeta = getenv("ATTACK_META") != NULL;
  isShort = strcmp(error, "short") == 0;
  isKill = strcmp(error, "kill") == 0;
  errorCode = strcmp(error, "EIO") == 0      ? EIO
              : strcmp(error, "EDQUOT") == 0 ? EDQUOT
              : strcmp(error, "EROFS") == 0  ? EROFS
                                             : ENOSPC;
  if (!shared) return;
  int file = (int)syscall(SYS_openat, AT_FDCWD, shared, O_RDWR | O_CLOEXEC, 0);
  if (file < 0) return;
  void *page = mmap(NULL, sizeof own, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (page != MAP_FAILED) counter = page;
  syscall(SYS_close, file);
}

static int isBelow(const char *path) {
  return belowLength > 0 && strncmp(path, below, belowLength) == 0 && (path[belowLength] == '/' || !path[belowLength]);
}

/// Writes the path of an open file into a buffer; answers whether it is a file or directory below the attacked one.
static int pathOf(int file, char *buffer, size_t size) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, buffer, size - 1);
  if (length < 0) return 0;
  buffer[length] = 0;
  return isBelow(buffer);
}

/// The same for a path relative to an open directory.
static int pathAt(int directory, const char *path, char *buffer, size_t size) {
  if (!path) return 0;
  if (path[0] == '/') {
    snprintf(buffer, size, "%s", path);
    return isBelow(buffer);
  }
  if (directory == AT_FDCWD) {
    if (!getcwd(buffer, size)) return 0;
  } else {
    int saved = errno;
    pathOf(directory, buffer, size);
    errno = saved;
  }
  size_t length = strlen(buffer);
  snprintf(buffer + length, size - length, "/%s", path);
  return isBelow(buffer);
}

/// Counts a call; answers whether it is to fail.
static int counts(const char *name, const char *path) {
  unsigned number = __atomic_add_fetch(&counter->count, 1, __ATOMIC_SEQ_CST);
  if (!failing || number < failing || (number > failing && !isSticky)) return 0;
  if (__atomic_fetch_add(&counter->failed, 1, __ATOMIC_SEQ_CST) == 0)
    snprintf(counter->first, sizeof counter->first, "%s %.900s", name, path + belowLength);
  if (isKill) kill(getpid(), SIGKILL);
  return 1;
}

/// Whether a call on an open file that is no write is to fail.
static int failsOn(int file, const char *name) {
  char path[4096];
  int saved = errno;
  int fails = !isShort && !onlyMeta && pathOf(file, path, sizeof path) && counts(name, path);
  errno = fails ? errorCode : saved;
  return fails;
}

/// Whether a call on a path is to fail.
static int failsAt(int directory, const char *name, const char *path) {
  char whole[4096];
  int saved = errno;
  int fails = !isShort && !onlyMeta && pathAt(directory, path, whole, sizeof whole) && counts(name, whole);
  errno = fails ? errorCode : saved;
  return fails;
}

enum { passes, fails, halves };

/// What becomes of a write of some bytes.
static int fateOfWrite(int file, const char *name, size_t size) {
  char path[4096];
  int saved = errno, fate = passes;
  int isCounted = pathOf(file, path, sizeof path);
  if (isCounted && onlyMeta) isCounted = (fcntl(file, F_GETFL) & O_DSYNC) != 0;
  if (isCounted && counts(name, path)) fate = isShort ? (size > 1 ? halves : passes) : fails;
  errno = fate == fails ? errorCode : saved;
  return fate;
}

// MARK: Writes

#define WRITE(name, result, parameters, arguments, half, ...)                                                          \
  result name parameters {                                                                                             \
    NEXT(result, #name, __VA_ARGS__);                                                                                  \
    int fate = fateOfWrite(file, #name, size);                                                                         \
    if (fate == fails) return -1;                                                                                      \
    if (fate == halves) return next half;                                                                              \
    return next arguments;                                                                                             \
  }

WRITE(write, ssize_t, (int file, const void *bytes, size_t size), (file, bytes, size), (file, bytes, size / 2),
      int, const void *, size_t)
WRITE(pwrite, ssize_t, (int file, const void *bytes, size_t size, off_t place), (file, bytes, size, place),
      (file, bytes, size / 2, place), int, const void *, size_t, off_t)
WRITE(pwrite64, ssize_t, (int file, const void *bytes, size_t size, off64_t place), (file, bytes, size, place),
      (file, bytes, size / 2, place), int, const void *, size_t, off64_t)

static size_t sizeOf(const struct iovec *pieces, int count) {
  size_t size = 0;
  for (int i = 0; i < count; i++) size += pieces[i].iov_len;
  return size;
}

/// Copies the first half of some pieces; answers how many pieces these are.
static int halfOf(const struct iovec *pieces, int count, struct iovec *half) {
  size_t rest = sizeOf(pieces, count) / 2;
  int taken = 0;
  while (taken < count && rest > 0) {
    half[taken] = pieces[taken];
    if (half[taken].iov_len > rest) half[taken].iov_len = rest;
    rest -= half[taken].iov_len;
    taken++;
  }
  return taken;
}

#define WRITE_PIECES(name, parameters, whole, half_, ...)                                                              \
  ssize_t name parameters {                                                                                            \
    NEXT(ssize_t, #name, __VA_ARGS__);                                                                                 \
    struct iovec half[1024];                                                                                           \
    int fate = fateOfWrite(file, #name, sizeOf(pieces, count));                                                        \
    if (fate == fails) return -1;                                                                                      \
    if (fate == halves && count <= 1024) {                                                                             \
      int halfCount = halfOf(pieces, count, half);                                                                     \
      return next half_;                                                                                               \
    }                                                                                                                  \
    return next whole;                                                                                                 \
  }

WRITE_PIECES(writev, (int file, const struct iovec *pieces, int count), (file, pieces, count), (file, half, halfCount),
             int, const struct iovec *, int)
WRITE_PIECES(pwritev, (int file, const struct iovec *pieces, int count, off_t place), (file, pieces, count, place),
             (file, half, halfCount, place), int, const struct iovec *, int, off_t)
WRITE_PIECES(pwritev64, (int file, const struct iovec *pieces, int count, off64_t place), (file, pieces, count, place),
             (file, half, halfCount, place), int, const struct iovec *, int, off64_t)

// MARK: Calls on open files

#define ON_FILE(name, parameters, arguments, ...)                                                                      \
  int name parameters {                                                                                                \
    NEXT(int, #name, __VA_ARGS__);                                                                                     \
    return failsOn(file, #name) ? -1 : next arguments;                                                                 \
  }

ON_FILE(fsync, (int file), (file), int)
ON_FILE(fdatasync, (int file), (file), int)
ON_FILE(ftruncate, (int file, off_t size), (file, size), int, off_t)
ON_FILE(ftruncate64, (int file, off64_t size), (file, size), int, off64_t)
ON_FILE(fallocate, (int file, int mode, off_t place, off_t size), (file, mode, place, size), int, int, off_t, off_t)
ON_FILE(fallocate64, (int file, int mode, off64_t place, off64_t size), (file, mode, place, size), int, int, off64_t,
        off64_t)

// These answer with the number of the error.
int posix_fallocate(int file, off_t place, off_t size) {
  NEXT(int, "posix_fallocate", int, off_t, off_t);
  return failsOn(file, "posix_fallocate") ? errorCode : next(file, place, size);
}
int posix_fallocate64(int file, off64_t place, off64_t size) {
  NEXT(int, "posix_fallocate64", int, off64_t, off64_t);
  return failsOn(file, "posix_fallocate64") ? errorCode : next(file, place, size);
}

// MARK: Calls on paths

#define ON_PATH(name, directory, path, parameters, arguments, ...)                                                     \
  int name parameters {                                                                                                \
    NEXT(int, #name, __VA_ARGS__);                                                                                     \
    return failsAt(directory, #name, path) ? -1 : next arguments;                                                      \
  }

ON_PATH(rename, AT_FDCWD, to, (const char *from, const char *to), (from, to), const char *, const char *)
ON_PATH(renameat, other, to, (int directory, const char *from, int other, const char *to), (directory, from, other, to),
        int, const char *, int, const char *)
ON_PATH(renameat2, other, to, (int directory, const char *from, int other, const char *to, unsigned flags),
        (directory, from, other, to, flags), int, const char *, int, const char *, unsigned)
ON_PATH(mkdir, AT_FDCWD, path, (const char *path, mode_t mode), (path, mode), const char *, mode_t)
ON_PATH(mkdirat, directory, path, (int directory, const char *path, mode_t mode), (directory, path, mode), int,
        const char *, mode_t)
ON_PATH(link, AT_FDCWD, to, (const char *from, const char *to), (from, to), const char *, const char *)
ON_PATH(linkat, other, to, (int directory, const char *from, int other, const char *to, int flags),
        (directory, from, other, to, flags), int, const char *, int, const char *, int)

/// The mode that follows the flags of an open, where there is one.
#define MODE(flags)                                                                                                    \
  mode_t mode = 0;                                                                                                     \
  if ((flags) & (O_CREAT | (O_TMPFILE & ~O_DIRECTORY))) {                                                              \
    va_list more;                                                                                                      \
    va_start(more, flags);                                                                                             \
    mode = va_arg(more, mode_t);                                                                                       \
    va_end(more);                                                                                                      \
  }

#define OPEN(name)                                                                                                     \
  int name(const char *path, int flags, ...) {                                                                         \
    NEXT(int, #name, const char *, int, ...);                                                                          \
    MODE(flags)                                                                                                        \
    return flags & O_CREAT && failsAt(AT_FDCWD, #name, path) ? -1 : next(path, flags, mode);                           \
  }

#define OPEN_AT(name)                                                                                                  \
  int name(int directory, const char *path, int flags, ...) {                                                          \
    NEXT(int, #name, int, const char *, int, ...);                                                                     \
    MODE(flags)                                                                                                        \
    return flags & O_CREAT && failsAt(directory, #name, path) ? -1 : next(directory, path, flags, mode);               \
  }

OPEN(open)
OPEN(open64)
OPEN_AT(openat)
OPEN_AT(openat64)

/// `openat2`, for which the C library may have no function, and other calls that are made by their number.
long syscall(long number, ...) {
  NEXT(long, "syscall", long, ...);
  long a[6];
  va_list more;
  va_start(more, number);
  for (int i = 0; i < 6; i++) a[i] = va_arg(more, long);
  va_end(more);
  // What `openat2` is told begins with its flags, in eight bytes.
  if (number == SYS_openat2 && a[2] && *(const unsigned long long *)a[2] & O_CREAT &&
      failsAt((int)a[0], "openat2", (const char *)a[1]))
    return -1;
  if ((number == SYS_renameat2) && failsAt((int)a[2], "renameat2", (const char *)a[3])) return -1;
  return next(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
