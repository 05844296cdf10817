// LMDB's C interface for the peers in C; its name keeps it apart from the package's own CLMDB.
#include <lmdb.h>
