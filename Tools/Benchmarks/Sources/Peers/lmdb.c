// LMDB through its C interface: the minimum cost of a log on LMDB.
#include <errno.h>
#include <lmdb.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "peers.h"

struct peer_lmdb {
  MDB_env *env;
  MDB_dbi table;
  uint64_t last_key;
  uint8_t *scratch;
  size_t scratch_capacity;
};

static MDB_val key_of(uint64_t number, uint8_t bytes[6]) {
  for (int i = 5; i >= 0; i--, number >>= 8) bytes[i] = (uint8_t)number;
  return (MDB_val){.mv_size = 6, .mv_data = bytes};
}

static int open_table(peer_lmdb *peer, unsigned flags) {
  MDB_txn *txn;
  int error = mdb_txn_begin(peer->env, NULL, flags, &txn);
  if (error) return error;
  error = mdb_dbi_open(txn, NULL, 0, &peer->table);
  if (error) {
    mdb_txn_abort(txn);
    return error;
  }
  return mdb_txn_commit(txn);
}

static int open_env(const char *directory, unsigned env_flags, unsigned txn_flags, peer_lmdb **out) {
  peer_lmdb *peer = calloc(1, sizeof *peer);
  if (!peer) return ENOMEM;
  int error = mdb_env_create(&peer->env);
  if (!error) error = mdb_env_set_mapsize(peer->env, (size_t)1 << 38);
  if (!error) error = mdb_env_open(peer->env, directory, env_flags | MDB_NOTLS, 0600);
  if (!error) error = open_table(peer, txn_flags);
  if (error) {
    peer_lmdb_close(peer);
    return error;
  }
  *out = peer;
  return 0;
}

int peer_lmdb_create(const char *directory, peer_lmdb **peer) {
  return open_env(directory, 0, 0, peer);
}

int peer_lmdb_open_to_read(const char *directory, peer_lmdb **peer) {
  // Without a lock file, since the store that wrote the file may be open in this process, and closing a second
  // descriptor of its lock file would release its locks.
  return open_env(directory, MDB_RDONLY | MDB_NOLOCK, MDB_RDONLY, peer);
}

void peer_lmdb_close(peer_lmdb *peer) {
  if (!peer) return;
  if (peer->env) mdb_env_close(peer->env);
  free(peer->scratch);
  free(peer);
}

int peer_lmdb_append_one(peer_lmdb *peer, const void *bytes, size_t byte_count, uint64_t events) {
  MDB_txn *txn;
  int error = mdb_txn_begin(peer->env, NULL, 0, &txn);
  if (error) return error;
  uint8_t key_bytes[6];
  MDB_val key = key_of(peer->last_key + events, key_bytes);
  MDB_val value = {.mv_size = byte_count, .mv_data = (void *)bytes};
  error = mdb_put(txn, peer->table, &key, &value, MDB_APPEND);
  if (error) {
    mdb_txn_abort(txn);
    return error;
  }
  error = mdb_txn_commit(txn);
  if (!error) peer->last_key += events;
  return error;
}

static int append_next(peer_lmdb *peer, const peer_values *values, uint64_t index) {
  size_t place = index % values->count;
  size_t start = values->offsets[place];
  return peer_lmdb_append_one(
      peer, values->bytes + start, values->offsets[place + 1] - start, values->events_per_value);
}

int peer_lmdb_append(
    peer_lmdb *peer, const peer_values *values, double seconds, uint64_t count, peer_run *run) {
  double start = clock_seconds();
  *run = (peer_run){0};
  do {
    int error = append_next(peer, values, run->count);
    if (error) return error;
    run->count++;
    run->seconds = clock_seconds() - start;
  } while (run->seconds < seconds && run->count < count);
  return 0;
}

int peer_lmdb_fill(peer_lmdb *peer, const peer_values *values, uint64_t count) {
  int error = mdb_env_set_flags(peer->env, MDB_NOSYNC, 1);
  for (uint64_t i = 0; i < count && !error; i++) error = append_next(peer, values, i);
  if (!error) error = mdb_env_sync(peer->env, 1);
  if (!error) error = mdb_env_set_flags(peer->env, MDB_NOSYNC, 0);
  return error;
}

