// The environment of a command: three streams, whether it owns its process, and the app's configuration.
public import ChatComposer
public import ChatRendering
internal import Terminal
public import Verbatim

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The streams that a command reads and writes, and what it may do to its process.
public struct Context: Sendable {
  /// The descriptor of the input.
  public var input: Int32 = 0
  /// The descriptor of the results.
  public var output: Int32 = 1
  /// The descriptor of failures and notes.
  public var errors: Int32 = 2
  /// The path by which the program can be started again; nil when the command runs within another program, whose signal
  /// handlers it must not change.
  public var executable: String?
  /// The name of the program in messages that name a command to run: an app's own name, not always this package's.
  public var program = "verbatim"
  /// The app's configuration of its workspaces: additional projections, permissions.
  public var configuration = Configuration()
  /// The app's options of composers: slash commands, limits, providers.
  public var composer = ComposerOptions()
  /// The fixed texts of `show`, and of refusals, notices and failures in `compose`, in the language of the app.
  public var words = RenderingWords()

  /// The configuration of commands that only read: where a workspace is not writable, its tables are kept in memory, or
  /// in the directory that VERBATIM_CACHE_DIR names.
  var readingConfiguration: Configuration {
    var configuration = configuration
    configuration.allowsReadOnly = true
    configuration.cacheDirectory = configuration.cacheDirectory ?? Self.cacheDirectory
    return configuration
  }

  /// The configuration of commands that erase: also what commands that only read derived in the directory that
  /// VERBATIM_CACHE_DIR names.
  var erasingConfiguration: Configuration {
    var configuration = configuration
    configuration.cacheDirectory = configuration.cacheDirectory ?? Self.cacheDirectory
    return configuration
  }

  /// The directory that VERBATIM_CACHE_DIR names; nil when the variable is unset or empty.
  static var cacheDirectory: String? {
    guard let value = getenv("VERBATIM_CACHE_DIR") else { return nil }
    let path = String(cString: value)
    return path.isEmpty ? nil : path
  }

  /// Whether progress is reported as lines of JSON, where it would be hidden otherwise.
  var reportsProgress = false

  /// The arguments behind the program's name.
  var arguments: [String] = []

  /// Creates a context of standard input, output and error, in a process that belongs to another program.
  public init() {}

  /// Whether the process was started for this command.
  var ownsProcess: Bool { executable != nil }

  /// Returns a command line of this program, quoted for a shell.
  func command(_ words: String...) -> String { ([program] + words).map(\.quotedForShell).joined(separator: " ") }

  /// Writes the failure to the error stream: the sentence on one line, control characters made visible, then the usage.
  func note(_ failure: Failure) {
    guard let message = failure.message else { return }
    note("\(program): \(message)".visible(inOneLine: true) + (failure.usage.map { "\n" + $0 } ?? ""))
  }

  /// Writes lines to the error stream; a failure to write is ignored, because nothing is left to report it on.
  func note(_ text: String) {
    var output = Output(errors)
    try? output.write(text + "\n")
    try? output.flush()
  }
}
