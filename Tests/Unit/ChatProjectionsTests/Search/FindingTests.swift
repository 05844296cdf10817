// Threat: the messages that a search finds are not those that the user sees in the channel.
import Chat
import ChatProjections
import EventLog
import Testing
import Projections

@Suite struct `Searching messages by words` {
  private let scratch: Scratch
  private let store: EventStore
  private let projections: ProjectionStore

  init() throws {
    scratch = try Scratch()
    store = try scratch.log(inMemory: true)
    projections = try ProjectionStore(of: store, [ChatState.self, ChatSearch.self], at: scratch.path + "/projections")
    for id in ["general", "random"] as [Channel.ID] {
      try happens(.channel(id, .created("team", Channel.Profile(), ChannelConfig())))
    }
  }

  private func happens(_ change: ChatEvent.Change, by user: User.ID = "ada") throws {
    try store.append([ChatEvent(change, EventOrigin(by: .user(user), at: Timestamp(rawValue: 0)))])
  }

  private func says(
    _ text: UserText, as id: Message.ID, in channel: Channel.ID = "general", by user: User.ID = "ada",
    kind: Message.Kind = .regular
  ) throws {
    try happens(.message(Message.Key(channel, id), .sent(Message.Content(text, kind: kind))), by: user)
  }

  private func finds(
    _ query: String, in channel: Channel.ID? = nil, by author: User.ID? = nil, for viewer: User.ID? = nil
  ) throws -> [Message.ID] {
    try projections.read { reading throws(ProjectionError) in
      let page = try reading.chat.messages(matching: query, in: channel, by: author, limit: 10, for: viewer)
      return page.messages.map(\.key.id)
    }
  }

  @Test func `a search finds messages by prefixes of all their words, the newest first`() throws {
    try says("Hello, World!", as: "m1")
    try says("Größe und Wörter, hello", as: "m2", in: "random", by: "bob")
    try says("東京都の天気", as: "m3")
    #expect(try finds("hel wor") == ["m2", "m1"])
    #expect(try finds("GROSSE") == ["m2"])
    #expect(try finds("京都") == ["m3"])
    #expect(try finds("orld") == [])
    #expect(try finds("hello", in: "general") == ["m1"])
    #expect(try finds("hello", by: "bob") == ["m2"])
    #expect(try finds("hello", in: "general", by: "bob") == [])
    #expect(try finds("") == [] && finds(" !") == [])
  }

  @Test func `a search matches the present text of a message, not its former ones`() throws {
    let key = Message.Key("general", "m1")
    try says("first", as: "m1")
    try says("another first", as: "m2")
    try happens(.message(key, .edited(Message.Edits(text: "second"))), by: "bob")
    #expect(try finds("first") == ["m2"])
    #expect(try finds("second", by: "ada") == ["m1"])
    #expect(try finds("second", by: "bob") == [])
    // The message has its first text again: it is found once, at its newest text.
    try happens(.message(key, .edited(Message.Edits(text: "first"))))
    #expect(try finds("first") == ["m1", "m2"])
    try happens(.message(key, .edited(Message.Edits(extra: ["mood": "fine"]))))
    #expect(try finds("first") == ["m1", "m2"])
  }

  @Test func `a search does not find deleted or truncated messages, nor those of channels without search`() throws {
    for (number, id) in (["m1", "m2", "m3", "m4"] as [Message.ID]).enumerated() {
      try says("word \(number)", as: id)
    }
    try happens(.channel("general", .truncated(through: Message.Number(rawValue: 1))))
    try happens(.message(Message.Key("general", "m2"), .deleted(forGood: false)))
    try happens(.message(Message.Key("general", "m3"), .deleted(forGood: true)))
    #expect(try finds("word") == ["m4"])
    try happens(.message(Message.Key("general", "m2"), .restored))
    #expect(try finds("word") == ["m4", "m2"])
    var config = ChannelConfig()
    config.off.insert(.search)
    try happens(.channel("general", .configured(config)))
    #expect(try finds("word") == [])
    try happens(.channel("general", .configured(ChannelConfig())))
    #expect(try finds("word") == ["m4", "m2"])
    try happens(.channel("general", .deleted))
    #expect(try finds("word") == [])
  }

  @Test func `a search finds ephemeral messages for their author only`() throws {
    try says("secret", as: "m1", kind: .ephemeral)
    #expect(try finds("secret") == [] && finds("secret", for: "bob") == [])
    #expect(try finds("secret", for: "ada") == ["m1"])
    try happens(.message(Message.Key("general", "m1"), .ephemeralSent))
    #expect(try finds("secret", for: "bob") == ["m1"])
  }

  @Test func `a search compares words longer than the kept length in full`() throws {
    let long = String(repeating: "a", count: 60)
    try says(UserText(long + "b"), as: "m1")
    try says(UserText(long + "c"), as: "m2")
    #expect(try finds(long + "b") == ["m1"])
    #expect(try finds(long) == ["m2", "m1"])
  }

  @Test func `a search continues after its cursor, whatever is appended in between`() throws {
    for number in 1...5 { try says("word", as: ID(stringLiteral: "m\(number)")) }
    var page = try page(after: nil)
    #expect(page.messages.map(\.key.id) == ["m5", "m4"])
    try says("word", as: "m6")
    try happens(.message(Message.Key("general", "m3"), .deleted(forGood: true)))
    page = try self.page(after: page.next)
    #expect(page.messages.map(\.key.id) == ["m2", "m1"])
    #expect(page.next == nil)
  }

  private func page(after cursor: SearchCursor?) throws -> SearchPage {
    try projections.read { reading throws(ProjectionError) in
      try reading.chat.messages(matching: "word", after: cursor, limit: 2)
    }
  }

  @Test func `a search with a limit of zero or less finds nothing`() throws {
    try says("word", as: "m1")
    try projections.read { reading throws(ProjectionError) in
      for limit in [0, -1, .min] {
        let page = try reading.chat.messages(matching: "word", limit: limit)
        #expect(page.messages.isEmpty && page.next == nil)
      }
    }
  }

  @Test func `a stopped search projection still finds earlier messages`() throws {
    try says("word", as: "m1")
    _ =
      try store.appendBlocking([ProposedEvent(stream: "channel/general", type: "messageSent.1", payload: [255])])
      as Receipt
    let alone = try ProjectionStore(of: store, [ChatSearch.self], at: scratch.path + "/alone")
    try alone.catchUp()
    #expect(alone.stops.map(\.projection) == ["search"])
    #expect(try finds("word") == ["m1"])
  }
}
