// The comparison of queries on the tables with those on the reference.
import Chat
import ChatSamples
import ChatProjections
import SeededRandom
import Testing

/// A generator of queries for existing rows, and for some that do not exist.
struct Asking {
  var random: SeededRandom
  let reference: Reference
  let place: String
  let users: [User.ID]
  let channels: [Channel.ID]
  /// The instants at which something expires, those next to them, and the last.
  let instants: [Timestamp]
  /// The members who marked a message unread, and have not read on since.
  let markedUnread: Set<Member.Key>
  /// The branches that the results took.
  var branches = BranchCounts()
  /// All channels of the user who was queried last.
  var list: [ChannelItem] = []

  init(_ random: SeededRandom, _ reference: Reference, _ place: String) {
    (self.random, self.reference, self.place) = (random, reference, place)
    users = reference.users.map(\.id) + ["nobody"]
    channels = reference.channels.map(\.id) + ["nowhere"]
    var instants = [reference.events.last?.event.origin.at ?? Timestamp(rawValue: 0)]
    let ends =
      reference.mutes.map(\.term.end) + reference.bans.map(\.term.end) + reference.messages.map { $0.pin?.term.end }
    for end in ends.compactMap({ $0 }) {
      instants += [-1, 0, 1].map { end + Microseconds(rawValue: $0) }
    }
    self.instants = instants
    markedUnread = reference.markedUnread
  }

  func expect<Answer: Equatable>(_ answer: Answer, _ expected: Answer, _ question: @autoclosure () -> String) {
    #expect(answer == expected, "\(question()), \(place)")
  }

  /// Returns whether a page has a next one; fails after very many, so that endless pages do not hang the test.
  func leads<Cursor>(to next: Cursor?, _ pages: inout Int) -> Bool {
    pages += 1
    if pages < 3000 { return next != nil }
    Issue.record("page \(pages) leads to \(String(describing: next)), \(place)")
    return false
  }

  /// Returns some instants: always the last, and random others.
  mutating func someInstants() -> [Timestamp] { [instants[0]] + (0..<3).map { _ in random.pick(instants) } }

  /// Returns instants at which a user is typing, in a channel or in a thread, just before that, or just when it
  /// expires; none where no user was typing.
  mutating func someTypedInstants(inThreads: Bool) -> [Timestamp] {
    let typed = reference.composers.filter { inThreads == ($0.key.thread != nil) }.compactMap(\.typed)
    if typed.isEmpty { return [] }
    return [random.pick(typed) + Microseconds(rawValue: random.pick([-1, 0, 1_000_000, 6_999_999, 7_000_000]))]
  }
}

extension Reference {
  fileprivate var markedUnread: Set<Member.Key> {
    var marked: Set<Member.Key> = []
    for (_, event) in events {
      switch event.change {
      case .member(let key, .markedUnread): marked.insert(key)
      case .member(let key, .read): marked.remove(key)
      default: continue
      }
    }
    return marked
  }
}
