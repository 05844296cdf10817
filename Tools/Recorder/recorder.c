// A library to preload that records the changes to all files below a directory, with data, in one order for all
// processes; a player builds from them what a power cut can leave on a disk. It also lets calls fail.
//
// The environment says what is recorded:
//   TORTURE_BELOW   the absolute path of the directory; calls on other files are passed on
//   TORTURE_TRACE   the file to which records are appended
//   TORTURE_BOOT    the text that is read as the identity of this boot of the system
//   TORTURE_KILL    the number of the change, from 1, before which the process ends itself as if killed
//   TORTURE_MARKS   the number of a descriptor, which is not open: what is written to it becomes a mark in the trace
//   TORTURE_CALLS   a file of 16 bytes: the number of calls of all processes that could fail, and of those that did
//   TORTURE_FAIL    the number of the call, from 1, that fails; 0 counts only
//   TORTURE_ERROR   EIO, ENOSPC or EINTR; half: of a read or write; done: EIO for a change that is made, not certain
//   TORTURE_STICKY  if set, all calls from that one on fail
//
// A call that changes something has a record before it and another behind it: what is between both may be on the disk
// or not. A record is a struct record, then two names, then data; the numbers are in the order of the machine.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum kind { wrote = 1, truncated, extended, created, madeDirectory, unlinked, renamed, linked, synced, marked, mapped,
            unknown };
enum phase { begins, ends };
enum flag { isSynchronous = 1, isOfData = 2, isDirectory = 4 };

/// A record: `file` and `other` are inodes. Names are in the directory `file`, and `other` for the second.
struct record {
  uint32_t size, process;
  uint16_t kind, phase, flags, nameSize;
  uint64_t call, time;
  int64_t result;
  uint64_t file, other;
  int64_t offset, count;
  uint32_t otherNameSize, dataSize;
};

static char below[4096];
static size_t belowLength;
static int trace = -1, marks = -1;
static uint64_t calls, changes, last;

/// How a call fails.
enum fate { passes, fails, halves, lies };

/// What the file of counts has.
static struct counts { uint64_t calls, failed; } *counts;
static uint64_t failing;
static int isSticky, errorCode;
static enum fate fate;

/// The C library's `syscall`: this library defines one of its own.
static long raw(long number, long a, long b, long c, long d, long e, long f) {
  static long (*next)(long, ...);
  if (!next) next = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
  return next(number, a, b, c, d, e, f);
}
#define RAW(number, a, b, c, d, e, f)                                                                                  \
  raw(number, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("TORTURE_BELOW"), *file = getenv("TORTURE_TRACE"), *mark = getenv("TORTURE_MARKS");
  if (!path || !file || !*path) return;
  if (strlen(path) >= sizeof below) abort();
  int opened = (int)RAW(SYS_openat, AT_FDCWD, file, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600, 0, 0);
  if (opened < 0) abort();
  // Programs that close low descriptors on purpose must not close this one.
  trace = (int)RAW(SYS_fcntl, opened, F_DUPFD_CLOEXEC, 900, 0, 0, 0);
  if (trace < 0) abort();
  RAW(SYS_close, opened, 0, 0, 0, 0, 0);
  if (mark) marks = atoi(mark);
  if (getenv("TORTURE_KILL")) last = (uint64_t)atoll(getenv("TORTURE_KILL"));
  belowLength = strlen(path);
  memcpy(below, path, belowLength + 1);
  const char *shared = getenv("TORTURE_CALLS"), *call = getenv("TORTURE_FAIL"), *error = getenv("TORTURE_ERROR");
  if (!shared || !call || !error) return;
  opened = (int)RAW(SYS_openat, AT_FDCWD, shared, O_RDWR | O_CLOEXEC, 0, 0, 0);
  if (opened < 0) abort();
  counts = (struct counts *)RAW(SYS_mmap, NULL, sizeof *counts, PROT_READ | PROT_WRITE, MAP_SHARED, opened, 0);
  if (counts == MAP_FAILED) abort();
  RAW(SYS_close, opened, 0, 0, 0, 0, 0);
  failing = (uint64_t)atoll(call);
  isSticky = getenv("TORTURE_STICKY") != NULL;
  fate = strcmp(error, "half") == 0 ? halves : strcmp(error, "done") == 0 ? lies : fails;
  errorCode = strcmp(error, "ENOSPC") == 0 ? ENOSPC : strcmp(error, "EINTR") == 0 ? EINTR : EIO;
}

