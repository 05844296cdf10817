// Runs every query of a user on every row, and checks each result against what the user may see.
import Chat
import ChatSamples
import ChatProjections
import EventLog
import SeededRandom
import Testing
import Verbatim
import VerbatimUI

/// A user who runs all queries.
struct AccessQuestions {
  var random: SeededRandom
  let sight: Sight
  let secrets: Secrets
  let place: String
  /// The number of non-empty results and of refusals of each query.
  var answered: [String: Int] = [:]
  var refused: [String: Int] = [:]
  /// The rows of which a word was read.
  var read: Set<Secret> = []
  /// The lines of channels and threads that were read.
  private(set) var lines: [String] = []
  let users: [User.ID]
  let channels: [Channel.ID]
  let messages: [Message.Key]

  init(_ random: SeededRandom, _ sight: Sight, _ secrets: Secrets, _ place: String) {
    (self.random, self.sight, self.secrets, self.place) = (random, sight, secrets, place)
    users = ["u0", "u1", "u2", "u3", "u4", "u5", "nobody"]
    var (channels, messages): ([Channel.ID], [Message.Key]) = (["unheard-of"], [])
    for secret in secrets.all {
      switch secret {
      case .channel(let id): channels.append(id)
      case .message(let key): messages.append(key)
      default: continue
      }
    }
    self.channels = channels
    self.messages =
      messages.shuffled(using: &self.random).prefix(70) + [Message.Key(channels[channels.count - 1], "no")]
  }

  mutating func askAll(_ client: borrowing ClientReading) throws(ReadError) {
    for channel in channels { try askAbout(channel, client) }
    for message in messages { try askAbout(message, client) }
    try askAboutAll(client)
    try askAboutOwn(client)
    try askAboutPeople(client)
  }

  // MARK: One question

  /// Runs a query, and expects a refusal or a result without anything that the user may not see.
  mutating func ask<R>(
    _ question: String, refused expected: Refusal? = nil, _ body: () throws(ReadError) -> R
  ) throws(ReadError) -> R? {
    do throws(ReadError) {
      let answer = try body()
      #expect(expected == nil, "\(question) of \(sight.user) is answered, \(place)")
      let leaks = sight.leaks(in: answer, secrets, read: &read)
      #expect(leaks == [], "\(question) of \(sight.user), \(place)")
      answered[question, default: 0] += says(answer) ? 1 : 0
      return answer
    } catch {
      guard case .refused(let refusal) = error else { throw error }
      #expect(refusal == expected, "\(question) of \(sight.user), \(place)")
      refused[question, default: 0] += 1
      return nil
    }
  }

  /// Reads all pages of a query.
  mutating func askPages<Page, Cursor>(
    _ question: String, refused expected: Refusal? = nil, next: (Page) -> Cursor?,
    _ body: (Cursor?, Int) throws(ReadError) -> Page
  ) throws(ReadError) {
    let limit = 1 + random.below(6)
    var (cursor, pages): (Cursor?, Int) = (nil, 0)
    repeat {
      let page = try ask(question, refused: expected) { () throws(ReadError) in try body(cursor, limit) }
      cursor = page.flatMap { next($0) }
      pages += 1
    } while cursor != nil && pages < 500
    #expect(pages < 500, "\(question) of \(sight.user), \(place)")
  }

  /// Returns whether a result contains anything: a row, rows, or an unread count.
  private func says(_ answer: Any) -> Bool {
    if let unread = answer as? Unread { return unread != .none }
    let mirror = Mirror(reflecting: answer)
    if mirror.displayStyle == .optional || mirror.displayStyle == .collection { return !mirror.children.isEmpty }
    guard let first = mirror.children.first?.value else { return false }
    let rows = Mirror(reflecting: first)
    return rows.displayStyle != .collection || !rows.children.isEmpty
  }
}

// MARK: Channels

