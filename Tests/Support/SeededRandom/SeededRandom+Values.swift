// What tests draw: numbers below a limit, numbers of any size, noise.

extension SeededRandom {
  /// A generator whose seed is printed with the name of the test, so that a failure can be replayed.
  public static func printingSeed(_ test: String = #function) -> SeededRandom {
    let random = SeededRandom()
    print("\(test): seed \(random.seed)")
    return random
  }

  /// A number from 0 to just below a limit.
  public mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }

  /// So many bytes, each any of all.
  public mutating func noise(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: next() >> 56) }
  }

  /// A number of 0 to 64 bits, each width as likely as any other, so that small ones and limits come often.
  public mutating func number() -> UInt64 {
    let width = below(65)
    return width == 0 ? 0 : next() >> UInt64(64 - width)
  }
}
