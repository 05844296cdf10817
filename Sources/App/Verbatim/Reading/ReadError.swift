// Why something could not be read for a user.
public import Chat
public import Projections

/// Why something could not be read for a user.
public enum ReadError: Error {
  /// The user may not see it, or it is not there.
  case refused(Refusal)
  /// The tables could not be read.
  case projections(ProjectionError)
}

extension ReadError: CustomStringConvertible {
  /// One sentence: what happened, to what, what to do.
  public var description: String {
    switch self {
    case .refused(let refusal): refusal.description
    case .projections(let error): error.description
    }
  }
}