static uint64_t newCall(void) { return (uint64_t)getpid() << 32 | __atomic_add_fetch(&calls, 1, __ATOMIC_SEQ_CST); }

/// Appends a record: one write, so that those of other threads and processes are before or behind it.
static void append(struct record r, const char *name, const char *other, const struct iovec *data, int count) {
  if (last && r.phase == begins && r.kind <= synced &&
      __atomic_add_fetch(&changes, 1, __ATOMIC_SEQ_CST) >= last) {
    RAW(SYS_kill, getpid(), 9 /* SIGKILL */, 0, 0, 0, 0);
    pause();
  }
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  r.time = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
  r.process = (uint32_t)getpid();
  r.nameSize = name ? (uint16_t)strlen(name) : 0;
  r.otherNameSize = other ? (uint32_t)strlen(other) : 0;
  struct iovec pieces[3 + 1021];
  pieces[0] = (struct iovec){&r, sizeof r};
  pieces[1] = (struct iovec){(void *)name, r.nameSize};
  pieces[2] = (struct iovec){(void *)other, r.otherNameSize};
  r.dataSize = 0;
  if (count > 1021) abort();
  for (int i = 0; i < count; i++) {
    pieces[3 + i] = data[i];
    r.dataSize += (uint32_t)data[i].iov_len;
  }
  r.size = (uint32_t)(sizeof r + r.nameSize + r.otherNameSize + r.dataSize);
  int saved = errno;
  // A trace with a gap would prove nothing.
  if (RAW(SYS_writev, trace, pieces, 3 + count, 0, 0, 0) != (long)r.size) abort();
  errno = saved;
}

static void finish(struct record r, long result) {
  r.phase = ends;
  r.result = result < 0 ? -errno : result;
  append(r, NULL, NULL, NULL, 0);
}

static int isBelow(const char *path) {
  return belowLength > 0 && strncmp(path, below, belowLength) == 0 && (path[belowLength] == '/' || !path[belowLength]);
}

/// Finds the path of an open file; whether it is below the directory.
static int pathOf(int file, char *buffer, size_t size) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  long length = RAW(SYS_readlinkat, AT_FDCWD, link, buffer, size - 1, 0, 0);
  if (length < 0) return 0;
  buffer[length] = 0;
  return isBelow(buffer);
}

/// Whether an open file is recorded; its status.
static int isRecorded(int file, struct stat *status) {
  if (trace < 0 || file < 0) return 0;
  char path[4096];
  int saved = errno, is = pathOf(file, path, sizeof path) && fstat(file, status) == 0;
  errno = saved;
  return is;
}

/// An entry of a directory that is recorded: the inode of the directory, and the name in it.
struct entry {
  uint64_t directory;
  char name[256];
  char path[4096];
};

/// Finds the entry that a path names; whether it is recorded.
static int findEntry(int directory, const char *path, struct entry *entry) {
  if (trace < 0 || !path) return 0;
  char whole[4096];
  int saved = errno, found = 0;
  if (path[0] == '/') {
    snprintf(whole, sizeof whole, "%s", path);
  } else {
    if (directory == AT_FDCWD) {
      if (!getcwd(whole, sizeof whole)) goto end;
    } else {
      pathOf(directory, whole, sizeof whole);
    }
    size_t length = strlen(whole);
    snprintf(whole + length, sizeof whole - length, "/%s", path);
  }
  if (!isBelow(whole)) goto end;
  size_t length = strlen(whole);
  while (length > 1 && whole[length - 1] == '/') whole[--length] = 0;
  snprintf(entry->path, sizeof entry->path, "%s", whole);
  char *slash = strrchr(whole, '/');
  snprintf(entry->name, sizeof entry->name, "%s", slash + 1);
  *slash = 0;
  struct stat status;
  if (stat(whole, &status) != 0) goto end;
  entry->directory = status.st_ino;
  found = 1;
end:
  errno = saved;
  return found;
}

