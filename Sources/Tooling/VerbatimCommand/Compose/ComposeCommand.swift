// `verbatim compose`: a composer in a terminal, to chat in a workspace.
internal import Chat
internal import ChatComposer
internal import Dispatch
internal import Errors
internal import EventLog
internal import Terminal
internal import Verbatim
internal import VerbatimUI

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The command that opens a composer on a channel of a workspace, and prints the channel's messages.
struct ComposeCommand: Command {
  static let name = "compose"
  static let summary = "Chats in a channel of a workspace, from a terminal."
  static var details: String {
    """
    Messages appear as they are sent, by any process. The typed text is kept on this device, even if the
    program is killed, and is restored the next time. With --create the name of a new channel is asked for,
    unless --name has it.

    keys:
    \(KeyTable.lines.joined(separator: "\n"))
    """
  }
  static let examples = [
    "verbatim compose chat --as ada --create", "verbatim compose chat --as ada --create --name 'The team'",
    "verbatim compose chat --as ben --channel general --thread m12 --drafts",
  ]

  static var parameters: [Parameter<Self>] {
    [
      .positional("DIR", "The directory of the workspace, or its address on a server.", \.path),
      .option("as", "USER", "The user who writes; required.", \.user),
      .option("device", "DEVICE", "The device of the user; default terminal.", \.device),
      .option("channel", "CHANNEL", "The channel; default general.", \.channel),
      .option("thread", "MESSAGE", "Writes replies in the thread of this message.", \.thread),
      .flag(
        "drafts", "Saves unsent content as a draft for all devices of the user, and continues with the stored draft.",
        \.keepsDrafts),
      .option("record", "AMOUNT", "Records keystrokes (default), pauses, or drafts only.", \.recording),
      .flag("accept-clock", "Accepts this machine's clock, however far it is ahead of the log.", \.acceptsClock),
      .flag("create", "Creates what is missing: the workspace, the user, the channel, the membership.", \.creates),
      .option("name", "NAME", "The name of a channel that is created; default the typed one.", \.channelName),
    ]
  }

  var path = ""
  var user: User.ID?
  var device: Device.ID?
  var channel: Channel.ID?
  var thread: Message.ID?
  var keepsDrafts = false
  var creates = false
  var channelName: String?
  var acceptsClock = false
  var recording: ComposerRecording?

  func contradiction() -> String? {
    if user == nil { return "--as is missing: name the user who writes, as in --as ada." }
    if channelName != nil, !creates { return "--name is for a new channel: add --create, or leave it out." }
    if recording == .drafts, !keepsDrafts { return "--record drafts keeps no text without --drafts: add it." }
    return nil
  }

  /// Runs on the main actor, which the main thread serves from here on: it never returns, and the session exits the
  /// process.
  func run(in context: Context) throws(Failure) -> ExitCode {
    for descriptor in [context.input, context.output] where isatty(descriptor) == 0 {
      throw Failure(.unable, RawModeError.noTerminal(descriptor: descriptor).description)
    }
    guard context.ownsProcess else {
      throw Failure(
        .unable, "A composer needs its own process: start `\(context.command("compose"))` as a program.")
    }
    DamageGuard.install(for: path, in: context)
    Task { @MainActor in
      let code: ExitCode
      do throws(Failure) { code = try await chat(in: context) } catch {
        context.note(error)
        code = error.code
      }
      exit(code.rawValue)
    }
    dispatchMain()
  }

  private func configuration(in context: Context) -> Configuration {
    var configuration = context.configuration
    if acceptsClock { configuration.clockLimits = nil }
    if let recording { configuration.recording = recording }
    return configuration
  }

  /// Returns the options of the composer, with titles and placeholders for a terminal.
  private func options(in context: Context) -> ComposerOptions {
    var options = context.composer
    options.appearance.titles = [.edit: "editing", .quote: "quoting"]
    let name = channel ?? .ofTerminals
    options.appearance.placeholders = [.new: "Write in \(name.text); ctrl-] shows the keys"]
    return options
  }

  /// Returns the sentence on the text that was left.
  func farewell(to composer: Composer, isDone: Bool) -> String {
    let name = (device ?? "terminal").text
    if !isDone { return "A send was still in progress: its text is sent, or is shown again on the device \(name)." }
    let keepsDraft = (composer.aside ?? composer.content).hasContent
    let draft = "Your draft is kept, for all of your devices."
    if keepsDrafts, composer.editing != nil { return "The edit was not saved." + (keepsDraft ? " " + draft : "") }
    if composer.editing == nil, !keepsDraft { return "There was no text to keep." }
    return keepsDrafts ? draft : "Your text is kept on the device \(name), and is shown again there."
  }

  @MainActor
  private func chat(in context: Context) async throws(Failure) -> ExitCode {
    let target = try await ChatTarget.open(self, configuration(in: context), in: context)
    let composer: LiveComposer
    do { composer = try await target.channel.composer(thread: thread, options: options(in: context)) } catch {
      await target.workspace.close()
      throw Failure(.unable, "\(error)")
    }
    // The last keystrokes are recorded before the process ends, also when a signal ends it.
    TerminationSignal.install()
    let rawMode = try rethrow(
      RawMode(input: context.input, output: context.output),
      as: { (error: RawModeError) in Failure(.unable, error.description) })
    let session = Session(target, composer, in: context)
    await session.run()
    rawMode.leave()
    let isDone = await session.finishWork()
    let farewell = farewell(to: composer.composer, isDone: isDone)
    // The process does not wait for a send that is stuck: what was typed is recorded.
    if isDone { try await session.leave() }
    var output = Output(context.output)
    // Where a signal ended the session, the terminal may be gone.
    try? output.write(farewell + "\n")
    try? output.flush()
    return .done
  }
}

extension ID: ArgumentValue {
  init(argument text: String) throws(ValueDefect) {
    guard let id = Self(rawValue: text) else {
      throw ValueDefect(expected: "an id: 1 to \(idLengthMax) visible ASCII characters other than “/”")
    }
    self = id
  }
}

extension ComposerRecording: ArgumentValue {
  static var choices: [String] { allCases.map(\.rawValue) }

  init(argument text: String) throws(ValueDefect) {
    guard let recording = Self(rawValue: text) else { throw ValueDefect(expected: "keystrokes, pauses or drafts") }
    self = recording
  }
}
