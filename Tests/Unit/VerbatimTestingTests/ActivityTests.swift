// Threat: an app's projection and its test do not compile or hold as its author writes them, with two imports.
import Testing
import VerbatimTesting

/// Counts the messages of users in channels, and stores which reactions each channel has seen.
private struct Activity: ChatProjection {
  static let name = "activity"
  static let revision = "1"

  struct Key: Codable, Hashable {
    var channel: Channel.ID
    var user: User.ID
  }

  struct Count: Codable, Hashable {
    var messages = 0
    var characters = 0
    var last: Timestamp?
  }

  static let counts = CodableTable<Activity, Key, Count>("counts")
  static let reactions = CodableTable<Activity, Channel.ID, Set<String>>("reactions")
  static let tables: [any DeclaredTable] = [counts, reactions]

  let rows: ProjectionRows

  func fold(_ event: ChatEvent, at _: Position) throws {
    switch event.change {
    case .message(let key, .sent(let content)):
      guard let user = event.origin.actor.user else { return }
      try rows.update(Key(channel: key.channel, user: user), in: Self.counts, default: Count()) { count in
        count.messages += 1
        count.characters += content.text.string.count
        count.last = event.origin.at
      }
    case .reaction(let key, .added(let kind, _)):
      try rows.update(key.message.channel, in: Self.reactions, default: []) { _ = $0.insert(kind.text) }
    case .channel(let id, .deleted):
      for (key, _) in try rows.rows(in: Self.counts, under: id) { try rows.removeRow(of: key, in: Self.counts) }
      try rows.removeRow(of: id, in: Self.reactions)
    default: break
    }
  }
}

/// Stores rows under texts of which one begins the others, and the texts found under it.
private struct Prefixed: ChatProjection {
  static let name = "prefixed"
  static let revision = "1"

  struct Key: Codable, Hashable {
    var text: String
    var number: Int
  }

  static let texts = CodableTable<Prefixed, Key, Int>("texts")
  static let found = CodableTable<Prefixed, Int, [String]>("found")
  static let tables: [any DeclaredTable] = [texts, found]

  let rows: ProjectionRows

  func fold(_ event: ChatEvent, at _: Position) throws {
    guard case .message(_, .sent) = event.change else { return }
    for text in ["a", "a\u{0}", "a\u{0}b", "ab"] { try rows.set(1, for: Key(text: text, number: -1), in: Self.texts) }
    try rows.set(rows.rows(in: Self.texts, under: "a").map(\.key.text), for: 0, in: Self.found)
  }
}

/// Stores a list in the order of a set: not deterministic.
private struct Shuffled: ChatProjection {
  static let name = "shuffled"
  static let revision = "1"
  static let texts = CodableTable<Shuffled, Int, [String]>("texts")
  static let tables: [any DeclaredTable] = [texts]

  let rows: ProjectionRows

  func fold(_ event: ChatEvent, at _: Position) throws {
    guard case .message(_, .sent(let content)) = event.change else { return }
    try rows.update(0, in: Self.texts, default: []) { $0 = Array(Set($0).union([content.text.string])) }
  }
}

/// Stops before each message, whose row no key can hold.
private struct Stopping: ChatProjection {
  static let name = "stopping"
  static let revision = "1"
  static let texts = CodableTable<Stopping, String, Int>("texts")
  static let tables: [any DeclaredTable] = [texts]

  let rows: ProjectionRows

  func fold(_ event: ChatEvent, at _: Position) throws {
    guard case .message(_, .sent(let content)) = event.change else { return }
    try rows.set(1, for: String(repeating: content.text.string, count: 600), in: Self.texts)
  }
}

@Suite struct `A projection of Codable rows` {
  private let chat: TestWorkspace

  init() async throws {
    chat = try TestWorkspace { $0.projections = [Activity.self, Prefixed.self] }
    try await chat.client(user: "ada").me.create(name: "Ada")
    try await chat.client(user: "ben").me.create(name: "Ben")
    try await chat.client(user: "ada").channel("general").create(members: ["ben"])
    for (user, text) in [("ada", "Hello"), ("ben", "Hi"), ("ada", "How are you?")] as [(User.ID, UserText)] {
      chat.clock.advance(by: .seconds(1))
      try await chat.client(user: user).channel("general").send(Message.Content(text))
    }
  }

