// LMDB's C interface for the C peers; its name distinguishes it from the package's own CLMDB.
#include <lmdb.h>
