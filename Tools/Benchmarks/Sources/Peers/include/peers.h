// The peers that are written in C, so that nothing but LMDB or the file stands between them and the disk.
#ifndef PEERS_H
#define PEERS_H

#include <stddef.h>
#include <stdint.h>

// Values to be written one per commit, over and over; value i lies from offsets[i] to offsets[i + 1].
typedef struct {
  const uint8_t *bytes;
  const size_t *offsets;
  size_t count;
  // How many events each value holds, which is how far keys are apart.
  uint64_t events_per_value;
} peer_values;

// What a run has done.
typedef struct {
  uint64_t count;
  double seconds;
  // Something that depends on all that was read, so that no reading is left out.
  uint64_t sum;
} peer_run;

// How many bytes the program has asked for and not given back; 0 where that is not known.
size_t peer_allocated_bytes(void);

typedef struct peer_lmdb peer_lmdb;

// All answer 0, or an error code of LMDB or the system.

// Opens an environment in an existing directory: no named table, each commit fully synced.
int peer_lmdb_create(const char *directory, peer_lmdb **peer);
// Opens an environment that nobody writes, without touching its locks.
int peer_lmdb_open_to_read(const char *directory, peer_lmdb **peer);
void peer_lmdb_close(peer_lmdb *peer);

// Commits one value after the other, synced, until so many seconds have passed or so many are written.
int peer_lmdb_append(
    peer_lmdb *peer, const peer_values *values, double seconds, uint64_t count, peer_run *run);
// Commits one value.
int peer_lmdb_append_one(peer_lmdb *peer, const void *bytes, size_t byte_count, uint64_t events);
// Writes so many values without syncing each, then syncs.
int peer_lmdb_fill(peer_lmdb *peer, const peer_values *values, uint64_t count);

// Goes over all values in order and reads the first 8 bytes of each.
int peer_lmdb_touch(peer_lmdb *peer, peer_run *run);
// Goes over all values in order and copies each whole.
int peer_lmdb_copy(peer_lmdb *peer, peer_run *run);
// The same, event by event, each found through the offsets in its block.
int peer_lmdb_copy_events(peer_lmdb *peer, peer_run *run);

const char *peer_lmdb_version(void);

// Appends one value after the other to a new file, each synced, as long or as many.
int peer_flat_append(
    const char *path, const peer_values *values, double seconds, uint64_t count, peer_run *run);

#endif
