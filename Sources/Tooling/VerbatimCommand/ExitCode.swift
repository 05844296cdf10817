// The program's exit codes, and the failures that lead to them.

/// The exit code of the program.
public enum ExitCode: Int32, Sendable {
  /// The request is done; every check holds.
  case done = 0
  /// The log is damaged or differs, or its contents refuse the request.
  case refused = 1
  /// The arguments or the input are invalid.
  case misused = 2
  /// The request cannot be carried out now or on this machine.
  case unable = 3

  /// The table of exit codes in the help texts.
  static let details = """
    exit codes:
      0  success; all checks passed
      1  damage or a difference was found, or the request was refused: a conflict, no permission to
         see it
      2  invalid arguments or input
      3  failure: no such log, disk full, no file permission, writer lock held, newer format, no
         terminal
    """
}

/// The reason why a command ended early.
struct Failure: Error {
  /// The exit code.
  let code: ExitCode
  /// One sentence: what failed, on what, what to do; nil when the reader of the output has gone.
  let message: String?
  /// The usage of the command, on lines of its own; nil where it does not help.
  let usage: String?

  init(_ code: ExitCode, _ message: String?, usage: String? = nil) {
    self.code = code
    self.message = message
    self.usage = usage
  }

  /// Standard output was closed by its reader, as `head` does: there is no reader for a message. The output
  /// of a check throws nothing then.
  static let outputClosed = Failure(.done, nil)

  /// Returns the same failure with text before and after its sentence.
  func saying(before: String = "", after: String = "") -> Failure {
    Failure(code, message.map { before + $0 + after }, usage: usage)
  }
}
