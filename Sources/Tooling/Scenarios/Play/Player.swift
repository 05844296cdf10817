// Who plays a scenario: a workspace, the composers and lists that are open in it, and what their messages are called.
internal import Chat
internal import ChatComposer
internal import ChatMessageList
internal import EventLog
internal import Verbatim

/// A scenario at play.
@MainActor
final class Player {
  let settings: Settings
  let stage: Stage
  private let path: String
  private(set) var workspace: Workspace

  /// Who does what comes, where.
  private(set) var place: Place
  /// Composers that are open.
  var composers: [Composer.Key: LiveComposer] = [:]
  /// Lists that are open.
  var lists: [ListTarget: OpenList] = [:]
  /// A list of an app's own messages.
  var ownList: OwnList?
  /// Whoever loads drafts page by page.
  var draftLoaders: [User.ID: DraftLoader] = [:]
  /// Sends that go on beside what is done next.
  var sends: [Task<Void, any Error>] = []
  /// What came of the last send, or of pressing something.
  var outcome: String?
  /// What the last search found.
  var found: [Message.ID] = []
  /// What the last line that did something was refused.
  var refusal: Refused?
  /// What the scenario calls messages whose ids it could not choose.
  private var called: [(name: String, id: Message.ID)] = []
  /// Where the log ended before the last line that did something.
  private(set) var start = Position.zero

  /// Who does something, and where.
  struct Place: Equatable {
    var user: User.ID
    var device: Device.ID = "phone"
    var channel: Channel.ID
    var thread: String?
  }

  init(_ settings: Settings, in path: String) throws(WorkspaceError) {
    (self.settings, self.path) = (settings, path)
    stage = Stage(at: settings.start)
    place = Place(user: settings.users.first?.id ?? "ada", channel: settings.channels.first?.id ?? "general")
    workspace = try Workspace.open(at: path, configuration: Configuration(settings, on: stage))
  }

  /// Makes the users and the channels of the first line.
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

  /// Takes note of where the log ends before something is done.
  func mark() throws { start = try workspace.head() }

  /// Goes where the next line is.
  func go(_ change: TargetChange) {
    if let user = change.user { (place.user, place.device) = (user, "phone") }
    if let device = change.device { place.device = device }
    if let channel = change.channel { (place.channel, place.thread) = (channel, nil) }
    if let thread = change.thread { place.thread = thread }
  }

  // MARK: Where it is

  var client: Client { workspace.client(user: place.user, device: place.device) }
  var channel: ChannelController { client.channel(place.channel) }
  var thread: Message.ID? { place.thread.map { id($0) } }
  var composerKey: Composer.Key {
    Composer.Key(of: place.user, on: place.device, in: place.channel, thread: thread)
  }

  /// The composer of the place, open.
  func composer() async throws -> LiveComposer {
    if let open = composers[composerKey], open.composer.isOpen, open.stopped == nil { return open }
    let composer = try await channel.composer(thread: thread)
    composers[composer.key] = composer
    // Where several have something to take note of at once, they do so in the same order in each play.
    composer.looksAroundItself = false
    keep()
    return composer
  }

  /// Does something in the composer of the place.
  func perform(_ action: Composer.Action) async throws { try await keeping { try $0.perform(action) } }

  /// Does something in the composer of the place, and has it recorded by itself.
  func keeping(_ body: (LiveComposer) throws -> Void) async throws {
    let composer = try await composer()
    defer { keep() }
    try body(composer)
  }

  /// Has what was done recorded before anything else is, so that what is recorded at once is the same in each play.
  func keep() { workspace.flushBlocking() }

  func submit(_ intent: ChatIntent, by actor: Author) async throws {
    _ = try await workspace.submit(intent, by: actor)
  }

  /// A term that ends when some time has passed, or never.
  func term(_ span: Microseconds?) -> Expiry { span.map { .until(workspace.now + $0) } ?? .endless }

  // MARK: What messages are called

  /// The message that the scenario calls by a name: its id, where it is called nothing else.
  func id(_ name: String) -> Message.ID { called.last { $0.name == name }?.id ?? Message.ID(rawValue: name) ?? "-" }

  /// What the scenario calls a message.
  func name(_ id: Message.ID) -> String { called.last { $0.id == id }?.name ?? id.text }

  func call(_ message: Message.ID, _ name: String) { called.append((name, message)) }

  /// A text with the names in place of ids.
  func named(_ text: String) -> String {
    called.reduce(text) { $0.replacing($1.id.text, with: $1.name) }
  }

  // MARK: Ends

  /// Closes the workspace and opens it again.
  func reopen() async throws {
    await putAway()
    workspace = try Workspace.open(at: path, configuration: Configuration(settings, on: stage))
    try mark()
  }

  /// Ends all that goes on.
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
  /// A workspace as the first line of a scenario wants it.
  fileprivate init(_ settings: Settings, on stage: Stage) {
    self.init()
    clock = { stage.now }
    randomBits = { stage.randomBits() }
    draftMessagesEnabled = settings.keepsDrafts
    settings.house.apply(to: &rules)
    let names = Dictionary(settings.users.map { ($0.id, $0.name) }) { $1 }
    composer.commands = ScenarioCommands(suggesting: settings.suggesting, stage: stage, names: names)
    composer.attachments = settings.attachments
    composer.refusesUnknownCommands = settings.refusesUnknownCommands
    composer.uploads = stage
    composer.appearance = settings.appearance.composers
    if let previews = settings.previews { composer.linkPreviews = ScenarioPreviews(titles: previews, stage: stage) }
    composer.gifs = ScenarioGIFs(pictures: settings.gifs, stage: stage)
  }
}

/// Pages that a scenario knows of.
private struct ScenarioPreviews: LinkPreviewProvider {
  let titles: [String: String]
  let stage: Stage

  func preview(of url: UserText) async throws -> LinkPreview? {
    try await stage.pass("previews", for: url.string)
    return titles[url.string].map { LinkPreview(title: UserText($0)) }
  }
}

/// Animated pictures that a scenario knows of, or those of the catalogue.
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
