// A studio in a process of its own, on a workspace that is removed with it.
import Browser
import ChildProcess
import Foundation

/// A workspace in a temporary directory, and the studio that serves it.
final class StudioProcess {
  static let program =
    ProcessInfo.processInfo.environment["VERBATIM_PROGRAM"] ?? Child.path(ofWorker: "verbatim")

  let workspace: String
  private(set) var address = ""
  private var child: Child?
  private let folder: String

  /// Copies a workspace and serves it.
  init(of original: String, _ options: String...) throws {
    folder = FileManager.default.temporaryDirectory.path + "/studio-\(UUID().uuidString)"
    workspace = folder + "/chat"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: original, toPath: workspace)
    try start(options)
  }

  /// Serves a workspace in its place.
  init(at path: String) throws {
    folder = FileManager.default.temporaryDirectory.path + "/studio-\(UUID().uuidString)"
    workspace = path
    try start()
  }

  deinit {
    child?.end()
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// The address without the token.
  var base: String { String(address.prefix { $0 != "?" }.dropLast()) }
  /// The port.
  var port: String { base.split(separator: ":").last.map(String.init) ?? "" }

  /// Starts the studio; it prints its address.
  func start(_ options: [String] = []) throws {
    let child = try Child([Self.program, "studio", workspace] + options)
    guard let line = try child.line() else { throw Child.Failure.ended(child.wait(), instead: "an address") }
    (self.child, address) = (child, line)
  }

  /// Kills the studio as a crash would.
  func kill() {
    child?.signal(SIGKILL)
    _ = child?.wait()
    child = nil
  }

  /// Interrupts the studio, and returns how it ended.
  func interrupt() -> Child.Ending? {
    child?.signal(SIGINT)
    return child?.wait()
  }

  /// Runs a command on the workspace; returns its output.
  @discardableResult
  func run(_ words: String..., input: String = "") throws -> String { try Self.run(words, input: input) }

  @discardableResult
  static func run(_ words: [String], input: String = "") throws -> String {
    let child = try Child([program] + words)
    child.send(Array(input.utf8))
    child.closeInput()
    let lines = try child.lines()
    guard child.wait() == .exit(0) else {
      throw Child.Failure.ended(child.wait(), instead: words.joined(separator: " "))
    }
    return lines.joined(separator: "\n")
  }
}

/// Workspaces that tests copy, made once for all of them.
enum Workspaces {
  /// A conversation of four users with keystrokes.
  static func lively() throws -> String { try made.get() }

  private static let folder = FileManager.default.temporaryDirectory.path + "/studio-lively-\(UUID().uuidString)"

  private static let made = Result {
    atexit { try? FileManager.default.removeItem(atPath: Workspaces.folder) }
    _ = try StudioProcess.run(
      ["generate", folder, "--users", "4", "--channels", "3", "--messages", "60", "--keystrokes"])
    return folder
  }
}
