// Asks tables and reference the same, and holds the answers against each other.
import Chat
import ChatSamples
import ChatProjections
import SeededRandom
import Testing

/// Somebody who asks questions about whatever there is, and about some things that there are not.
struct Asking {
  var random: SeededRandom
  let reference: Reference
  let place: String
  let users: [User.ID]
  let channels: [Channel.ID]
  /// Instants at which something ends, those beside them, and the last.
  let instants: [Instant]
  /// Who marked something unread, and has not read on since.
  let markedUnread: Set<Member.Key>
  /// Which branches the answers took.
  var branches = BranchCounts()
  /// All channels of whoever was asked for last.
  var list: [ChannelItem] = []

  init(_ random: SeededRandom, _ reference: Reference, _ place: String) {
    (self.random, self.reference, self.place) = (random, reference, place)
    users = reference.users.map(\.id) + ["nobody"]
    channels = reference.channels.map(\.id) + ["nowhere"]
    var instants = [reference.events.last?.event.stamp.at ?? Instant(rawValue: 0)]
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

  /// Whether a page leads to another; one behind very many fails, so that pages without an end do not hang.
  func leads<Cursor>(to next: Cursor?, _ pages: inout Int) -> Bool {
    pages += 1
    if pages < 3000 { return next != nil }
    Issue.record("page \(pages) leads to \(String(describing: next)), \(place)")
    return false
  }

  /// Some instants: always the last, and others.
  mutating func someInstants() -> [Instant] { [instants[0]] + (0..<3).map { _ in random.pick(instants) } }

  /// An instant at which somebody types, in a channel or in a thread, or just before that, or just when they cease to;
  /// none where nobody did.
  mutating func someTypedInstants(inThreads: Bool) -> [Instant] {
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
