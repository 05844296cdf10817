// What LMDB's C interface offers to Swift; imported by the module LMDB alone.
#include <lmdb.h>
