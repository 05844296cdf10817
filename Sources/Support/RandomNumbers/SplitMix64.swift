// A pseudorandom number generator.

/// A random number generator whose whole state is its seed: the same numbers for a seed, in every process and on every
/// machine (SplitMix64).
package struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Creates a generator from a seed.
  package init(seed: UInt64) { state = seed }

  /// Returns the next number.
  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Returns a number from 0 to just below a limit; the standard library's algorithms may change between releases.
  package mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }
}
