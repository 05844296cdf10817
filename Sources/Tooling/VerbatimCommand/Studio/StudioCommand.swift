// `verbatim studio`: serves a workspace to a browser on this machine.
internal import Chat
internal import ChatProjections
internal import ChatRendering
internal import EventLog
internal import Foundation
internal import Locks
internal import Studio
internal import Verbatim
internal import WebServer

/// The command that serves the studio.
struct StudioCommand: Command {
  static let name = "studio"
  static let summary = "Shows a workspace in a browser: its chat at any time, its events, its health."
  static let details = """
    It prints an address that lets one browser in, and serves until it is interrupted. Only programs on
    this machine can reach it. Without --as everything in the log is shown, also what its users could not
    see; with --as, only what this user may see.
    """
  static let examples = [
    "verbatim studio chat", "verbatim studio chat --as ada --port 8080", "verbatim studio --demo --open",
  ]

  static var parameters: [Parameter<Self>] {
    [
      Parameter.positional("DIR", "The directory of the workspace, or its address on a server.", \.path).optional,
      .option("port", "N", "The port; default one that is free.", \.port),
      .option("as", "USER", "Shows only what this user may see.", \.user),
      .flag("read-only", "Refuses everything that would change the workspace.", \.isReadOnly),
      .flag("open", "Opens the address in the browser.", \.opens),
      .flag(
        "demo", "Makes a lively workspace, in DIR or in one that is removed at the end; its users go on writing.",
        \.isDemo),
    ]
  }

  var path = ""
  var port: Int?
  var user: User.ID?
  var isReadOnly = false
  var opens = false
  var isDemo = false

  func contradiction() -> String? {
    if path.isEmpty, !isDemo { return "DIR is missing: give the directory of a workspace, or --demo." }
    if let port, port > 65_535 { return "--port is \(port) and must be 65535 or less." }
    return nil
  }

  func run(in context: Context) throws(Failure) -> ExitCode {
    guard isDemo else { return try serve(path, nil, in: context) }
    let folder = FileManager.default.temporaryDirectory.appending(path: "verbatim-\(UUID())").path
    defer { if path.isEmpty { try? FileManager.default.removeItem(atPath: folder) } }
    let chat = path.isEmpty ? folder : path
    InterruptFlag.install(in: context)
    return try serve(chat, try DemoConversation(at: chat, in: context), in: context)
  }

  /// Serves a workspace, in which a conversation goes on if one is given.
  private func serve(_ path: String, _ demo: DemoConversation?, in context: Context) throws(Failure) -> ExitCode {
    var configuration = isReadOnly ? context.readingConfiguration : context.configuration
    // A draft continues in every window of its user.
    configuration.draftMessagesEnabled = true
    let workspace = try openWorkspace(path, configuration, in: context)
    var isStuck = false
    // Closing waits for what is being recorded.
    defer { if !isStuck { workspace.closeBlocking() } }
    if let user { try requireUser(user, in: workspace) }
    InterruptFlag.install(in: context)
    let studio = StudioApp(workspace, viewer: user, isReadOnly: isReadOnly, in: context)
    var options = WebServer.Options()
    options.port = UInt16(port ?? 0)
    let site: StudioSite
    do throws(WebServerError) {
      site = try StudioSite(
        StudioApp.pages, sheets: ["chat.css": PageStyle.sheet], options: options, answer: studio.answer)
    } catch {
      throw Failure(.unable, error.description)
    }
    var output = Output(context.output)
    try output.write("\(site.address)\n")
    try output.flush()
    if opens { try open(site.address, by: studio.temporary, in: context) }
    if isatty(context.errors) != 0 { context.note("The address lets one browser in. Press Ctrl-C to end the studio.") }
    let talk = isReadOnly ? nil : demo.map { demo in Task { await demo.goOn(in: workspace, besides: studio.tabs) } }
    // The composers live on the main thread.
    while !InterruptFlag.hasHappened { RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.05)) }
    site.stop()
    talk?.cancel()
    isStuck = !stop(studio, after: talk)
    if isStuck { context.note("A change was still being recorded: it is recorded, or the composer shows it again.") }
    return .done
  }

  /// The time for which changes that are being recorded are awaited at the end.
  private static let patience = Duration.seconds(2)

  /// Stops the studio after the conversation; returns false if a change that is being recorded takes too long.
  private func stop(_ studio: StudioApp, after talk: Task<Void, Never>?) -> Bool {
    let isStopped = Locked(false)
    Task {
      await talk?.value
      await studio.stop()
      isStopped.withLock { $0 = true }
    }
    let deadline = ContinuousClock.now + Self.patience
    while !isStopped.withLock({ $0 }) {
      if ContinuousClock.now > deadline {
        studio.end()
        return false
      }
      RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.01))
    }
    return true
  }

  private func requireUser(_ user: User.ID, in workspace: Workspace) throws(Failure) {
    let found: User?
    do { found = try workspace.readBlocking { reading in try reading.chat.user(user) } } catch {
      throw Failure(.unable, "\(error)")
    }
    guard found != nil else { throw Failure(.refused, Refusal.unknownUser(user).description) }
  }

  /// Opens the address in the browser by a file that leads there: all users can read the arguments of a process, and
  /// the address lets its first reader in.
  private func open(_ address: String, by temporary: TemporaryFolder, in context: Context) throws(Failure) {
    let path = try temporary.path(of: "studio.html")
    var file = try NewFile(at: path)
    try file.write(
      """
      <!DOCTYPE html>
      <meta charset="utf-8">
      <meta name="referrer" content="no-referrer">
      <meta http-equiv="refresh" content="0; url=\(address)">
      <title>Verbatim</title>
      <p><a href="\(address)">Open the studio</a></p>

      """)
    try file.finish()
    #if os(macOS)
      let program = "open"
    #else
      let program = "xdg-open"
    #endif
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [program, path]
    (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
    let sentence = "\(program) cannot open a browser: open the address yourself."
    process.terminationHandler = { if $0.terminationStatus != 0 { context.note(sentence) } }
    if (try? process.run()) == nil { context.note(sentence) }
  }
}
