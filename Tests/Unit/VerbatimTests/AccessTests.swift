// Threat: a user reads another's data: a channel, an ephemeral message, a draft, a composer, a deleted message.
import Chat
import ChatSamples
import ChatProjections
import Foundation
import SeededRandom
import Testing
import Verbatim

@Suite struct `All queries of a user` {
  /// Random events of users in a few channels, with a unique word in every row.
  private struct Recorded {
    let house: AccessHouse
    var secrets = Secrets()
    var random: SeededRandom
    var typed: [Timestamp] = []

    init(_ random: SeededRandom, steps: Int) throws {
      self.random = random
      var rules = Rules.tight
      rules.memberCapabilities["listener"] = [.react]
      if self.random.bool() { rules.memberCapabilities[.member]?.remove(.deleteOwn) }
      if self.random.bool() { rules.memberCapabilities[.moderator]?.remove(.deleteAny) }
      house = try AccessHouse(rules)
      var state = InMemoryChatState(rules: rules)
      for event in acquaintance() + clubEvents() {
        fold(event, into: &state)
        try record(event)
      }
      var history = History(random, from: state, after: 40, at: .accessStart)
      for _ in 0..<steps { history.step() }
      for event in history.events { try record(event) }
      for event in seldom(after: history) { try record(event) }
    }

    private mutating func record(_ event: ChatEvent) throws {
      if case .composer = event.change { typed.append(event.origin.at) }
      try house.happens(secrets.marking(event))
    }

    /// Creates all users, as members of some of the first channels.
    private func acquaintance() -> [ChatEvent] {
      let users: [User.ID] = ["u0", "u1", "u2", "u3", "u4", "u5"]
      var changes = users.map { ChatEvent.Change.user($0, .created(User.Profile(name: "Ada"), .user)) }
      for (number, channel) in (["c0", "c1", "c2"] as [Channel.ID]).enumerated() {
        changes.append(.channel(channel, .created("team", Channel.Profile(name: "General"), ChannelConfig())))
        for (place, user) in users.enumerated() where place != number + 1 {
          let role: Role = place == 0 ? .owner : place == number + 3 ? "listener" : .member
          changes.append(.member(Member.Key(channel, user), .added(role)))
        }
      }
      return changes.map { ChatEvent($0, EventOrigin(by: .system, at: .accessStart)) }
    }

    /// Returns events of a public channel that the random events leave alone: users vote, reply, read the thread, save,
    /// schedule, flag and block, so that the queries of these have results throughout the history.
    private func clubEvents() -> [ChatEvent] {
      let (club, parent) = ("club" as Channel.ID, Message.Key("club", "poll"))
      let author = EventOrigin(by: .user("u0"), at: .accessStart)
      let options = [Poll.Option("o0", "Yes"), Poll.Option("o1", "No")]
      let profile = Channel.Profile(name: "Club")
      var events = [
        ChatEvent(.channel(club, .created("team", profile, ChannelConfig(isPublic: true))), author),
        ChatEvent(.member(Member.Key(club, "u0"), .added(.owner)), author),
        ChatEvent(.member(Member.Key(club, "u1"), .added(.moderator)), author),
        ChatEvent(.member(Member.Key(club, "u2"), .added(.member)), author),
        ChatEvent(.member(Member.Key(club, "u3"), .added(.member)), author),
        ChatEvent(.member(Member.Key(club, "u4"), .invited(.member)), author),
        ChatEvent(.member(Member.Key(club, "u5"), .invited(.member)), author),
        ChatEvent(.message(parent, .sent(Message.Content("Chess?"))), author),
        ChatEvent(.message(parent, .pollOpened(options, Poll.Rules())), author),
      ]
      for (number, user) in (["u0", "u1", "u2", "u3"] as [User.ID]).enumerated() {
        let origin = EventOrigin(by: .user(user), at: .accessStart)
        let reply = Message.Key(club, ID(stringLiteral: "reply-\(user)"))
        let later = Message.Key(club, ID(stringLiteral: "later-\(user)"))
        let other = ID<User>(stringLiteral: "u\(number + 2)")
        let time = Timestamp.accessStart + .seconds(9)
        let changes: [ChatEvent.Change] = [
          .vote(Vote.Key(in: parent, by: user), .cast(["o0"])),
          .message(reply, .sent(Message.Content("re", parent: parent.id))),
          .thread(ThreadMarker.Key(of: user, in: parent), .read(through: reply.id)),
          .saved(SavedMessage.Key(by: user, parent), .saved(note: nil, remindAt: nil)),
          .scheduled(ScheduledMessage.Key(by: user, later), .scheduled(Message.Content("later"), at: time)),
          .block(UserBlock.Key(by: user, of: other), .began),
          .flag(Flag.Key(by: user, on: .message(parent)), .raised(reason: nil)),
          .flag(Flag.Key(by: user, on: .message(reply)), .raised(reason: nil)),
          .review(.message(reply), .resolved(.acted, note: nil)),
          .consumer(ID(stringLiteral: "club-\(user)"), .began(after: 0)),
        ]
        events += changes.map { ChatEvent($0, origin) }
      }
      return events
    }

