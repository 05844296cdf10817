// Random choices, the same for a seed in every process and on every machine.
internal import RandomNumbers

// The standard library's algorithms may change between releases: every choice here is made of `below(_:)`.
extension SplitMix64 {
  /// Returns a number of a range.
  mutating func number(_ range: ClosedRange<Int>) -> Int { range.lowerBound + below(range.count) }

  /// Returns whether an event with a probability in thousandths happens.
  mutating func happens(_ permille: Int) -> Bool { below(1000) < permille }

  /// Returns one element of a collection that is not empty.
  mutating func one<Thing>(of things: [Thing]) -> Thing { things[below(things.count)] }
}