extension AccessQuestions {
  private mutating func askAbout(_ id: Channel.ID, _ client: borrowing ClientReading) throws(ReadError) {
    let refusal = sight.refusal(in: id)
    _ = try ask("channel(_:)", refused: refusal) { () throws(ReadError) in try client.channel(id) }
    _ = try ask("unread(in:)", refused: refusal) { () throws(ReadError) in try client.unread(in: id) }
    _ = try ask("firstUnread(in:)", refused: refusal) { () throws(ReadError) in try client.firstUnread(in: id) }
    _ = try ask("typing(in:thread:)", refused: refusal) { () throws(ReadError) in try client.typing(in: id) }
    for user in users {
      _ = try ask("member(_:)", refused: refusal) { () throws(ReadError) in try client.member(Member.Key(id, user)) }
    }
    try askPages("members(of:in:after:limit:)", refused: refusal, next: { $0.next }) { next, limit throws(ReadError) in
      try client.members(of: id, after: next, limit: limit)
    }
    try askPages("markers(in:after:limit:)", refused: refusal, next: { $0.next }) { next, limit throws(ReadError) in
      try client.markers(in: id, after: next, limit: limit)
    }
    _ = try ask("members(of:matching:limit:)", refused: refusal) { () throws(ReadError) in
      try client.members(of: id, matching: "")
    }
    _ = try ask("users(matching:in:limit:)", refused: refusal) { () throws(ReadError) in
      try client.users(matching: "", in: id)
    }
    try askPages("messages(in:_:limit:)", refused: refusal, next: { $0.older }) { next, limit throws(ReadError) in
      try client.messages(in: id, next.map { .before($0) } ?? .latest, limit: limit)
    }
    _ = try ask("messages(in:_:limit:)", refused: refusal) { () throws(ReadError) in
      try client.messages(in: id, .after(.zero), limit: 5)
    }
    try askPages("conversation(in:thread:_:limit:)", refused: refusal, next: { $0.older }) {
      next, limit throws(ReadError) in
      try client.conversation(in: id, next.map { .before($0) } ?? .latest, limit: limit)
    }
    try askPages("pinned(in:after:limit:)", refused: refusal, next: { $0.next }) { next, limit throws(ReadError) in
      try client.pinned(in: id, after: next, limit: limit)
    }
    try askPages("messages(matching:in:by:after:limit:)", refused: refusal, next: { $0.next }) {
      next, limit throws(ReadError) in
      try client.messages(matching: "secret", in: id, after: next, limit: limit)
    }
    _ = try ask("ban(in:)") { () throws(ReadError) in try client.ban(in: id) }
    let scope = Ban.Scope.channel(id)
    try askPages("bans(from:after:limit:)", refused: sight.refusal(bansFrom: scope), next: { $0.next }) {
      next, limit throws(ReadError) in
      try client.bans(from: scope, after: next, limit: limit)
    }
    let reviewing = sight.refusal(of: .moderate, in: id)
    try askPages("openReviews(in:after:limit:)", refused: reviewing, next: { $0.next }) {
      next, limit throws(ReadError) in
      try client.openReviews(in: id, after: next, limit: limit)
    }
  }
}

// MARK: Messages