    /// Adds rare events, some of which are never decided but could be in the log of another program.
    private mutating func seldom(after history: History) -> [ChatEvent] {
      let stamp = EventOrigin(by: .system, at: history.world.now)
      var events: [ChatEvent] = []
      for case .message(let key) in secrets.all {
        guard let message = history.state[key], message.presence == .present else { continue }
        let somebody = EventOrigin(by: .user(ID(stringLiteral: "u\(random.below(6))")), at: stamp.at)
        let author = message.author.map { EventOrigin(by: .user($0), at: stamp.at) }
        if message.content.kind == .ephemeral {
          let reply = Message.Key(key.channel, ID(stringLiteral: "re-\(key.id)"))
          events.append(ChatEvent(.message(key, .pinned(.endless)), stamp))
          events.append(ChatEvent(.message(reply, .sent(Message.Content("re", parent: key.id))), somebody))
          events.append(ChatEvent(.reaction(Reaction.Key(to: key, by: "u2"), .added("like", score: 1)), stamp))
        }
        switch random.below(8) {
        case 0: events.append(ChatEvent(.message(key, .deleted(forGood: false)), author ?? stamp))
        case 1: events.append(ChatEvent(.message(key, .deleted(forGood: false)), somebody))
        case 2: events.append(ChatEvent(.message(key, .pinned(.endless)), stamp))
        case 3: events.append(ChatEvent(.message(key, .failed(reason: "offline")), author ?? stamp))
        default: continue
        }
      }
      for case .composer(let key) in secrets.all {
        let stamp = EventOrigin(by: .user(key.user), at: stamp.at)
        events.append(ChatEvent(.composer(key, .extraSet([:])), stamp))
        events.append(ChatEvent(.composer(key, .typed(Splice(.start ..< .start, to: "a"))), stamp))
      }
      for channel in ["c0", "c1", "c2"] as [Channel.ID] {
        let scope = random.once(in: 4) ? Ban.Scope.everywhere : .channel(channel)
        let key = Ban.Key(of: ID(stringLiteral: "u\(random.below(6))"), from: scope)
        events.append(ChatEvent(.ban(key, .imposed(.endless, reason: nil)), stamp))
      }
      return events
    }

    /// Runs all queries of all users.
    mutating func askAll(_ coverage: inout AccessCoverage) throws {
      let (state, seed) = (try house.state(), random.seed)
      for user in ["u0", "u1", "u2", "u3", "u4", "u5"] as [User.ID] {
        let end = typed.last ?? .accessStart
        let instant = random.bool() ? end : random.pick(typed + [end]) + .seconds(1)
        let sight = Sight(user: user, state: state, instant: instant)
        var questions = AccessQuestions(random, sight, secrets, "seed \(seed)")
        if state[user]?.isDeactivated == true {
          let error = #expect(throws: ReadError.self) { try house.read(as: user, at: instant) { $0.position } }
          guard case .refused(.userDeactivated(user)) = error else {
            Issue.record("\(user) is deactivated and not refused, seed \(seed)")
            continue
          }
          continue
        }
        try house.read(as: user, at: instant) { client in try questions.askAll(client) }
        random = questions.random
        coverage.add(questions, in: state)
      }
    }

