// Threat: unread messages are miscounted where a stretch of messages ends and the next begins.
import Chat
import ChatCodec
import ChatProjections
import EventLog
import Testing
import Projections

@Suite struct `Stretches of messages` {
  private let scratch: Scratch
  private let store: EventStore
  private let projections: ProjectionStore

  /// Creates a channel with 1,600 messages of three authors, some of which are silent.
  init() throws {
    scratch = try Scratch()
    store = try scratch.log(inMemory: true)
    projections = try scratch.projections(store)
    try happen([.channel("general", .created("team", Channel.Profile(name: "General"), ChannelConfig()))])
    try happen((authors + readers).map { .member(Member.Key("general", $0), .added(.member)) })
    for number in 1...1600 {
      let author = authors[number % 7 % 3]
      var content = Message.Content("text")
      if number.isMultiple(of: 5) {
        content.mentions = [Mention("dora", at: UTF16Offset(rawValue: 0)..<UTF16Offset(rawValue: 1))]
      }
      content.isSilent = number.isMultiple(of: 13)
      try happen([.message(message(number), .sent(content))], by: .user(author))
    }
    try happen([.mute(Mute.Key(by: "emil", of: .user("bob")), .began(.endless))])
  }

  private let authors: [User.ID] = ["ada", "bob", "cleo"]
  private let readers: [User.ID] = ["dora", "emil"]

  private func message(_ number: Int) -> Message.Key { Message.Key("general", ID(stringLiteral: "m\(number)")) }

  private func happen(_ changes: [ChatEvent.Change], by actor: Author = .system) throws {
    try store.append(changes.map { ChatEvent($0, EventOrigin(by: actor, at: Timestamp(rawValue: 0))) })
  }

  @Test(arguments: [[], [100, 700], [511, 512, 513, 1023, 1024, 1535, 1536, 1600]] as [[Int]])
  func `unread counts across stretches equal the reference, with any messages deleted`(deleted: [Int]) throws {
    try happen(deleted.map { .message(message($0), .deleted(forGood: $0.isMultiple(of: 512))) })
    var (reference, next) = (Reference(), Position.first)
    let instant = scratch.clock.now
    let markers = [0, 1, 63, 64, 127, 128] + Array(509...514) + Array(1022...1026) + [1535, 1536, 1537, 1599, 1600]
    for marker in markers {
      if marker > 0 {
        try happen((authors + readers).map { .member(Member.Key("general", $0), .read(through: message(marker).id)) })
      }
      for event in try store.events(from: next, limit: .max) {
        reference.fold(try decode(event), at: event.position)
        next = event.position.next
      }
      try projections.read { reading throws(ProjectionError) in
        for user in authors + readers {
          #expect(reference.member(Member.Key("general", user))?.read.rawValue == UInt64(marker))
          let unread = reference.unread(of: user, in: "general", at: instant)
          #expect(try reading.chat.unread(of: user, in: "general", at: instant) == unread, "\(user) at \(marker)")
          #expect(try reading.chat.unread(of: user, at: instant) == unread, "\(user) at \(marker)")
          let first = reference.waiting(for: user, in: "general", at: instant).first
          #expect(try reading.chat.firstUnread(of: user, in: "general", at: instant) == first, "\(user) at \(marker)")
        }
      }
    }
  }
}
