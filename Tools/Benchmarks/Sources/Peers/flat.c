// A flat file: the minimum cost of durability.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "clock.h"
#include "peers.h"

int peer_sync_data(int file) {
#ifdef __APPLE__
  return fcntl(file, F_FULLFSYNC);
#else
  return fdatasync(file);
#endif
}

static int write_whole(int file, const uint8_t *bytes, size_t count, off_t offset) {
  while (count > 0) {
    ssize_t written = pwrite(file, bytes, count, offset);
    if (written < 0) return errno;
    bytes += written;
    count -= (size_t)written;
    offset += written;
  }
  return 0;
}

int peer_flat_append(
    const char *path, const peer_values *values, double seconds, uint64_t count, peer_run *run) {
  int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (file < 0) return errno;
  int error = 0;
  off_t end = 0;
  double start = clock_seconds();
  *run = (peer_run){0};
  do {
    size_t place = run->count % values->count;
    size_t from = values->offsets[place];
    size_t byte_count = values->offsets[place + 1] - from;
    error = write_whole(file, values->bytes + from, byte_count, end);
    if (!error && peer_sync_data(file)) error = errno;
    end += (off_t)byte_count;
    run->count++;
    run->seconds = clock_seconds() - start;
  } while (!error && run->seconds < seconds && run->count < count);
  close(file);
  return error;
}