    /// Runs all queries of all users on the past, some fifths of the log ago.
    mutating func askAllOfThePast(_ fifths: UInt64, _ coverage: inout AccessCoverage) throws {
      let end = try house.end()
      let position = Position(rawValue: end.rawValue * fifths / 5)
      let (today, past, seed) = (try house.state(), try house.state(at: position), random.seed)
      let (instant, now) = (try house.instant(of: position), try house.instant(of: end))
      for user in ["u0", "u1", "u2", "u3", "u4", "u5"] as [User.ID] {
        if today[user]?.isDeactivated == true {
          #expect(throws: ReadError.self) { try house.read(as: user, past: position, now: now) { $0.position } }
          continue
        }
        let sight = Sight(user: user, state: past, instant: instant, today: (today, now))
        var questions = AccessQuestions(random, sight, secrets, "seed \(seed), position \(position)")
        try house.read(as: user, past: position, now: now) { client in try questions.askAll(client) }
        random = questions.random
        coverage.add(questions, in: past)
      }
    }
  }

  // Reads of the past used the roles and memberships of then: they returned messages that were permanently deleted
  // since, and users who had left a channel still read there. Now the present permissions decide.
  @Test func `reads of the past return only what the user may see today`() throws {
    var coverage = AccessCoverage()
    for seed in [1, 3] as [UInt64] {
      var recorded = try Recorded(SeededRandom(seed: seed), steps: 600)
      for share in [2, 4] as [UInt64] { try recorded.askAllOfThePast(share, &coverage) }
    }
    let read = ["message of another", "deleted message", "own saved note", "own scheduled message", "review note"]
    #expect(read.filter { coverage.read[$0] == nil } == [])
    let answered = [
      "blockedUsers()", "consumer(_:)", "consumers()", "invitations(withDeclined:)", "openReviews(in:after:limit:)",
      "publicChannels(matching:after:limit:)", "review(of:)", "savedMessage(_:)", "savedMessages(after:limit:)",
      "scheduledMessages()", "threadMarker(in:)", "threads(after:limit:)", "vote(in:)", "votes(in:for:after:limit:)",
    ]
    #expect(coverage.unanswered(of: answered) == [])
  }

  @Test func `reads return only what the user may see`() throws {
    var random = SeededRandom.printingSeed()
    var coverage = AccessCoverage()
    let isLong = ProcessInfo.processInfo.environment["VERBATIM_LONG_TESTS"] != nil
    for _ in 0..<(isLong ? 100 : 10) {
      var recorded = try Recorded(SeededRandom(seed: random.next()), steps: 300 + random.below(900))
      try recorded.askAll(&coverage)
    }
    print("read: \(coverage.read), answered: \(coverage.answered)")
    #expect(coverage.unanswered(of: try Questions.ofClient()) == [], "seed \(random.seed)")
    #expect(coverage.missing == [], "seed \(random.seed)")
  }

  @Test(arguments: 1...2 as ClosedRange<UInt64>)
  func `reads return only what the user may see, in fixed histories`(seed: UInt64) throws {
    var coverage = AccessCoverage()
    var recorded = try Recorded(SeededRandom(seed: seed), steps: 700)
    try recorded.askAll(&coverage)
  }
}

/// The queries that were run, and the kinds of rows that were read.
private struct AccessCoverage {
  private(set) var answered: [String: Int] = [:]
  private(set) var read: [String: Int] = [:]

  mutating func add(_ questions: AccessQuestions, in state: InMemoryChatState) {
    answered.merge(questions.answered, uniquingKeysWith: +)
    for line in questions.lines { count(line) }
    let user = questions.sight.user
    for secret in questions.read {
      switch secret {
      case .message(let key):
        let message = state[key]
        count(message?.author == user ? "own message" : "message of another")
        if message?.content.kind == .ephemeral { count("own ephemeral message") }
        if case .deleted = message?.presence { count("deleted message") }
      case .draft: count("own draft")
      case .composer: count("own composer")
      case .channel: count("channel")
      case .ban(let key): count(key.user == user ? "own ban" : "ban of another")
      case .saved: count("own saved note")
      case .scheduled: count("own scheduled message")
      case .review: count("review note")
      case .flag, .device: continue
      }
    }
  }

