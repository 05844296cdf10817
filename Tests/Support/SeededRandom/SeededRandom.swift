// A random number generator that replays from its seed.

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif
internal import RandomNumbers

/// A generator of random numbers that returns the same numbers for the same seed (SplitMix64).
public struct SeededRandom: RandomNumberGenerator, Sendable {
  /// The initial seed, to print where a test fails.
  public let seed: UInt64
  private var numbers: SplitMix64

  /// Creates a generator; the seed defaults to the environment's VERBATIM_SEED, or to a random one.
  public init(seed: UInt64? = nil) {
    let given = getenv("VERBATIM_SEED").flatMap { UInt64(String(cString: $0)) }
    self.seed = seed ?? given ?? UInt64.random(in: 0...UInt64(UInt32.max))
    numbers = SplitMix64(seed: self.seed)
  }

  /// Returns the next number.
  public mutating func next() -> UInt64 { numbers.next() }
}
