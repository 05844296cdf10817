// SQLite's C interface, for comparison with the log.
#include <sqlite3.h>
