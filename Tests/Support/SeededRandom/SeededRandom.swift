// A random number generator that replays from its seed.

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A generator of random numbers that returns the same numbers for the same seed (SplitMix64).
public struct SeededRandom: RandomNumberGenerator, Sendable {
  /// The initial seed, to print where a test fails.
  public let seed: UInt64
  private var state: UInt64

  /// Creates a generator; the seed defaults to the environment's VERBATIM_SEED, or to a random one.
  public init(seed: UInt64? = nil) {
    let given = getenv("VERBATIM_SEED").flatMap { UInt64(String(cString: $0)) }
    self.seed = seed ?? given ?? UInt64.random(in: 0...UInt64(UInt32.max))
    state = self.seed
  }

  /// Returns the next number.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
