// What a command has to do with the world outside: three streams, whether the process is its own, what the app chose.
internal import Terminal
public import Verbatim

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Where a command reads and writes, and what it may do to the process it runs in.
public struct Context: Sendable {
  /// The descriptor that input comes from.
  public var input: Int32 = 0
  /// The descriptor that results go to.
  public var output: Int32 = 1
  /// The descriptor that failures and notes go to.
  public var errors: Int32 = 2
  /// How the program can be started again; nil when the command runs within another program, whose signals it must
  /// then leave alone.
  public var executable: String?
  /// What the program is called where it says which command to run: an app's own name, not always this package's.
  public var program = "verbatim"
  /// What an app chooses of its workspaces: views of its own, commands of its composers, who may do what.
  public var configuration = Configuration()

  /// The same for commands that only read: where a workspace cannot be written, its tables are kept in memory, or in
  /// the directory that VERBATIM_CACHE_DIR names.
  var readingConfiguration: Configuration {
    var configuration = configuration
    configuration.allowsReadOnly = true
    configuration.cacheDirectory = configuration.cacheDirectory ?? Self.cacheDirectory
    return configuration
  }

  /// The directory that VERBATIM_CACHE_DIR names; nil when it names none.
  static var cacheDirectory: String? {
    guard let value = getenv("VERBATIM_CACHE_DIR") else { return nil }
    let path = String(cString: value)
    return path.isEmpty ? nil : path
  }

  /// What was typed behind the program's name.
  var arguments: [String] = []

  /// Standard input, output and error, in a process that belongs to somebody else.
  public init() {}

  /// Whether the process was started for the command.
  var ownsProcess: Bool { executable != nil }

  /// A command of this program with arguments, as a user types it.
  func command(_ words: String...) -> String { ([program] + words).map(\.quotedForShell).joined(separator: " ") }

  /// Writes why a command ended early to the error stream: the sentence in one line, whatever it quotes, then the
  /// usage.
  func note(_ failure: Failure) {
    guard let message = failure.message else { return }
    note("\(program): \(message)".visible(inOneLine: true) + (failure.usage.map { "\n" + $0 } ?? ""))
  }

  /// Writes lines to the error stream; when that fails there is nowhere to say so.
  func note(_ text: String) {
    var output = Output(errors)
    try? output.write(text + "\n")
    try? output.flush()
  }
}