  private mutating func count(_ kind: String) { read[kind, default: 0] += 1 }

  /// Returns the queries without any result that contains something.
  func unanswered(of questions: [String]) -> [String] { questions.filter { answered[$0, default: 0] == 0 } }

  /// The kinds of rows that no user read, although one may.
  var missing: [String] {
    [
      "own message", "message of another", "own ephemeral message", "deleted message", "own draft", "own composer",
      "channel", "own ban", "ban of another", "own saved note", "own scheduled message", "review note",
      "listed failed", "listed draft", "listed typing", "listed message",
    ].filter { read[$0] == nil }
  }
}

// MARK: Which questions there are

@Suite struct `The queries of ClientReading` {
  @Test func `all queries are run by the access tests`() throws {
    let house = try AccessHouse()
    try house.happens(
      ChatEvent(.user("u0", .created(User.Profile(name: "Ada"), .user)), EventOrigin(by: .system, at: .accessStart)))
    var secrets = Secrets()
    for channel in ["c0"] as [Channel.ID] { _ = secrets.word(of: .channel(channel)) }
    let sight = Sight(user: "u0", state: try house.state(), instant: .accessStart)
    var questions = AccessQuestions(SeededRandom(seed: 1), sight, secrets, "an empty conversation")
    try house.read(as: "u0", at: .accessStart) { client in try questions.askAll(client) }
    let asked = Set(questions.answered.keys).union(questions.refused.keys)
    #expect(asked.sorted() == (try Questions.ofClient()))
  }

  @Test func `the queries are those of a ChatReading without its history, which is read from the log`() throws {
    let names = try Questions.ofConversation().map { $0.prefix { $0 != "(" } }
    let own = try Questions.ofClient().map { $0.prefix { $0 != "(" } }
    #expect(Set(names).subtracting(own) == ["history", "dues"])
    // A conversation combines the results of other queries.
    #expect(Set(own).subtracting(names) == ["conversation"])
  }
}

/// The queries declared in the sources.
private enum Questions {
  static func ofClient() throws -> [String] {
    try
      (declared(in: "Sources/App/Verbatim/Reading", "ClientReading")
      + declared(in: "Sources/App/VerbatimUI/Reading", "ClientReading")).sorted()
  }

  static func ofConversation() throws -> [String] {
    try declared(in: "Sources/Domain/ChatProjections/Reading", "ChatReading")
  }

  /// Returns the names of all public functions in a directory's files with a prefix.
  private static func declared(in folder: String, _ prefix: String) throws -> [String] {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let files = try FileManager.default.contentsOfDirectory(
      at: root.appending(path: folder), includingPropertiesForKeys: nil)
    var names: Set<String> = []
    for file in files where file.lastPathComponent.hasPrefix(prefix) {
      let text = try String(contentsOf: file, encoding: .utf8)
      let matches = text.matches(of: /public (?:borrowing |mutating )*func (\w+)\(([^{]*?)\) throws/)
      for match in matches {
        let labels = parameters(String(match.2)).map { part in part.prefix { $0 != " " && $0 != ":" } + ":" }
        names.insert("\(match.1)(\(labels.joined()))")
      }
      // A declaration in another form would be missed.
      #expect(text.matches(of: /public [^\n]*\bfunc\b/).count == matches.count, "\(file.lastPathComponent)")
    }
    return names.sorted()
  }

  /// Returns the parts between commas outside of brackets.
  private static func parameters(_ text: String) -> [String] {
    var (parts, depth): ([String], Int) = ([""], 0)
    for character in text {
      if "([<".contains(character) { depth += 1 }
      if ")]>".contains(character) { depth -= 1 }
      if character == ",", depth == 0 { parts.append("") } else { parts[parts.count - 1].append(character) }
    }
    return parts.map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }.filter { !$0.isEmpty }
  }
}