static uint64_t inodeAt(const struct entry *entry) {
  struct stat status;
  int saved = errno, code = lstat(entry->path, &status);
  errno = saved;
  return code == 0 ? status.st_ino : 0;
}

/// Records that a call is made whose effect this library does not know.
static void note(const char *call) { append((struct record){.kind = unknown, .call = newCall()}, call, NULL, NULL, 0); }

// MARK: Failures

/// What kind of a call may fail: one that a signal can interrupt, a transfer of some bytes, a change of entries.
enum sort { waits, transfers, changesEntries };

/// Counts a call, and decides how it ends; a call that fails has a mark in the trace and sets `errno`.
static enum fate fateOf(const char *call, const char *path, enum sort sort, size_t size) {
  if (!counts || (fate == halves && (sort != transfers || size < 2)) || (errorCode == EINTR && sort == changesEntries))
    return passes;
  uint64_t number = __atomic_add_fetch(&counts->calls, 1, __ATOMIC_SEQ_CST);
  if (!failing || number < failing || (number > failing && !isSticky)) return passes;
  __atomic_add_fetch(&counts->failed, 1, __ATOMIC_SEQ_CST);
  char text[4400];
  int length = snprintf(text, sizeof text, "fault %s %s %s", path + belowLength + (path[belowLength] == '/'), call,
                        getenv("TORTURE_ERROR"));
  struct iovec piece = {text, (size_t)length};
  append((struct record){.kind = marked, .call = newCall()}, NULL, NULL, &piece, 1);
  errno = errorCode;
  return fate;
}

/// The same for a call on an open file.
static enum fate fateOn(int file, const char *call, enum sort sort, size_t size) {
  char path[4096];
  int saved = errno, is = counts && trace >= 0 && file >= 0 && pathOf(file, path, sizeof path);
  errno = saved;
  return is ? fateOf(call, path, sort, size) : passes;
}

/// Ends a call that was made as one that failed; the trace has what it did.
static long lie(void) {
  errno = errorCode;
  return -1;
}

// MARK: Writes

/// Makes a write, or a half of it.
static long writePieces(int file, const struct iovec *pieces, int count, int64_t offset) {
  return offset < 0 ? RAW(SYS_writev, file, pieces, count, 0, 0, 0)
                    : RAW(SYS_pwritev, file, pieces, count, offset, 0, 0);
}

static int halfOf(const struct iovec *pieces, int count, size_t size, struct iovec *half) {
  int taken = 0;
  for (size_t rest = size / 2; taken < count && rest > 0; taken++) {
    half[taken] = pieces[taken];
    if (half[taken].iov_len > rest) half[taken].iov_len = rest;
    rest -= half[taken].iov_len;
  }
  return taken;
}

static ssize_t recordWrite(int file, const struct iovec *pieces, int count, int64_t offset) {
  struct stat status;
  if (count > 1021) abort();
  if (marks >= 0 && file == marks) {
    append((struct record){.kind = marked, .call = newCall()}, NULL, NULL, pieces, count);
    ssize_t size = 0;
    for (int i = 0; i < count; i++) size += (ssize_t)pieces[i].iov_len;
    return size;
  }
  if (!isRecorded(file, &status) || !S_ISREG(status.st_mode)) return writePieces(file, pieces, count, offset);
  size_t size = 0;
  for (int i = 0; i < count; i++) size += pieces[i].iov_len;
  int isCertain = (fcntl(file, F_GETFL) & O_DSYNC) != 0;
  enum fate fate = fateOn(file, isCertain ? "O_DSYNC write" : "write", transfers, size);
  if (fate == fails) return -1;
  struct iovec half[1021];
  if (fate == halves) (count = halfOf(pieces, count, size, half), pieces = half);
  struct record r = {.kind = wrote, .call = newCall(), .file = status.st_ino, .offset = offset,
                     .flags = isCertain && fate != lies ? isSynchronous : 0};
  append(r, NULL, NULL, pieces, count);
  ssize_t result = writePieces(file, pieces, count, offset);
  // After a write at the file's own offset, that offset is the end of what was written.
  if (offset < 0 && result > 0) {
    int saved = errno;
    r.offset = lseek(file, 0, SEEK_CUR) - result;
    errno = saved;
  }
  finish(r, result);
  return fate == lies ? lie() : result;
}