static int scratch_for(peer_lmdb *peer, size_t byte_count) {
  if (byte_count <= peer->scratch_capacity) return 0;
  free(peer->scratch);
  peer->scratch_capacity = byte_count * 2;
  peer->scratch = malloc(peer->scratch_capacity);
  return peer->scratch ? 0 : ENOMEM;
}

static int touch_value(peer_lmdb *peer, MDB_val value, uint64_t *sum) {
  (void)peer;
  uint64_t word = 0;
  memcpy(&word, value.mv_data, value.mv_size < 8 ? value.mv_size : 8);
  *sum += word;
  return 0;
}

static int copy_value(peer_lmdb *peer, MDB_val value, uint64_t *sum) {
  int error = scratch_for(peer, value.mv_size);
  if (error) return error;
  memcpy(peer->scratch, value.mv_data, value.mv_size);
  // The copy is read and its address escapes, so that the compiler does not remove it.
  __asm__ volatile("" : : "r"(peer->scratch) : "memory");
  *sum += peer->scratch[value.mv_size / 2];
  return 0;
}

static uint32_t number_at(const uint8_t *bytes) {
  uint32_t number;
  memcpy(&number, bytes, 4);
  return number;
}

// Copies each event of a block on its own, located through the block's offsets; a block of one event whole. The
// genesis, whose key is 0, is copied like an event.
static int copy_events(peer_lmdb *peer, MDB_val value, uint64_t *sum) {
  const uint8_t *bytes = value.mv_data;
  const uint8_t *directory = bytes + value.mv_size - 36 - 18;
  if (value.mv_size < 128 || directory[0] != 0x6a || directory[1] != 16)
    return copy_value(peer, value, sum);
  uint32_t start = number_at(directory + 2);
  uint32_t names = number_at(directory + 6) + number_at(directory + 10) + number_at(directory + 14);
  const uint8_t *end = directory;
  int error = scratch_for(peer, value.mv_size);
  if (error) return error;
  for (const uint8_t *offset = bytes + start + 4 * names; offset < end; offset += 4) {
    uint32_t from = number_at(offset), to = offset + 4 < end ? number_at(offset + 4) : start;
    memcpy(peer->scratch, bytes + from, to - from);
    __asm__ volatile("" : : "r"(peer->scratch) : "memory");
    *sum += peer->scratch[0];
  }
  return 0;
}

static inline __attribute__((always_inline)) int scan(
    peer_lmdb *peer, int (*use)(peer_lmdb *, MDB_val, uint64_t *), peer_run *run) {
  MDB_txn *txn;
  int error = mdb_txn_begin(peer->env, NULL, MDB_RDONLY, &txn);
  if (error) return error;
  MDB_cursor *cursor;
  error = mdb_cursor_open(txn, peer->table, &cursor);
  if (error) {
    mdb_txn_abort(txn);
    return error;
  }
  double start = clock_seconds();
  *run = (peer_run){0};
  MDB_val key, value;
  while (!error && !(error = mdb_cursor_get(cursor, &key, &value, MDB_NEXT))) {
    error = use(peer, value, &run->sum);
    run->count++;
  }
  run->seconds = clock_seconds() - start;
  mdb_cursor_close(cursor);
  mdb_txn_abort(txn);
  return error == MDB_NOTFOUND ? 0 : error;
}

int peer_lmdb_touch(peer_lmdb *peer, peer_run *run) { return scan(peer, touch_value, run); }

int peer_lmdb_copy(peer_lmdb *peer, peer_run *run) { return scan(peer, copy_value, run); }

int peer_lmdb_copy_events(peer_lmdb *peer, peer_run *run) { return scan(peer, copy_events, run); }

const char *peer_lmdb_version(void) {
  int major, minor, patch;
  mdb_version(&major, &minor, &patch);
  static char text[32];
  size_t used = 0;
  int parts[] = {major, minor, patch};
  for (int i = 0; i < 3; i++) {
    if (i) text[used++] = '.';
    if (parts[i] >= 10) text[used++] = (char)('0' + parts[i] / 10);
    text[used++] = (char)('0' + parts[i] % 10);
  }
  text[used] = 0;
  return text;
}
