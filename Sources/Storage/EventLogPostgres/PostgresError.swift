// Errors of a PostgreSQL server and of the connection to it.
package import EventLog

/// An error of a statement or of a connection.
internal enum PostgresError: Error {
  /// libpq is missing or incomplete.
  case library(String)
  /// The address cannot be parsed.
  case address
  /// There is no connection, or it ended during a statement, whose outcome is then unknown.
  case connection(String)
  /// The server refused a statement; nothing of it was executed.
  case statement(state: String, message: String)

  /// Whether another attempt on a new connection may succeed.
  var isTransient: Bool {
    switch self {
    case .library, .address: false
    case .connection: true
    case .statement(let state, _):
      // The server is starting, stopping or recovering; it ended the backend; it has too many connections; a deadlock
      // or a serialization failure.
      ["57P01", "57P02", "57P03", "53300", "40001", "40P01", "25006"].contains(state) || state.hasPrefix("08")
    }
  }

  /// Whether the statement may have been executed, or may still be: the connection was lost, or the server ended it.
  var leavesOutcomeUnknown: Bool {
    switch self {
    case .library, .address: false
    case .connection: true
    case .statement(let state, _): ["57P01", "57P02"].contains(state) || state.hasPrefix("08")
    }
  }

  /// Whether the server accepts no changes: it is a standby, or is set so.
  var isReadOnly: Bool { if case .statement("25006", _) = self { true } else { false } }

  /// Whether the disk of the server is full.
  var isNoSpace: Bool { if case .statement("53100", _) = self { true } else { false } }

  /// Whether a lock was not granted in time.
  var isLockTimeout: Bool { if case .statement("55P03", _) = self { true } else { false } }
}

extension PostgresError: CustomStringConvertible {
  var description: String {
    switch self {
    case .address:
      "the address cannot be parsed: special characters of a user or a password are written as %xx, for example %2F "
        + "for a slash, parameters are those of libpq and log, and notify is on or off"
    case .library(let reason), .connection(let reason): reason
    case .statement(let state, let message): "\(message), SQLSTATE \(state)"
    }
  }
}

extension LogError {
  /// Whether the connection to the server failed, or the server did not accept it, which another attempt may change.
  package var isOfConnection: Bool {
    switch self {
    case .storage(let failure), .outcomeUnknown(let failure):
      (failure.underlying as? PostgresError)?.isTransient ?? false
    default: false
    }
  }
}
