// A channel with a thread, in which tests make events happen, and its items in lists.
import Chat
import ChatProjections
import EventLog
import Projections

/// Ada, Bob and Cleo in a channel, and a thread about a message of Ada's, the first in the channel.
///
/// The lists are Ada's.
final class ListedHouse {
  private let scratch: Scratch
  private let store: EventStore
  private let projections: ProjectionStore
  private let start: Timestamp

  init() throws {
    scratch = try Scratch()
    store = try scratch.log(inMemory: true)
    projections = try scratch.projections(store)
    start = scratch.clock.now
    for user in ["ada", "bob", "cleo"] as [User.ID] {
      try happens(.user(user, .created(User.Profile(name: "Somebody"), .user)))
    }
    try addChannel("general")
  }

  /// Creates a channel with all users as members.
  func addChannel(_ id: Channel.ID, at seconds: Int64? = nil) throws {
    try happens(.channel(id, .created("team", Channel.Profile(), ChannelConfig())), at: seconds)
    for user in ["ada", "bob", "cleo"] as [User.ID] { try happens(.member(Member.Key(id, user), .added(.member))) }
  }

  /// Appends an event some seconds after the beginning; by default at the instant of the last event.
  func happens(_ change: ChatEvent.Change, by user: User.ID? = nil, at seconds: Int64? = nil) throws {
    if let seconds { scratch.clock.instantOfHistory = Timestamp(rawValue: 0) + .seconds(seconds) }
    let actor = user.map { Author.user($0) } ?? .system
    try store.append([ChatEvent(change, EventOrigin(by: actor, at: scratch.clock.now))])
  }

  /// Returns the instant some seconds after the beginning.
  func instant(_ seconds: Int64) -> Timestamp { start + .seconds(seconds) }

  // MARK: What happens

  func says(
    _ id: Message.ID, by user: User.ID, in channel: Channel.ID = "general", to parent: Message.ID? = nil,
    showsInChannel: Bool = false, kind: Message.Kind = .regular, at seconds: Int64? = nil
  ) throws {
    let content = Message.Content("so", kind: kind, parent: parent, showsInChannel: showsInChannel, isPending: true)
    try happens(.message(Message.Key(channel, id), .sent(content)), by: user, at: seconds)
  }

  func fails(_ id: Message.ID) throws { try happens(to: id, .failed(reason: "offline")) }

  func happens(to id: Message.ID, _ event: Message.Event) throws {
    try happens(.message(Message.Key("general", id), event))
  }

  func saves(
    _ content: Composition, by user: User.ID = "ada", in channel: Channel.ID = "general", to parent: Message.ID?,
    at seconds: Int64? = nil
  ) throws {
    let key = Draft.Key(by: user, in: channel, thread: parent)
    try happens(.draft(key, .updated(content, Edit(at: instant(seconds ?? 0), on: nil))), by: user, at: seconds)
  }

  func types(_ user: User.ID, on device: Device.ID = "web", to parent: Message.ID?, at seconds: Int64? = nil) throws {
    let key = Composer.Key(of: user, on: device, in: "general", thread: parent)
    try happens(.composer(key, .typed(Splice(.start ..< .start, to: "a"))), by: user, at: seconds)
  }

  // MARK: Lists

  func channels(by order: ChannelOrder = .lastActivity, at seconds: Int64 = 1) throws -> [ChannelItem] {
    try projections.read { reading throws(ProjectionError) in
      try reading.chat.channels(of: "ada", by: order, at: instant(seconds), limit: 9).channels
    }
  }

  func threads(at seconds: Int64 = 1) throws -> [ThreadItem] {
    try projections.read { reading throws(ProjectionError) in
      try reading.chat.threads(of: "ada", at: instant(seconds), limit: 9).threads
    }
  }
}

extension ItemLine {
  /// The line as text: its case and its content.
  var words: String {
    switch self {
    case .failed(let message): "failed \(message.key.id)"
    case .draft(.text(let text)): "draft \(text.userText)"
    case .draft(.attachment(let attachment)): "draft with \(attachment.attachment.id)"
    case .draft(.command(let command)): "draft of \(command.id)"
    case .draft(.quote(let id)): "draft about \(id)"
    case .typing(let users): "typing \(users.map(\.text).joined(separator: " "))"
    case .message(let message): "message \(message.key.id)"
    case .deleted(let message): "deleted \(message.key.id)"
    case .nothing: "nothing"
    }
  }
}