  @Test func `rows are read by key, in order, and by the first fields of a key`() async throws {
    let end = chat.clock.now
    try await chat.workspace.read { reading in
      let key = Activity.Key(channel: "general", user: "ada")
      #expect(try reading.row(of: key, in: Activity.counts) == Activity.Count(messages: 2, characters: 17, last: end))
      let all = try reading.rows(in: Activity.counts)
      #expect(all.map(\.key.user) == ["ada", "ben"] && all.map(\.row.messages) == [2, 1])
      #expect(try reading.rows(in: Activity.counts, .downwards, limit: 1).map(\.key.user) == ["ben"])
      #expect(
        try reading.rows(in: Activity.counts, under: "general" as Channel.ID, .downwards).map(\.key.user) == [
          "ben", "ada",
        ])
      #expect(try reading.rows(in: Activity.counts, under: "gen" as Channel.ID).isEmpty)
    }
  }

  // What broke: a text that continues with a zero byte has the encoding of the shorter one as a prefix, so that its
  // rows were returned with those of the shorter one.
  @Test func `the rows under a text are not those of a longer one`() async throws {
    try await chat.workspace.read { reading in
      for text in ["a", "a\u{0}"] {
        for order in [RowOrder.upwards, .downwards] {
          let rows = try reading.rows(in: Prefixed.texts, under: text, order)
          #expect(rows.map(\.key.text) == [text])
        }
      }
      let found = try reading.row(of: 0, in: Prefixed.found)
      #expect(found == ["a"])
    }
  }

  @Test func `rows are removed, and are the same after the workspace was opened again`() async throws {
    try await chat.reopen()
    #expect(try await chat.workspace.read { try $0.rows(in: Activity.counts).count } == 2)
    try await chat.client(user: "ada").channel("general").delete()
    #expect(try await chat.workspace.read { try $0.rows(in: Activity.counts).isEmpty })
  }

  @Test func `a deterministic projection holds, and one that depends on the order of a set does not`() async throws {
    for text in ["one", "two", "three", "four", "five", "six"] as [UserText] {
      let message = try await chat.client(user: "ada").channel("general").send(Message.Content(text))
      try await chat.client(user: "ben").channel("general").react(to: message.key.id, "like")
    }
    try chat.expectDeterministic(Activity.self)
    let failure = #expect(throws: TestFailure.self) { try chat.expectDeterministic(Shuffled.self) }
    #expect(failure?.description.contains("shuffled.texts") == true, "\(String(describing: failure))")
  }

  @Test func `a projection that stops is reported with its event`() throws {
    let failure = #expect(throws: TestFailure.self) { try chat.expectDeterministic(Stopping.self) }
    #expect(failure?.description.contains("stopping") == true, "\(String(describing: failure))")
  }

  @Test func `ids and times are the same for the same seed`() async throws {
    var ids: [[String]] = []
    for seed in [7, 7, 8] as [UInt64] {
      let chat = try TestWorkspace(seed: seed)
      ids.append((0..<3).map { _ in chat.workspace.newID(for: Message.self).text })
    }
    #expect(ids[0] == ids[1] && ids[0] != ids[2])
  }
}

@Suite struct `A test of a decision` {
  private let hello = Message.Key("general", "m1")

  private func populated() throws -> DecisionTest {
    try DecisionTest()
      .given(.user("ada", .create(User.Profile(name: "Ada"))), by: .user("ada"))
      .given(.channel("general", .create("team", Channel.Profile(), ChannelConfig(), members: [])), by: .user("ada"))
  }

  @Test func `expected events, no-ops and refusals hold`() throws {
    try populated()
      .when(.message(hello, .send(Message.Content("Hello"))), by: .user("ada"))
      .then(.message(hello, .sent(Message.Content("Hello"))))
      .when(.message(hello, .send(Message.Content("Hello"))), by: .user("ada")).thenNothing()
      .when(.message(hello, .send(Message.Content(""))), by: .user("ben")).thenRefused(.unknownUser("ben"))
  }

  @Test func `every other outcome fails with one sentence`() throws {
    let sending = try populated().when(.message(hello, .send(Message.Content("Hello"))), by: .user("ada"))
    let refused = try populated().when(.message(hello, .send(Message.Content(""))), by: .user("ada"))
    let checks: [() throws -> Void] = [
      { try sending.then(.message(hello, .sent(Message.Content("Bye")))) }, { try sending.thenNothing() },
      { try sending.thenRefused(.emptyMessage) }, { try refused.then() }, { try refused.thenNothing() },
      { try refused.thenRefused(.notAdministrator) },
      { _ = try populated().given(.message(hello, .send(Message.Content(""))), by: .user("ada")) },
    ]
    for check in checks { #expect(throws: TestFailure.self) { try check() } }
  }
}
