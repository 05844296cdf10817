// `verbatim biography`: the history of a message, in words.
internal import Chat
internal import ChatProjections
internal import EventLog
internal import JSONLines
internal import Terminal
internal import Verbatim

/// The query for the history of a message.
struct BiographyQuestion: Question {
  static let name = "biography"
  static let summary = "Describes the history of a message."
  static let details = """
    The author of the message can see it, and users who may edit or delete any message. Flags are never
    shown.

    --json: biography, each with position, at, actor, and event, as `verbatim events --json` has it.
    """
  static let examples = [
    "verbatim biography chat general/m12 --as ada", "verbatim biography chat m12 --as ada --at 1200 --json",
  ]
  static let isPaged = false
  static var parameters: [Parameter<Self>] {
    [
      .positional(
        "MESSAGE",
        "The message, as general/m12; the channel can be omitted if the id is unique in the user's channels.",
        \.message)
    ]
  }

  var message = MessagePath()

  func answer(_ reading: ClientReading, _ page: Page) throws -> Answer {
    let positions = try reading.biography(of: try message.key(reading))
    var (rows, values): ([[String]], [JSON]) = ([], [])
    for position in positions {
      guard let event = try page.store.event(at: position)?.chatEvent, let actionText = event.change.actionText else {
        continue
      }
      let who = try event.origin.actor.user.map { user throws(ReadError) in try reading.name(of: user) } ?? "The app"
      rows.append(["\(position)", page.times(event.origin.at), who, actionText])
      values.append(
        .object([
          JSON.Member("position", position), JSON.Member("at", event.origin.at),
          JSON.Member("actor", event.origin.actor), JSON.Member("event", event.change),
        ]))
    }
    let columns: [TextTable.Column] = [
      .init("position", isNumber: true), .init("when"), .init("who", isCut: true, style: .bold),
      .init("what", isCut: true),
    ]
    var answer = Answer(
      .table(TextTable(columns, rows)), [JSON](), key: "biography", called: "events", page, hasMore: false)
    (answer.nothing, answer.members) = (nil, [JSON.Member(key: "biography", value: .array(values))])
    return answer
  }
}

/// A message as written on the command line: its channel and its id, or its id alone.
struct MessagePath: ArgumentValue, Sendable {
  private var channel: Channel.ID?
  private var message: Message.ID = "m"

  init() {}

  init(argument text: String) throws(ValueDefect) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count <= 2, let message = parts.last.flatMap({ Message.ID(rawValue: $0) }) else {
      throw ValueDefect(expected: "a message, as general/m12 or m12")
    }
    self.message = message
    guard parts.count == 2 else { return }
    guard let channel = Channel.ID(rawValue: parts[0]) else {
      throw ValueDefect(expected: "a message, as general/m12 or m12")
    }
    self.channel = channel
  }

  /// Returns the key of the message; without a channel, that of the only message with this id in the user's channels.
  func key(_ reading: ClientReading) throws -> Message.Key {
    if let channel { return Message.Key(channel, message) }
    let all = ChannelFilter(isHidden: nil, isArchived: nil)
    let channels = try reading.channels(where: all, limit: Int(Int32.max)).channels
    var found: [Message.Key] = []
    for item in channels {
      let key = Message.Key(item.channel.id, message)
      if try ReadError.unlessRefused(reading.message(key)) != nil { found.append(key) }
    }
    let candidates = found.map { "\($0.channel)/\($0.id)" }.joined(separator: ", ")
    switch found.count {
    case 1: return found[0]
    case 0: throw Failure(.refused, "No channel of the user has a message \(message): name an existing message.")
    default: throw Failure(.refused, "Several channels have a message \(message): use one of \(candidates).")
    }
  }
}

// MARK: Descriptions

extension ChatEvent.Change {
  /// The user's action on the message, to follow the user's name; nil for events that are shown to no user.
  fileprivate var actionText: String? {
    switch self {
    case .message(_, let event): event.actionText
    case .reaction(_, .added(let kind, let score)): "reacted with \(kind)" + (score == 1 ? "" : ", \(score) times")
    case .reaction(_, .removed(let kind)): "removed the reaction \(kind)"
    case .review(_, .claimed): "claimed its review"
    case .review(_, .released): "released its review"
    case .review(_, .resolved(let outcome, _)): "resolved its flags as \(outcome)"
    default: nil
    }
  }
}

extension Message.Event {
  fileprivate var actionText: String {
    switch self {
    case .sent(let content): "sent it: \(content.words)"
    case .edited(let edits): "edited it: \(edits.words)"
    case .deleted(let forGood): forGood ? "deleted it permanently" : "deleted it"
    case .restored: "restored it"
    case .pinned(let expiry): "pinned it" + (expiry.end == nil ? " permanently" : expiry.words)
    case .unpinned: "unpinned it"
    case .acknowledged: "confirmed its delivery"
    case .failed(let reason): "reported its failed delivery: \(reason.string)"
    case .retried: "retried its delivery"
    case .ephemeralSent: "sent it to all members"
    case .ephemeralShuffled(let attachments): "shuffled it: \(counted(attachments.count, "attachment"))"
    case .ephemeralCancelled: "cancelled it"
    case .pollOpened(let options, _): "opened a poll: \(options.map(\.text.string).joined(separator: ", "))"
    case .pollOptionAdded(let option): "added an option to its poll: \(option.text.string)"
    case .pollClosed: "closed its poll"
    }
  }
}
