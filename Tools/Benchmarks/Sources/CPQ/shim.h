// libpq, for comparison with the log on PostgreSQL.
#include <libpq-fe.h>
