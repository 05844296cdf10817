// Asks tables and reference the same, and holds the answers against each other.
import Chat
import ChatSamples
import ChatViews
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
  }

  func expect<Answer: Equatable>(_ answer: Answer, _ expected: Answer, _ question: @autoclosure () -> String) {
    #expect(answer == expected, "\(question()), \(place)")
  }

  /// Some instants: always the last, and others.
  mutating func someInstants() -> [Instant] { [instants[0]] + (0..<3).map { _ in random.pick(instants) } }
}
