// The contents that a reader of a workspace finds, in a form that tests can compare.
import ChatCodec
package import Verbatim

/// The contents read at a position.
package struct Facts: Sendable {
  /// The position of the reading.
  package let position: Position
  /// The contents of rows: also available from a state folded without tables.
  package let rows: String
  /// The contents of pages and lists: only available from a workspace.
  package let pages: String

  private static let users: [User.ID] = (0..<6).map { ID(stringLiteral: "u\($0)") }
  private static let channels: [Channel.ID] = ["c0", "c1", "c2", Worker.meeting]
  private static let messages: [Message.ID] = (0..<16).map { ID(stringLiteral: "m\($0)") }

  /// Collects the contents of a reading.
  package init(_ reading: WorkspaceReading) throws {
    var rows: [String] = []
    for id in Self.users { rows.append(Self.words(try reading.chat.user(id))) }
    for id in Self.channels {
      guard let channel = try reading.chat.channel(id) else { continue }
      rows.append(Self.words(channel))
      for user in Self.users { rows.append(Self.words(try reading.chat.member(Member.Key(id, user)))) }
      for message in Self.messages { rows.append(Self.words(try reading.chat.message(Message.Key(id, message)))) }
    }
    position = reading.position
    self.rows = rows.joined(separator: " ")
    pages = try Self.pages(reading)
  }

  /// Returns the contents of a state's rows.
  package static func rows(of state: InMemoryChatState) -> String {
    var rows = users.map { words(state[$0]) }
    for id in channels {
      guard let channel = state[id], channel.deleted == nil else { continue }
      rows.append(words(channel))
      for user in users { rows.append(words(state[Member.Key(id, user)].flatMap { $0.isMember ? $0 : nil })) }
      for message in messages { rows.append(words(state[Message.Key(id, message)])) }
    }
    return rows.joined(separator: " ")
  }

  private static func pages(_ reading: WorkspaceReading) throws -> String {
    var words: [String] = []
    for id in channels {
      let page = try reading.chat.messages(in: id, .latest, limit: 5)
      words.append("\(id)")
      for message in page.messages { words.append("\(message.key.id) \(Self.words(message))") }
      words.append("\(try reading.chat.members(of: id, limit: 100).members.count) members")
    }
    for number in 0..<4 {
      for composer in try reading.chat.composers(of: Worker.user(number)) {
        words.append(composer.content.text.userText.string)
      }
    }
    return words.joined(separator: " ")
  }

  private static func words(_ user: User?) -> String {
    user.map { "\($0.profile.name.string.debugDescription) \($0.role) \($0.isDeactivated)" } ?? "-"
  }

  private static func words(_ channel: Channel) -> String {
    "\(channel.id) \(channel.memberCount) \(channel.newest.rawValue) \(channel.isFrozen) \(channel.config.slowMode)"
  }

  private static func words(_ member: Member?) -> String {
    member.map { "\($0.role) \($0.read.rawValue) \($0.received.rawValue)" } ?? "-"
  }

  private static func words(_ message: Message?) -> String {
    guard let message else { return "-" }
    let reactions = message.reactions.reduce(0) { $0 + $1.score }
    return "\(message.number.rawValue) \(message.content.text.string.debugDescription) \(reactions)"
  }
}

/// The state that a log folds into, event by event, without tables.
package struct Shadow {
  /// The folded state.
  package private(set) var state: InMemoryChatState
  /// The position of the state.
  package private(set) var position = Position.zero

  /// Creates the state of an empty log.
  package init(_ rules: Rules) { state = InMemoryChatState(rules: rules) }

  /// Folds an event.
  package mutating func fold(_ event: RecordedEvent) throws {
    Verbatim.fold(try decode(event), into: &state)
    position = event.position
  }

  /// Folds the events that the log has after this position.
  package mutating func catchUp(with workspace: Workspace) throws {
    for event in try workspace.store.events(from: position.next, limit: .max) { try fold(event) }
  }
}
