// Why something could not be read for a user.
public import Chat
public import Views

/// Why something could not be read for a user.
public enum ReadError: Error {
  /// The user may not see it, or it is not there.
  case refused(Refusal)
  /// The tables could not be read.
  case views(ViewError)
}

extension ReadError: CustomStringConvertible {
  /// One sentence: what happened, to what, what to do.
  public var description: String {
    switch self {
    case .refused(let refusal): refusal.description
    case .views(let error): error.description
    }
  }
}