extension AccessQuestions {
  private mutating func askAbout(_ key: Message.Key, _ client: borrowing ClientReading) throws(ReadError) {
    let (there, known) = (sight.refusal(of: key), sight.refusal(knowing: key))
    let message = try ask("message(_:)", refused: there) { () throws(ReadError) in try client.message(key) }
    if var message, sight.refusal(reading: key) == nil {
      // In the past, the message has its present deletion state.
      if sight.today != nil, let presence = sight.state[key]?.presence { message.presence = presence }
      var expected = sight.state[key]
      // The reason of a failed delivery is the author's.
      if case .failed? = expected?.delivery, expected?.author != sight.user { expected?.delivery = .failed(reason: "") }
      #expect(message == expected, "\(key) of \(sight.user), \(place)")
    }
    _ = try ask("messages(in:_:limit:)", refused: known) { () throws(ReadError) in
      try client.messages(in: key.channel, .around(key.id), limit: 5)
    }
    try askPages("replies(to:_:limit:)", refused: known, next: { $0.older }) { next, limit throws(ReadError) in
      try client.replies(to: key, next.map { .before($0) } ?? .latest, limit: limit)
    }
    _ = try ask("replies(to:_:limit:)", refused: known) { () throws(ReadError) in
      try client.replies(to: key, .around(key.id), limit: 5)
    }
    _ = try ask("conversation(in:thread:_:limit:)", refused: known) { () throws(ReadError) in
      try client.conversation(in: key.channel, thread: key.id, limit: 5)
    }
    _ = try ask("typing(in:thread:)", refused: known) { () throws(ReadError) in
      try client.typing(in: key.channel, thread: key.id)
    }
    try askPages("reactions(to:as:after:limit:)", refused: sight.refusal(reading: key), next: { $0.next }) {
      next, limit throws(ReadError) in
      try client.reactions(to: key, after: next, limit: limit)
    }
    try askPages("readers(of:after:limit:)", refused: there, next: { $0.next }) { next, limit throws(ReadError) in
      try client.readers(of: key, after: next, limit: limit)
    }
    try askPages("receivers(of:after:limit:)", refused: there, next: { $0.next }) { next, limit throws(ReadError) in
      try client.receivers(of: key, after: next, limit: limit)
    }
    _ = try ask("biography(of:)", refused: sight.refusal(biographyOf: key)) { () throws(ReadError) in
      try client.biography(of: key)
    }
    _ = try ask("draft(in:thread:)") { () throws(ReadError) in try client.draft(in: key.channel, thread: key.id) }
    _ = try ask("review(of:)", refused: sight.refusal(reviewing: .message(key))) { () throws(ReadError) in
      try client.review(of: .message(key))
    }
    _ = try ask("savedMessage(_:)") { () throws(ReadError) in try client.savedMessage(key) }
    _ = try ask("threadMarker(in:)", refused: known) { () throws(ReadError) in try client.threadMarker(in: key) }
    let reading = sight.refusal(reading: key)
    _ = try ask("vote(in:)", refused: reading) { () throws(ReadError) in try client.vote(in: key) }
    let hasPoll = sight.state[key]?.poll != nil
    try askPages("votes(in:for:after:limit:)", refused: reading ?? (hasPoll ? nil : .noPoll(key)), next: { $0.next }) {
      next, limit throws(ReadError) in
      try client.votes(in: key, after: next, limit: limit)
    }
  }
}

// MARK: All channels, one's own, people

extension AccessQuestions {
  private mutating func askAboutAll(_ client: borrowing ClientReading) throws(ReadError) {
    for order in [.lastActivity, .unreadFirst, .name] as [ChannelOrder] {
      try askPages("channels(where:by:after:limit:)", next: { $0.next }) { next, limit throws(ReadError) in
        try client.channels(where: ChannelFilter(isHidden: nil), by: order, after: next, limit: limit)
      }
    }
    for item in try client.channels(where: ChannelFilter(isHidden: nil), limit: 9).channels { note(item.line) }
    for item in try client.threads(limit: 9).threads { note(item.line) }
    let all = try ask("unread()") { () throws(ReadError) in try client.unread() }
    var sum = Unread.none
    for channel in channels where sight.refusal(in: channel) == nil {
      let mute = sight.state[Mute.Key(by: sight.user, of: .channel(channel))]
      guard mute?.holds(at: sight.instant) != true else { continue }
      let unread = try client.unread(in: channel)
      sum = Unread(messages: sum.messages + unread.messages, mentions: sum.mentions + unread.mentions)
    }
    #expect(all == sum, "what waits for \(sight.user), \(place)")
    try askPages("mentions(after:limit:)", next: { $0.next }) { next, limit throws(ReadError) in
      try client.mentions(after: next, limit: limit)
    }
    try askPages("threads(after:limit:)", next: { $0.next }) { next, limit throws(ReadError) in
      try client.threads(after: next, limit: limit)
    }
    let author = random.maybe { [users] random in random.pick(users) }
    try askPages("messages(matching:in:by:after:limit:)", next: { $0.next }) { next, limit throws(ReadError) in
      try client.messages(matching: "secret", by: author, after: next, limit: limit)
    }
    try askPages("bans(from:after:limit:)", refused: sight.refusal(bansFrom: .everywhere), next: { $0.next }) {
      next, limit throws(ReadError) in
      try client.bans(from: .everywhere, after: next, limit: limit)
    }
  }