ssize_t write(int file, const void *bytes, size_t size) {
  struct iovec piece = {(void *)bytes, size};
  return recordWrite(file, &piece, 1, -1);
}
ssize_t pwrite64(int file, const void *bytes, size_t size, off64_t place) {
  struct iovec piece = {(void *)bytes, size};
  return recordWrite(file, &piece, 1, place);
}
ssize_t pwrite(int file, const void *bytes, size_t size, off_t place) { return pwrite64(file, bytes, size, place); }
ssize_t writev(int file, const struct iovec *pieces, int count) {
  return recordWrite(file, pieces, count, -1);
}
ssize_t pwritev64(int file, const struct iovec *pieces, int count, off64_t place) {
  return recordWrite(file, pieces, count, place);
}
ssize_t pwritev(int file, const struct iovec *pieces, int count, off_t place) {
  return pwritev64(file, pieces, count, place);
}

// MARK: Sizes and syncs

static long onFile(int file, enum kind kind, int flags, int64_t offset, int64_t count, long number, long a, long b,
                   long c) {
  static const char *const names[] = {[truncated] = "ftruncate", [extended] = "fallocate", [synced] = "fsync"};
  struct stat status;
  if (!isRecorded(file, &status)) return RAW(number, file, a, b, c, 0, 0);
  enum fate fate = fateOn(file, names[kind], waits, 0);
  struct record r = {.kind = kind, .call = newCall(), .file = status.st_ino, .offset = offset, .count = count,
                     .flags = flags | (S_ISDIR(status.st_mode) ? isDirectory : 0)};
  append(r, NULL, NULL, NULL, 0);
  // A sync that fails makes nothing certain.
  long result = fate == fails || (fate == lies && kind == synced) ? -1 : RAW(number, file, a, b, c, 0, 0);
  finish(r, result);
  return fate == lies ? lie() : result;
}

int ftruncate64(int file, off64_t size) {
  return (int)onFile(file, truncated, 0, size, 0, SYS_ftruncate, size, 0, 0);
}
int ftruncate(int file, off_t size) { return ftruncate64(file, size); }
int fallocate64(int file, int mode, off64_t place, off64_t size) {
  if (mode != 0) note("fallocate with a mode");
  return (int)onFile(file, extended, 0, place, size, SYS_fallocate, mode, place, size);
}
int fallocate(int file, int mode, off_t place, off_t size) { return fallocate64(file, mode, place, size); }
int posix_fallocate64(int file, off64_t place, off64_t size) {
  int saved = errno, code = fallocate64(file, 0, place, size) == 0 ? 0 : errno;
  errno = saved;
  return code;
}
int posix_fallocate(int file, off_t place, off_t size) { return posix_fallocate64(file, place, size); }
int fsync(int file) { return (int)onFile(file, synced, 0, 0, 0, SYS_fsync, 0, 0, 0); }
int fdatasync(int file) { return (int)onFile(file, synced, isOfData, 0, 0, SYS_fdatasync, 0, 0, 0); }

// MARK: Entries of directories

static long recordRename(int directory, const char *from, int other, const char *to, unsigned flags) {
  struct entry old, new;
  int isOld = findEntry(directory, from, &old), isNew = findEntry(other, to, &new);
  if (!isOld && !isNew) return RAW(SYS_renameat2, directory, from, other, to, flags, 0);
  if (isOld != isNew || flags > 1) note("rename out of the directory, or with flags");
  enum fate fate = fateOf("rename", isNew ? new.path : old.path, changesEntries, 0);
  if (fate == fails) return -1;
  struct record r = {.kind = renamed, .call = newCall(), .file = old.directory, .other = new.directory};
  append(r, old.name, new.name, NULL, 0);
  long result = RAW(SYS_renameat2, directory, from, other, to, flags, 0);
  finish(r, result);
  return fate == lies ? lie() : result;
}
int rename(const char *from, const char *to) { return (int)recordRename(AT_FDCWD, from, AT_FDCWD, to, 0); }
int renameat(int directory, const char *from, int other, const char *to) {
  return (int)recordRename(directory, from, other, to, 0);
}
int renameat2(int directory, const char *from, int other, const char *to, unsigned flags) {
  return (int)recordRename(directory, from, other, to, flags);
}

