// Queries for messages: pages, threads, pins, mentions, unread counts.
import Chat
import ChatSamples
import ChatProjections
import SeededRandom
import Testing
import Projections

extension Asking {
  mutating func askAboutMessages(_ chat: borrowing ChatReading) throws(ProjectionError) {
    for channel in channels {
      let viewer = random.maybe { [users] random in random.pick(users) }
      try askForPages(chat, of: reference.messages(in: channel, for: viewer), in: channel, thread: nil, for: viewer)
      countShown(in: channel, to: viewer)
      for instant in someInstants() {
        let limit = 1 + random.below(5)
        var (found, next): ([Message], PinCursor?) = ([], nil)
        var pages = 0
        repeat {
          let page = try chat.pinned(in: channel, at: instant, after: next, limit: limit)
          (found, next) = (found + page.messages, page.next)
        } while leads(to: next, &pages)
        expect(found, reference.pinned(in: channel, at: instant), "pinned in \(channel) at \(instant)")
        countPins(in: channel, at: instant)
      }
    }
    for parent in Set(reference.messages.compactMap { $0.parentKey }).sorted(by: { $0.id < $1.id }) {
      let viewer = random.maybe { [users] random in random.pick(users) }
      let replies = reference.replies(to: parent, for: viewer)
      try askForPages(chat, of: replies, in: parent.channel, thread: parent, for: viewer)
    }
    for user in users {
      for instant in [instants[0]] + someTypedInstants(inThreads: true) {
        try askForThreads(chat, of: user, at: instant)
      }
      let limit = 1 + random.below(5)
      var (found, next): ([Message], MentionCursor?) = ([], nil)
      var pages = 0
      repeat {
        let page = try chat.mentions(of: user, after: next, limit: limit)
        (found, next) = (found + page.messages, page.next)
      } while leads(to: next, &pages)
      expect(found, reference.mentions(of: user), "mentions of \(user)")
      countMentions(of: user)
    }
    for message in reference.messages {
      let isThere = reference.channel(message.key.channel) != nil
      expect(try chat.message(message.key), isThere ? message : nil, "message \(message.key)")
    }
    expect(try chat.failedSendDefects(), [], "the index of failed messages")
  }

  private mutating func askForPages(
    _ chat: borrowing ChatReading, of all: [Message], in channel: Channel.ID, thread: Message.Key?,
    for viewer: User.ID?
  ) throws(ProjectionError) {
    let ids = reference.messages.map(\.key.id)
    let number = Message.Number(rawValue: UInt64(random.below(40)))
    var spans: [MessageSpan] = [.latest, .before(number), .after(number), .around("none")]
    if !ids.isEmpty { spans.append(.around(random.pick(ids))) }
    let sent = reference.messages.isEmpty ? 0 : random.pick(reference.messages).sent.rawValue
    spans.append(.from(Timestamp(rawValue: sent + Int64(random.below(3)) - 1)))
    for span in spans {
      let limit = random.pick([0, 1, 2, 3, 7, 50])
      var page = MessagePage()
      if let thread {
        page = try chat.replies(to: thread, span, limit: limit, for: viewer)
      } else {
        page = try chat.messages(in: channel, span, limit: limit, for: viewer)
      }
      let expected = reference.page(of: all, span, limit: limit, from: channel)
      expect(
        page, expected,
        "\(span), \(limit) of \(channel), thread \(String(describing: thread)), for \(viewer?.text ?? "all")")
      countPage(page, span, of: channel, isThread: thread != nil)
    }
  }

  private mutating func askForThreads(
    _ chat: borrowing ChatReading, of user: User.ID, at instant: Timestamp
  ) throws(ProjectionError) {
    let limit = 1 + random.below(3)
    var (found, next): ([ThreadItem], ThreadCursor?) = ([], nil)
    var pages = 0
    repeat {
      let page = try chat.threads(of: user, at: instant, after: next, limit: limit)
      (found, next) = (found + page.threads, page.next)
    } while leads(to: next, &pages)
    expect(found, reference.threads(of: user, at: instant), "threads of \(user) at \(instant)")
    count(found, of: user)
  }

  mutating func askWhatWaits(_ chat: borrowing ChatReading) throws(ProjectionError) {
    for user in users {
      for instant in someInstants() {
        expect(try chat.unread(of: user, at: instant), reference.unread(of: user, at: instant), "unread of \(user)")
        for channel in channels {
          let question = "unread of \(user) in \(channel) at \(instant)"
          expect(
            try chat.unread(of: user, in: channel, at: instant),
            reference.unread(of: user, in: channel, at: instant), question)
          expect(
            try chat.firstUnread(of: user, in: channel, at: instant),
            reference.waiting(for: user, in: channel, at: instant).first, "first " + question)
          countUnread(of: user, in: channel, at: instant)
        }
      }
    }
  }
}

extension Message {
  fileprivate var parentKey: Key? { content.parent.map { Key(key.channel, $0) } }
}
