// SQLite's C interface, which the log is compared with.
#include <sqlite3.h>