int linkat(int directory, const char *from, int other, const char *to, int flags) {
  struct entry new;
  if (!findEntry(other, to, &new)) return (int)RAW(SYS_linkat, directory, from, other, to, flags, 0);
  enum fate fate = fateOf("link", new.path, changesEntries, 0);
  if (fate == fails) return -1;
  struct record r = {.kind = linked, .call = newCall(), .file = new.directory};
  append(r, new.name, NULL, NULL, 0);
  long result = RAW(SYS_linkat, directory, from, other, to, flags, 0);
  if (result == 0) r.other = inodeAt(&new);
  finish(r, result);
  return (int)(fate == lies ? lie() : result);
}
int link(const char *from, const char *to) { return linkat(AT_FDCWD, from, AT_FDCWD, to, 0); }

int unlinkat(int directory, const char *path, int flags) {
  struct entry entry;
  if (!findEntry(directory, path, &entry)) return (int)RAW(SYS_unlinkat, directory, path, flags, 0, 0, 0);
  enum fate fate = fateOf("unlink", entry.path, changesEntries, 0);
  if (fate == fails) return -1;
  struct record r = {.kind = unlinked, .call = newCall(), .file = entry.directory};
  append(r, entry.name, NULL, NULL, 0);
  long result = RAW(SYS_unlinkat, directory, path, flags, 0, 0, 0);
  finish(r, result);
  return (int)(fate == lies ? lie() : result);
}
int unlink(const char *path) { return unlinkat(AT_FDCWD, path, 0); }
int rmdir(const char *path) { return unlinkat(AT_FDCWD, path, AT_REMOVEDIR); }
int remove(const char *path) {
  int code = unlink(path);
  return code != 0 && (errno == EISDIR || errno == EPERM) ? rmdir(path) : code;
}

int mkdirat(int directory, const char *path, mode_t mode) {
  struct entry entry;
  if (!findEntry(directory, path, &entry)) return (int)RAW(SYS_mkdirat, directory, path, mode, 0, 0, 0);
  enum fate fate = fateOf("mkdir", entry.path, changesEntries, 0);
  if (fate == fails) return -1;
  struct record r = {.kind = madeDirectory, .call = newCall(), .file = entry.directory};
  append(r, entry.name, NULL, NULL, 0);
  long result = RAW(SYS_mkdirat, directory, path, mode, 0, 0, 0);
  if (result == 0) r.other = inodeAt(&entry);
  finish(r, result);
  return (int)(fate == lies ? lie() : result);
}
int mkdir(const char *path, mode_t mode) { return mkdirat(AT_FDCWD, path, mode); }

// MARK: Opening

/// A file that holds the text which is read as the identity of the boot.
static int boot(const char *text) {
  int file = (int)RAW(SYS_memfd_create, "boot", 1 /* MFD_CLOEXEC */, 0, 0, 0, 0);
  RAW(SYS_write, file, text, strlen(text), 0, 0, 0);
  RAW(SYS_lseek, file, 0, SEEK_SET, 0, 0, 0);
  return file;
}

static int recordOpen(int directory, const char *path, int flags, mode_t mode) {
  const char *text = getenv("TORTURE_BOOT");
  if (trace >= 0 && text && strcmp(path, "/proc/sys/kernel/random/boot_id") == 0) return boot(text);
  struct entry entry;
  int isFound = findEntry(directory, path, &entry);
  enum fate fate = isFound ? fateOf("open", entry.path, waits, 0) : passes;
  if (fate == fails) return -1;
  if ((flags & O_TMPFILE) == O_TMPFILE || !(flags & (O_CREAT | O_TRUNC)) || !isFound) {
    if (fate == lies) return (int)lie();
    if (trace >= 0 && (flags & O_TMPFILE) == O_TMPFILE) note("open with O_TMPFILE");
    return (int)RAW(SYS_openat, directory, path, flags, mode, 0, 0);
  }
  uint64_t existing = inodeAt(&entry);
  if (existing && !(flags & O_TRUNC))
    return (int)(fate == lies ? lie() : RAW(SYS_openat, directory, path, flags, mode, 0, 0));
  struct record r = {.kind = created, .call = newCall(), .file = entry.directory, .other = existing};
  if (existing) {
    r.kind = truncated;
    (r.file = existing, r.other = 0);
    append(r, NULL, NULL, NULL, 0);
  } else {
    append(r, entry.name, NULL, NULL, 0);
  }
  int result = (int)RAW(SYS_openat, directory, path, flags, mode, 0, 0);
  struct stat status;
  if (result >= 0 && !existing && fstat(result, &status) == 0) r.other = status.st_ino;
  finish(r, result);
  if (fate != lies) return result;
  if (result >= 0) RAW(SYS_close, result, 0, 0, 0, 0, 0);
  return (int)lie();
}

