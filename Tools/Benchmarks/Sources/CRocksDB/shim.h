// RocksDB's C interface, for comparison with the log.
#include <rocksdb/c.h>
