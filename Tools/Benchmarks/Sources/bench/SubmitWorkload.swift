// The submitted messages of about ten words, and the events that they produce.
import ChatCodec
import Verbatim

/// Messages of a user to a channel.
struct SubmitWorkload: Sendable {
  let user: User.ID = "user-100000"
  let channel: Channel.ID = "channel-1000"
  private let texts: [UserText]

  init() {
    var speech = Speech(seed: 5)
    texts = (0..<4096).map { _ in UserText(speech.text()) }
  }

  /// The submissions that create the user and the channel.
  var beginning: [Submission] {
    [
      Submission([.user(user, .create(User.Profile(name: "Ada Bobson")))], by: .user(user)),
      Submission(
        [.channel(channel, .create("team", Channel.Profile(), ChannelConfig(), members: []))], by: .user(user)),
    ]
  }

  var composer: Composer.Key { Composer.Key(of: user, on: "phone", in: channel) }

  func submissions(_ count: Int) -> [Submission] {
    (0..<count).map { Submission([.message(key($0), .send(content($0)))], by: .user(user, on: "phone")) }
  }

  /// Returns the events of the same messages.
  func proposals(_ count: Int) -> [ProposedEvent] {
    let stamp = EventOrigin(by: .user(user, on: "phone"), at: .now)
    return (0..<count).map { encode(ChatEvent(.message(key($0), .sent(content($0))), stamp)) }
  }

  private func key(_ number: Int) -> Message.Key {
    Message.Key(channel, ID(stringLiteral: "message-\(10_000_000 + number)"))
  }

  private func content(_ number: Int) -> Message.Content { Message.Content(texts[number % texts.count]) }
}
