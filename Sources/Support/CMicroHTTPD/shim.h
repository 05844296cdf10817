// What GNU libmicrohttpd's C interface offers to Swift; imported by the module WebServer alone. The functions with
// variable arguments, which Swift does not see, stand here with fixed ones.
#include <sys/types.h>
#include <sys/socket.h>
#include <netinet/in.h>
#include <microhttpd.h>

static inline struct MHD_Daemon *verbatim_start_web_server(
    unsigned short port, unsigned int connections_max, unsigned int seconds, size_t memory_max,
    MHD_AccessHandlerCallback handler, void *owner, MHD_RequestCompletedCallback completed,
    MHD_NotifyConnectionCallback changed,
    size_t (*unescape)(void *, struct MHD_Connection *, char *)) {
  struct sockaddr_in address = {0};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  // Not epoll: version 0.9.75 then does not notice that a client has left within a request.
  return MHD_start_daemon(
      MHD_USE_POLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, port, NULL, NULL, handler, owner,
      MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&address,
      MHD_OPTION_CONNECTION_LIMIT, connections_max,
      MHD_OPTION_CONNECTION_TIMEOUT, seconds,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory_max,
      MHD_OPTION_STRICT_FOR_CLIENT, 1,
      MHD_OPTION_NOTIFY_COMPLETED, completed, owner,
      MHD_OPTION_NOTIFY_CONNECTION, changed, owner,
      MHD_OPTION_UNESCAPE_CALLBACK, unescape, NULL,
      MHD_OPTION_END);
}

static inline unsigned short verbatim_web_server_port(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
  return info ? info->port : 0;
}

static inline int verbatim_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}
