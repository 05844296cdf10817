// The functions of PostgreSQL's client library libpq that a log calls; imported by the module EventLogPostgres alone.
//
// The library is not linked but loaded when the first log on PostgreSQL is opened: with the twenty libraries that it
// depends on, it would delay the start of every program by milliseconds, and a program whose logs are in directories
// would not start without it. The declarations are those of libpq.so.5, which has kept them since 2005.
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

// Adds to a number that processes share, and returns what it was.
static inline uint64_t verbatim_fetch_add(uint64_t *number, uint64_t addend) {
  return __atomic_fetch_add(number, addend, __ATOMIC_RELAXED);
}

struct verbatim_pq_notification {
  char *channel;
  int process;
  char *payload;
};

// An option of an address.
struct verbatim_pq_option {
  char *keyword;
  char *variable;
  char *compiled;
  char *value;
  char *label;
  char *display;
  int size;
};

struct verbatim_pq {
  void *(*connect)(const char *const *keywords, const char *const *values, int expands_database);
  void (*finish)(void *connection);
  int (*status)(const void *connection);
  char *(*error)(const void *connection);
  int (*process)(const void *connection);
  int (*socket)(const void *connection);
  void *(*execute)(void *connection, const char *statements);
  void *(*execute_with)(
      void *connection, const char *statement, int count, const unsigned int *types, const char *const *values,
      const int *lengths, const int *formats, int result_format);
  void *(*prepare)(
      void *connection, const char *name, const char *statement, int count, const unsigned int *types);
  void *(*execute_prepared)(
      void *connection, const char *name, int count, const char *const *values, const int *lengths,
      const int *formats, int result_format);
  int (*consume)(void *connection);
  struct verbatim_pq_notification *(*notification)(void *connection);
  void (*release)(void *memory);
  int (*result_status)(const void *result);
  char *(*result_error)(const void *result, int field);
  char *(*changed_count)(void *result);
  int (*row_count)(const void *result);
  int (*is_null)(const void *result, int row, int column);
  int (*length)(const void *result, int row, int column);
  char *(*value)(const void *result, int row, int column);
  void (*clear)(void *result);
  struct verbatim_pq_option *(*parse)(const char *address, char **error);
  void (*release_options)(struct verbatim_pq_option *options);
  void *(*receive_notices)(void *connection, void (*receiver)(void *argument, const void *result), void *argument);
};

// Loads the library with a name; NULL when it is not there.
static inline void *verbatim_open_pq(const char *name) { return dlopen(name, RTLD_NOW | RTLD_LOCAL); }

// Finds the functions; returns the name of one that the library lacks, NULL when it has all.
static inline const char *verbatim_find_pq(void *library, struct verbatim_pq *pq) {
#define VERBATIM_FIND(field, name) \
  if ((*(void **)&pq->field = dlsym(library, name)) == NULL) return name
  VERBATIM_FIND(connect, "PQconnectdbParams");
  VERBATIM_FIND(finish, "PQfinish");
  VERBATIM_FIND(status, "PQstatus");
  VERBATIM_FIND(error, "PQerrorMessage");
  VERBATIM_FIND(process, "PQbackendPID");
  VERBATIM_FIND(socket, "PQsocket");
  VERBATIM_FIND(execute, "PQexec");
  VERBATIM_FIND(execute_with, "PQexecParams");
  VERBATIM_FIND(prepare, "PQprepare");
  VERBATIM_FIND(execute_prepared, "PQexecPrepared");
  VERBATIM_FIND(consume, "PQconsumeInput");
  VERBATIM_FIND(notification, "PQnotifies");
  VERBATIM_FIND(release, "PQfreemem");
  VERBATIM_FIND(result_status, "PQresultStatus");
  VERBATIM_FIND(result_error, "PQresultErrorField");
  VERBATIM_FIND(changed_count, "PQcmdTuples");
  VERBATIM_FIND(row_count, "PQntuples");
  VERBATIM_FIND(is_null, "PQgetisnull");
  VERBATIM_FIND(length, "PQgetlength");
  VERBATIM_FIND(value, "PQgetvalue");
  VERBATIM_FIND(clear, "PQclear");
  VERBATIM_FIND(parse, "PQconninfoParse");
  VERBATIM_FIND(release_options, "PQconninfoFree");
  VERBATIM_FIND(receive_notices, "PQsetNoticeReceiver");
#undef VERBATIM_FIND
  return NULL;
}
