// The peers in C, with nothing but LMDB or the file between them and the disk.
#ifndef PEERS_H
#define PEERS_H

#include <stddef.h>
#include <stdint.h>

// Values to write, one per commit, repeatedly; value i extends from offsets[i] to offsets[i + 1].
typedef struct {
  const uint8_t *bytes;
  const size_t *offsets;
  size_t count;
  // The number of events in each value, which is the distance between keys.
  uint64_t events_per_value;
} peer_values;

// The result of a run.
typedef struct {
  uint64_t count;
  double seconds;
  // A value that depends on all bytes read, so that the compiler does not remove the reads.
  uint64_t sum;
} peer_run;

// Returns the number of allocated bytes; 0 where it is unknown.
size_t peer_allocated_bytes(void);

typedef struct peer_lmdb peer_lmdb;

// All functions return 0, or an error code of LMDB or the system.

// Opens an environment in an existing directory: no named table, each commit fully synced.
int peer_lmdb_create(const char *directory, peer_lmdb **peer);
// Opens an environment that no process writes, without touching its locks.
int peer_lmdb_open_to_read(const char *directory, peer_lmdb **peer);
void peer_lmdb_close(peer_lmdb *peer);

// Commits one value after the other, synced, until the time or the number of values is reached.
int peer_lmdb_append(
    peer_lmdb *peer, const peer_values *values, double seconds, uint64_t count, peer_run *run);
// Commits one value.
int peer_lmdb_append_one(peer_lmdb *peer, const void *bytes, size_t byte_count, uint64_t events);
// Writes a number of values without syncing each, then syncs.
int peer_lmdb_fill(peer_lmdb *peer, const peer_values *values, uint64_t count);

// Iterates over all values in order and reads the first 8 bytes of each.
int peer_lmdb_touch(peer_lmdb *peer, peer_run *run);
// Iterates over all values in order and copies each whole.
int peer_lmdb_copy(peer_lmdb *peer, peer_run *run);
// The same, event by event, each located through the offsets in its block.
int peer_lmdb_copy_events(peer_lmdb *peer, peer_run *run);

const char *peer_lmdb_version(void);

// Waits until the data of a file is on the disk; returns 0, or -1 with errno.
int peer_sync_data(int file);

// Appends one value after the other to a new file, each synced, up to the same limits.
int peer_flat_append(
    const char *path, const peer_values *values, double seconds, uint64_t count, peer_run *run);

#endif
