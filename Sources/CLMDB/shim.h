// What LMDB's C interface offers to Swift, and `statfs`, which tells a network filesystem; imported by the module
// LMDB alone.
#include <lmdb.h>
#ifdef __linux__
#include <sys/vfs.h>
#endif
