// `verbatim erase`: erases what people wrote from an erasable workspace.
internal import Chat
internal import ContentKeys
internal import EventLog
internal import JSONLines
internal import Verbatim

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The command that erases content by destroying its keys.
struct EraseCommand: Command {
  static let name = "erase"
  static let summary = "Erases what a user wrote from an erasable workspace."
  static let details = """
    The keys of the content are destroyed, and tables and snapshots are built anew without it. Other processes
    that have the workspace open go on, and build theirs anew, too. The log keeps its events and its chain hash:
    who did what, when and where. Messages are shown as erased. Encrypted contents of attachments stay, and
    nobody can read them.

    With --typed-only, messages and profile stay, and what was typed and drafted is erased, of USER or,
    without one, of everybody; with --before, only that of earlier days (UTC).

    An erasure that was interrupted continues with --resume. Copies that were made of the directory before can
    still be read with their own keys: destroy them, too.

    --json: position, keysDestroyed and completed (positions), of each erasure.
    """
  static let examples = [
    "verbatim erase chat ada", "verbatim erase chat --typed-only --before 2026-01-01 --yes",
    "verbatim erase chat --resume",
  ]

  static var parameters: [Parameter<Self>] {
    [
      .positional("DIR", "The directory of the workspace.", \.path),
      .positional("USER", "The user whose content is erased.", \.user).optional,
      .flag("typed-only", "Erases only what was typed and drafted.", \.isTypedOnly),
      .option("before", "DATE", "Erases only what was typed before this day.", \.before),
      .flag("resume", "Completes the erasures that were interrupted.", \.resumes),
      .flag("yes", "Does not ask.", \.isAgreed),
      .flag("json", "Reports lines of JSON.", \.isJSON),
    ]
  }

  var path = ""
  var user = ""
  var isTypedOnly = false
  var before: DayArgument?
  var resumes = false
  var isAgreed = false
  var isJSON = false

  func contradiction() -> String? {
    if resumes {
      return user.isEmpty && !isTypedOnly && before == nil ? nil : "--resume completes what was begun: give it alone."
    }
    if before != nil, !isTypedOnly { return "--before goes with --typed-only." }
    return user.isEmpty && !isTypedOnly ? "Give the user whose content is erased, or --typed-only." : nil
  }

  func run(in context: Context) throws(Failure) -> ExitCode {
    try requireDirectory(path, orElse: "erase content where the directory is")
    var scope: Erasure.Scope?
    if !resumes {
      let asked = try self.scope(context)
      guard try isConfirmed(asked, in: context) else { throw Failure(.refused, "Nothing was erased.") }
      scope = asked
    }
    let workspace = try openWorkspace(path, context.erasingConfiguration, in: context)
    defer { workspace.closeBlocking() }
    let erasures = try cared { () throws(MaintenanceError) in
      if let scope { [try workspace.eraseBlocking(scope)] } else { try workspace.resumeErasuresBlocking() }
    }
    try context.report(isJSON ? erasures.map(\.json).joined() : text(erasures))
    return .done
  }

  private func scope(_ context: Context) throws(Failure) -> Erasure.Scope {
    let name = User.ID(rawValue: user).map { Name($0) }
    if !isTypedOnly {
      if let name { return .user(name) }
    } else if name != nil || user.isEmpty {
      let day = Microseconds.seconds(86_400)
      return .typing(of: name, before: before?.start ?? context.configuration.clock() + day)
    }
    throw Failure(.misused, "“\(user)” is not the id of a user: give one, as ada.")
  }

  private func isConfirmed(_ scope: Erasure.Scope, in context: Context) throws(Failure) -> Bool {
    if isAgreed { return true }
    guard isatty(context.input) != 0 else {
      throw Failure(.misused, "An erasure cannot be taken back: confirm it with --yes.")
    }
    context.note("Erase \(scope) from \(path)? It cannot be taken back. Type “yes”:")
    var lines = LineReader(context.input)
    guard case .line(let line) = try lines.next(waits: true) else { return false }
    return line == Array("yes".utf8)
  }

  private func text(_ erasures: [Erasure]) -> String {
    if erasures.isEmpty { return "No erasure of \(path) was interrupted.\n" }
    return erasures.map { $0.sentence(in: path) }.joined()
  }
}

extension Erasure {
  /// A line that states what was erased.
  func sentence(in path: String) -> String {
    "Erased from \(path): \(scope), by the event at position \(position).\n"
  }

  /// A line of JSON with the positions of its events.
  var json: String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("position", position.rawValue)
      writer.member("keysDestroyed", keysDestroyed?.rawValue)
      writer.member("completed", completed?.rawValue)
    }
    return writer.text + "\n"
  }
}

/// A day, as 2026-01-31, or an instant, whose day in UTC counts.
struct DayArgument: ArgumentValue, Sendable {
  /// The beginning of the day, or the instant.
  let start: Timestamp

  init(argument text: String) throws(ValueDefect) {
    guard let instant = Timestamp(rfc3339: text) ?? Timestamp(rfc3339: text + "T00:00:00Z") else {
      throw ValueDefect(expected: "a day, as 2026-01-31")
    }
    start = instant
  }
}
