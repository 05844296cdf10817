// With what code the program ends, and the failures that lead to one.

/// What a program's end says to who started it.
public enum ExitCode: Int32, Sendable {
  /// What was asked for is done; what was checked holds.
  case done = 0
  /// The log is damaged, or what it holds refuses what was asked.
  case refused = 1
  /// The arguments or the input mean nothing.
  case misused = 2
  /// It cannot be done now or here.
  case unable = 3

  /// What the help texts say of all codes.
  static let details = """
    exit codes:
      0  done; what was checked holds
      1  something is damaged or differs, or what is there refuses what was asked: a conflict, no
         right to see it
      2  arguments or input that mean nothing
      3  it cannot be done: no such log, disk full, no permission, turn held, newer format,
         no terminal
    """
}

/// Why a command ended early.
struct Failure: Error {
  /// With what code.
  let code: ExitCode
  /// One sentence: what happened, to what, what to do; nil when whoever would read it has gone.
  let message: String?
  /// How the command is written, in lines of their own; nil where that does not help.
  let usage: String?

  init(_ code: ExitCode, _ message: String?, usage: String? = nil) {
    self.code = code
    self.message = message
    self.usage = usage
  }

  /// Standard output was closed by its reader, as `head` does: there is nobody to tell.
  static let outputClosed = Failure(.done, nil)

  /// The same failure with something before its sentence and something behind it.
  func saying(before: String = "", after: String = "") -> Failure {
    Failure(code, message.map { before + $0 + after }, usage: usage)
  }
}
