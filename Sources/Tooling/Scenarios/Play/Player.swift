// The player of a scenario: a workspace, its open composers and lists, and the names of messages.
internal import Chat
internal import ChatComposer
internal import ChatMessageList
internal import EventLog
internal import Verbatim
internal import VerbatimUI

/// A running scenario.
@MainActor
final class Player {
  let settings: Settings
  let stage: Stage
  private let path: String
  private let cacheDirectory: String?
  private let isErasable: Bool
  private(set) var workspace: Workspace

  /// The current user, device, channel and thread.
  private(set) var target: Target
  /// The open composers.
  var composers: [Composer.Key: LiveComposer] = [:]
  /// The open lists.
  var lists: [ListTarget: OpenList] = [:]
  /// The list of an app's own messages.
  var ownList: OwnList?
  /// The loaders of draft lists, by user.
  var draftLoaders: [User.ID: DraftLoader] = [:]
  /// The sends that continue in the background.
  var sends: [Task<Void, any Error>] = []
  /// The outcome of the last send or of the last pressed item.
  var outcome: String?
  /// The results of the last search.
  var found: [Message.ID] = []
  /// The refusal of the last action.
  var refusal: Refused?
  /// The head of the log before the last action.
  private(set) var start = Position.zero

  /// The target of an action.
  struct Target: Equatable {
    var user: User.ID
    var device: Device.ID = "phone"
    var channel: Channel.ID
    var thread: String?
  }

  init(
    _ settings: Settings, in path: String, cacheDirectory: String?, isErasable: Bool
  ) throws(WorkspaceError) {
    (self.settings, self.path, self.cacheDirectory) = (settings, path, cacheDirectory)
    self.isErasable = isErasable
    stage = Stage(at: settings.start)
    target = Target(user: settings.users.first?.id ?? "ada", channel: settings.channels.first?.id ?? "general")
    workspace = try Workspace.open(
      at: path, configuration: Configuration(settings, on: stage, cacheDirectory, isErasable))
  }

  /// Creates the users and the channels of the first line.
  func begin() async throws {
    for user in settings.users {
      try await submit(.user(user.id, .create(User.Profile(name: user.name))), by: .user(user.id))
    }
    for channel in settings.channels {
      guard let owner = channel.members.first else { continue }
      let profile = Channel.Profile(name: UserText(channel.id.text))
      let others = Array(channel.members.dropFirst())
      try await submit(
        .channel(channel.id, .create("team", profile, ChannelConfig(), members: others)), by: .user(owner))
    }
    try mark()
  }

  /// Marks the current head of the log as the start of an action.
  func mark() throws { start = try workspace.head() }

  /// Applies a line's change of the target.
  func go(_ change: TargetChange) {
    if let user = change.user { (target.user, target.device) = (user, "phone") }
    if let device = change.device { target.device = device }
    if let channel = change.channel { (target.channel, target.thread) = (channel, nil) }
    if let thread = change.thread { target.thread = thread }
  }

  // MARK: Current place

  var client: Client { workspace.client(user: target.user, device: target.device) }
  var channel: ChannelController { client.channel(target.channel) }
  var thread: Message.ID? { target.thread.map { id($0) } }
  var composerKey: Composer.Key {
    Composer.Key(of: target.user, on: target.device, in: target.channel, thread: thread)
  }

  /// Returns the composer of the target, opened if necessary.
  func composer() async throws -> LiveComposer {
    if let open = composers[composerKey], open.composer.isOpen, open.stopped == nil { return open }
    let composer = try await channel.composer(thread: thread, options: ComposerOptions(settings, on: stage))
    composers[composer.key] = composer
    // Open composers react to changes in the same order in each run.
    composer.refreshesAutomatically = false
    keep()
    return composer
  }

  /// Performs an action in the composer of the target.
  func perform(_ action: Composer.Action) async throws { try await keeping { try $0.perform(action) } }

  /// Performs an action in the composer of the target, and records it on its own.
  func keeping(_ body: (LiveComposer) throws -> Void) async throws {
    let composer = try await composer()
    defer { keep() }
    try body(composer)
  }

  /// Records pending changes before the next action, so that each append contains the same events in each run.
  func keep() { workspace.flushBlocking() }

  func submit(_ intent: ChatIntent, by actor: Author) async throws { try await submit([intent], by: actor) }

  func submit(_ intents: [ChatIntent], by actor: Author) async throws {
    _ = try await workspace.submit(intents, by: actor)
  }

  /// Returns the id that a text names; of a text that is no id, one that no message has.
  func id(_ name: String) -> Message.ID { Message.ID(rawValue: name) ?? "-" }

  // MARK: End

  /// Closes the workspace and opens it again.
  func reopen() async throws {
    await putAway()
    workspace = try Workspace.open(
      at: path, configuration: Configuration(settings, on: stage, cacheDirectory, isErasable))
    try mark()
  }

  /// Ends all background work.
  func end() async {
    stage.end()
    for send in sends { _ = await send.result }
    await putAway()
  }

  private func putAway() async {
    for composer in composers.values { try? await composer.flush() }
    (composers, lists, ownList, draftLoaders, sends) = ([:], [:], nil, [:], [])
    await workspace.close()
  }
}

extension Configuration {
  /// Creates the workspace configuration of a scenario's first line.
  fileprivate init(_ settings: Settings, on stage: Stage, _ cacheDirectory: String?, _ isErasable: Bool) {
    self.init()
    self.isErasable = isErasable
    self.cacheDirectory = cacheDirectory
    clock = { stage.now }
    // A property observer, which lifts the limits where an app sets a clock, does not run in an initializer.
    clockLimits = nil
    randomBits = { stage.randomBits() }
    typingDelay = 3_600_000
    draftMessagesEnabled = settings.keepsDrafts
    settings.house.apply(to: &rules)
  }
}

extension ComposerOptions {
  /// Creates the options of composers from a scenario's first line.
  fileprivate init(_ settings: Settings, on stage: Stage) {
    self.init()
    let names = Dictionary(settings.users.map { ($0.id, $0.name) }) { $1 }
    commands = ScenarioCommands(suggesting: settings.suggesting, stage: stage, names: names)
    attachments = settings.attachments
    refusesUnknownCommands = settings.refusesUnknownCommands
    uploads = stage
    appearance = settings.appearance.composers
    if let previews = settings.previews { linkPreviews = ScenarioPreviews(titles: previews, stage: stage) }
    gifs = ScenarioGIFs(pictures: settings.gifs, stage: stage)
  }
}

/// The link previews that a scenario defines.
private struct ScenarioPreviews: LinkPreviewProvider {
  let titles: [String: String]
  let stage: Stage

  func preview(of url: String) async throws -> LinkPreview? {
    try await stage.pass("previews", for: url)
    return titles[url].map { LinkPreview(title: $0) }
  }
}

/// The animated pictures that a scenario defines, or those of the catalogue.
private struct ScenarioGIFs: GIFProvider {
  let pictures: [String: String]?
  let stage: Stage

  func picture(for words: UserText, number: Int) async throws -> GIF {
    try await stage.pass("gifs", for: words.string)
    guard let pictures else { return try await GIFCatalogue().picture(for: words, number: number) }
    guard let title = pictures[words.string] else { throw CommandError.nothingFound(words) }
    return GIF(url: UserText("gif:" + title), title: UserText(title))
  }
}
