// Queries for composers, commands, drafts and histories of messages.
import Chat
import ChatSamples
import ChatProjections
import EventLog
import SeededRandom
import Testing
import Projections

extension Asking {
  mutating func askAboutComposers(_ chat: borrowing ChatReading) throws(ProjectionError) {
    try askWhoTypes(chat)
    for user in users {
      let channel = random.maybe { [channels] random in random.pick(channels) }
      let question = "\(user) in \(channel?.text ?? "all")"
      expect(
        try chat.composers(of: user, in: channel), reference.composers(of: user, in: channel),
        "composers of \(question)")
      expect(try chat.openComposers(of: user), reference.openComposers(of: user), "open composers of \(user)")
      let limit = 1 + random.below(4)
      var (found, next): ([CommandRun], CommandCursor?) = ([], nil)
      var pages = 0
      repeat {
        let page = try chat.commands(of: user, in: channel, after: next, limit: limit)
        (found, next) = (found + page.commands, page.next)
        if page.commands.count < limit { expect(page.next, nil, "next of \(question)") }
      } while leads(to: next, &pages)
      expect(found, reference.commands(of: user, in: channel), "commands of \(question)")
      count(found)
      countComposers(of: user)
      expect(try chat.commands(of: user, in: channel, limit: 0).commands, [], "no commands of \(question)")
    }
    expect(try chat.composerDefects(), [], "the index of composers")
  }

  private mutating func askWhoTypes(_ chat: borrowing ChatReading) throws(ProjectionError) {
    let beside = [-1, 0, 1, 3_000_000, 6_999_999, 7_000_000].map { Microseconds(rawValue: $0) }
    for composer in reference.composers {
      let (key, except) = (composer.key, random.maybe { [users] random in random.pick(users) })
      let instants = composer.typed.map { typed in beside.map { typed + $0 } } ?? []
      for instant in instants + someInstants() {
        expect(
          try chat.typing(in: key.channel, thread: key.thread, at: instant, except: except),
          reference.typing(in: key.channel, thread: key.thread, at: instant, except: except),
          "who types in \(key.channel), thread \(key.thread?.text ?? "none"), at \(instant)")
        countTyping(in: key.channel, thread: key.thread, at: instant, except: except)
      }
    }
  }

  mutating func askAboutDrafts(_ chat: borrowing ChatReading) throws(ProjectionError) {
    for draft in reference.drafts {
      expect(try chat.draft(draft.key), reference.draft(draft.key), "draft \(draft.key)")
    }
    expect(try chat.draftDefects(), [], "the index of drafts")
    countDrafts()
    for user in users {
      let found = try askForDrafts(of: user, standing: [:], chat)
      expect(Set(found.map(\.id)).count, found.count, "ids of drafts of \(user)")
      count(found)
    }
  }

  /// Queries the drafts of a user, page by page, in a random order.
  @discardableResult
  mutating func askForDrafts(
    of user: User.ID, standing: [Draft.Key: Draft?], _ chat: borrowing ChatReading
  ) throws(ProjectionError) -> [DraftItem] {
    let sorting = (0..<random.below(4)).map { _ in
      DraftSort(key: random.pick(DraftSort.Key.allCases), isAscending: random.bool())
    }
    let question = "drafts of \(user) by \(sorting)"
    let (limit, offset) = (1 + random.below(random.pick([3, 30])), random.pick([0, 0, 1, random.below(20)]))
    var (found, next): ([DraftItem], DraftCursor?) = ([], nil)
    var pages = 0
    repeat {
      let page = try chat.drafts(
        of: user, sorting: sorting, after: next, offset: pages == 0 ? offset : 0, limit: limit, overrides: standing)
      (found, next) = (found + page.drafts, page.next)
      if page.drafts.count < limit { expect(page.next, nil, "next of \(question)") }
      if let next { expect(next.position, chat.position, "position of \(question)") }
      expect(next.flatMap { DraftCursor($0.description) }, next, "the text of a cursor of \(question)")
    } while leads(to: next, &pages)
    let expected = reference.standing(standing).drafts(of: user, sorting: sorting)
    expect(found, Array(expected.dropFirst(offset)), "\(question), from \(offset) on, \(limit) each")
    expect(try chat.drafts(of: user, sorting: sorting, limit: 0).drafts, [], "no \(question)")
    return found
  }

  mutating func askForBiographies(_ chat: borrowing ChatReading) throws(ProjectionError) {
    for message in reference.messages {
      expect(try chat.biography(of: message.key), reference.biography(of: message.key), "biography of \(message.key)")
    }
    expect(try chat.biography(of: Message.Key("nowhere", "none")), [], "biography of nothing")
    countBiographies()
  }

  /// Queries the histories of messages, up to the position of the reference.
  mutating func askForHistories(_ projections: ProjectionStore, through end: Position?) throws(ProjectionError) {
    for message in reference.messages where end == nil || random.once(in: 4) {
      expect(
        try projections.history(of: message.key, through: end), reference.history(of: message.key),
        "history of \(message.key) through \(end?.description ?? "the end")")
    }
  }
}
