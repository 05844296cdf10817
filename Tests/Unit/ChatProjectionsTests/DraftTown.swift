// A small world with many drafts, in which the targets of drafts are often removed.
import Chat
import ChatSamples
import SeededRandom

/// Few users, and channels that are replaced by new ones again and again.
enum DraftTown {
  static let users: [User.ID] = ["ada", "bob", "b"]

  /// The events before the first intent.
  static var beginning: [ChatEvent] {
    users.map {
      ChatEvent(
        .user($0, .created(User.Profile(name: "Somebody"), .user)), EventOrigin(by: .system, at: Timestamp(rawValue: 0))
      )
    }
  }

  /// Returns the channels of an age; the id of one is a prefix of that of another.
  static func channels(_ step: Int) -> [Channel.ID] {
    ["c\(step / 150)", "c\(step / 150)-a", "d"].map { ID(stringLiteral: $0) }
  }
}

extension SeededRandom {
  /// Returns the next intent of a random user.
  mutating func draftWish(_ step: Int, in state: InMemoryChatState) -> (ChatIntent, Author) {
    let (user, channel) = (pick(DraftTown.users), pick(DraftTown.channels(step)))
    if state[channel] == nil {
      let config = ChannelConfig()
      return (.channel(channel, .create("team", Channel.Profile(), config, members: DraftTown.users)), .system)
    }
    let actor = Author.user(user, on: pick(["phone", "tablet", nil]))
    let message = Message.Key(channel, ID(stringLiteral: "m\(step / 100 + below(3))"))
    let draft = Draft.Key(by: user, in: channel, thread: bool() ? nil : message.id)
    switch below(24) {
    case 0...10:
      let content = Composition(TypedText("hello \(below(3))"))
      return (.draft(draft, .update(content, editedAt: Timestamp(rawValue: Int64(below(9) * step)))), actor)
    case 11...12: return (.draft(draft, .delete(.discarded, editedAt: Timestamp(rawValue: Int64(9 * step)))), actor)
    case 13: return (.member(Member.Key(channel, user), bool() ? .leave : .remove), bool() ? actor : .system)
    case 14...16: return (.member(Member.Key(channel, user), .add(.member)), .system)
    case 17...19:
      return (.message(message, .send(Message.Content("text", kind: once(in: 3) ? .ephemeral : .regular))), actor)
    case 20: return (.message(message, .delete(forGood: !once(in: 4))), .system)
    case 21: return (.message(message, .cancelEphemeral), .system)
    case 22: return (.channel(channel, .truncate(through: once(in: 4) ? nil : message.id)), .system)
    default: return (.channel(channel, channel == "d" || bool() ? .unfreeze : .delete), .system)
    }
  }
}