  private mutating func note(_ line: ItemLine) {
    let kind =
      switch line {
      case .failed: "failed"
      case .draft: "draft"
      case .typing: "typing"
      case .message: "message"
      case .deleted: "deleted"
      case .nothing: "nothing"
      }
    lines.append("listed \(kind)")
  }

  private mutating func askAboutOwn(_ client: borrowing ClientReading) throws(ReadError) {
    for channel in channels + [nil] {
      if let channel { _ = try ask("draft(in:thread:)") { () throws(ReadError) in try client.draft(in: channel) } }
      _ = try ask("composers(in:)") { () throws(ReadError) in try client.composers(in: channel) }
      try askPages("commands(in:after:limit:)", next: { $0.next }) { next, limit throws(ReadError) in
        try client.commands(in: channel, after: next, limit: limit)
      }
    }
    try askPages("drafts(sorting:after:offset:limit:)", next: { $0.next }) { next, limit throws(ReadError) in
      try client.drafts(after: next, limit: limit)
    }
    _ = try ask("openComposers()") { () throws(ReadError) in try client.openComposers() }
    _ = try ask("consumers()") { () throws(ReadError) in try client.consumers() }
    for consumer in ["b0", "b1", "b2", "club-u0", "club-u1"] as [Consumer.ID] {
      _ = try ask("consumer(_:)") { () throws(ReadError) in try client.consumer(consumer) }
    }
    for withDeclined in [false, true] {
      _ = try ask("invitations(withDeclined:)") { () throws(ReadError) in
        try client.invitations(withDeclined: withDeclined)
      }
    }
    try askPages("publicChannels(matching:after:limit:)", next: { $0.next }) { next, limit throws(ReadError) in
      try client.publicChannels(after: next, limit: limit)
    }
    let blocked = try ask("blockedUsers()") { () throws(ReadError) in try client.blockedUsers() }
    #expect(blocked == sight.blockedUsers, "whom \(sight.user) blocks, \(place)")
    try askPages("savedMessages(after:limit:)", next: { $0.next }) { next, limit throws(ReadError) in
      try client.savedMessages(after: next, limit: limit)
    }
    _ = try ask("scheduledMessages()") { () throws(ReadError) in try client.scheduledMessages() }
    let everywhere = sight.refusal(bansFrom: .everywhere)
    try askPages("openReviews(in:after:limit:)", refused: everywhere, next: { $0.next }) {
      next, limit throws(ReadError) in
      try client.openReviews(in: nil, after: next, limit: limit)
    }
    for user in users {
      _ = try ask("review(of:)", refused: everywhere) { () throws(ReadError) in try client.review(of: .user(user)) }
    }
    _ = try ask("mutes()") { () throws(ReadError) in try client.mutes() }
    for target in channels.map({ Mute.Target.channel($0) }) + users.map({ .user($0) }) {
      _ = try ask("mute(of:)") { () throws(ReadError) in try client.mute(of: target) }
    }
  }

  private mutating func askAboutPeople(_ client: borrowing ClientReading) throws(ReadError) {
    for user in users { _ = try ask("user(_:)") { () throws(ReadError) in try client.user(user) } }
    _ = try ask("users(matching:in:limit:)") { () throws(ReadError) in try client.users(matching: "a") }
  }
}