#define MODE(flags)                                                                                                    \
  mode_t mode = 0;                                                                                                     \
  if ((flags) & (O_CREAT | (O_TMPFILE & ~O_DIRECTORY))) {                                                              \
    va_list more;                                                                                                      \
    va_start(more, flags);                                                                                             \
    mode = va_arg(more, mode_t);                                                                                       \
    va_end(more);                                                                                                      \
  }

int open(const char *path, int flags, ...) { MODE(flags) return recordOpen(AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE(flags) return recordOpen(AT_FDCWD, path, flags, mode); }
int openat(int directory, const char *path, int flags, ...) {
  MODE(flags) return recordOpen(directory, path, flags, mode);
}
int openat64(int directory, const char *path, int flags, ...) {
  MODE(flags) return recordOpen(directory, path, flags, mode);
}
int creat(const char *path, mode_t mode) { return recordOpen(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode); }

// MARK: Reads, which only fail

ssize_t pread64(int file, void *bytes, size_t size, off64_t place) {
  enum fate fate = fateOn(file, "read", transfers, size);
  if (fate == fails || fate == lies) return lie();
  return RAW(SYS_pread64, file, bytes, fate == halves ? size / 2 : size, place, 0, 0);
}
ssize_t pread(int file, void *bytes, size_t size, off_t place) { return pread64(file, bytes, size, place); }
ssize_t read(int file, void *bytes, size_t size) {
  enum fate fate = fateOn(file, "read", transfers, size);
  if (fate == fails || fate == lies) return lie();
  return RAW(SYS_read, file, bytes, fate == halves ? size / 2 : size, 0, 0, 0);
}

// MARK: What is only noticed

void *mmap64(void *address, size_t size, int protection, int flags, int file, off64_t place) {
  struct stat status;
  void *map = (void *)RAW(SYS_mmap, address, size, protection, flags, file, place);
  if (map != MAP_FAILED && protection & PROT_WRITE && flags & MAP_SHARED && isRecorded(file, &status))
    append((struct record){.kind = mapped, .call = newCall(), .file = status.st_ino}, NULL, NULL, NULL, 0);
  return map;
}
void *mmap(void *address, size_t size, int protection, int flags, int file, off_t place) {
  return mmap64(address, size, protection, flags, file, place);
}

ssize_t copy_file_range(int from, off64_t *place, int to, off64_t *other, size_t size, unsigned flags) {
  struct stat status;
  if (isRecorded(to, &status)) note("copy_file_range");
  return RAW(SYS_copy_file_range, from, place, to, other, size, flags);
}
ssize_t sendfile(int to, int from, off_t *place, size_t size) {
  struct stat status;
  if (isRecorded(to, &status) && S_ISREG(status.st_mode)) note("sendfile");
  return RAW(SYS_sendfile, to, from, place, size, 0, 0);
}
int truncate(const char *path, off_t size) {
  struct entry entry;
  if (findEntry(AT_FDCWD, path, &entry)) note("truncate");
  return (int)RAW(SYS_truncate, path, size, 0, 0, 0, 0);
}

/// `openat2`, for which the C library may have no function, and other calls that are made by their number.
long syscall(long number, ...) {
  long a[6];
  va_list more;
  va_start(more, number);
  for (int i = 0; i < 6; i++) a[i] = va_arg(more, long);
  va_end(more);
  struct entry entry;
  if (number == SYS_openat2 && a[2] && findEntry((int)a[0], (const char *)a[1], &entry)) {
    if (*(const uint64_t *)a[2] & O_CREAT) note("openat2 that creates");
    if (fateOf("open", entry.path, waits, 0) != passes) return lie();
  }
  return raw(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
