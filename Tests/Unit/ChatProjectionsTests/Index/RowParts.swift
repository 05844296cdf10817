// Random parts of a row, of which one at a time can be changed.
import Chat
import ChatSamples
import EventLog
import SeededRandom

/// The parts of a row, drawn one by one: equal for equal seeds, except for the one that is changed.
struct RowParts {
  /// The number of parts drawn.
  private(set) var count = 0
  private var random: SeededRandom
  private let changed: Int?

  init(seed: UInt64, changing changed: Int? = nil) { (random, self.changed) = (SeededRandom(seed: seed), changed) }

  /// Returns the next part; a different one when it is the part to change.
  mutating func part<Part: Equatable>(_ draw: (inout SeededRandom) -> Part) -> Part {
    let part = draw(&random)
    defer { count += 1 }
    if count != changed { return part }
    var (other, others) = (part, SeededRandom(seed: random.seed &+ 1))
    while other == part { other = draw(&others) }
    return other
  }

  mutating func id<Named>() -> ID<Named> { part { $0.id() } }

  mutating func optionalID<Named>() -> ID<Named>? { part { random in random.maybe { $0.id() } } }

  mutating func instant() -> Timestamp { part { $0.instant() } }

  mutating func number() -> Message.Number { part { Message.Number(rawValue: $0.number()) } }

  mutating func position() -> Position { part { Position(rawValue: $0.number()) } }

  mutating func flag() -> Bool { part { $0.bool() } }

  mutating func message() -> Message.Key { Message.Key(id(), id()) }

  mutating func composer() -> Composer.Key { Composer.Key(of: id(), on: id(), in: id(), thread: optionalID()) }

  /// Returns a folded name: any bytes, zeros among them.
  mutating func name() -> [UInt8] {
    part { random in (0..<random.below(30)).map { _ in random.pick([0, 1, 0x20, 0x61, 0xFF]) } }
  }
}
