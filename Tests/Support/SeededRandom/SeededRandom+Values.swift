// Random values for tests: numbers below a limit, numbers of any size, noise.

extension SeededRandom {
  /// Returns a generator whose seed is printed with the name of the test, so that a failure can be replayed.
  public static func printingSeed(_ test: String = #function) -> SeededRandom {
    let random = SeededRandom()
    print("\(test): seed \(random.seed)")
    return random
  }

  /// Returns a number from 0 to just below a limit.
  public mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }

  /// Returns `count` bytes of uniformly random values.
  public mutating func noise(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: next() >> 56) }
  }

  /// Returns a number of 0 to 64 bits, each width equally likely, so that small numbers and limits are frequent.
  public mutating func number() -> UInt64 {
    let width = below(65)
    return width == 0 ? 0 : next() >> UInt64(64 - width)
  }
}
