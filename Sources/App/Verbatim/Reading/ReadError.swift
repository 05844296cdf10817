// The errors of reads with a user's permissions.
internal import Errors
package import EventLog
public import Chat
public import Projections

/// The error of a read with a user's permissions.
public enum ReadError: Error {
  /// The user may not see it, or it does not exist.
  case refused(Refusal)
  /// The tables could not be read.
  case projections(ProjectionError)
}

extension ReadError: CustomStringConvertible {
  /// One sentence: what failed, on what, what to do.
  public var description: String {
    switch self {
    case .refused(let refusal): refusal.description
    case .projections(let error): error.description
    }
  }
}

extension ReadError {
  /// Returns the value of a read; nil when it is refused.
  package static func unlessRefused<R>(_ read: @autoclosure () throws(ReadError) -> R) throws(ReadError) -> R? {
    do throws(ReadError) { return try read() } catch .refused { return nil }
  }

  /// Returns the error of a read for which the log cannot be read.
  package static func log(_ error: LogError) -> ReadError { .projections(.log(error)) }
}

extension ClientReading {
  /// Runs a query against the tables and converts its error.
  package func read<R>(_ query: @autoclosure () throws(ProjectionError) -> R) throws(ReadError) -> R {
    try rethrow(query(), as: ReadError.projections)
  }
}
