// Random numbers that are deterministic for a seed, in every process and on every machine.

/// A random number generator whose whole state is its seed (SplitMix64).
struct SeededNumbers: RandomNumberGenerator, Sendable {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Returns a number from 0 to just below a limit; the standard library's algorithms may change between releases.
  mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }

  /// Returns a number of a range.
  mutating func number(_ range: ClosedRange<Int>) -> Int { range.lowerBound + below(range.count) }

  /// Returns whether an event with a probability in thousandths happens.
  mutating func happens(_ permille: Int) -> Bool { below(1000) < permille }

  /// Returns one element of a collection that is not empty.
  mutating func one<Thing>(of things: [Thing]) -> Thing { things[below(things.count)] }
}
