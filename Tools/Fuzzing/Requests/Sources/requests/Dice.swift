// Random choices that depend on nothing but a seed and the number of an input.
import RandomNumbers

/// The random choices of an input.
struct Dice {
  private var numbers: SplitMix64

  init(seed: UInt64, input: Int) {
    var mixed = SplitMix64(seed: seed &+ UInt64(input))
    numbers = SplitMix64(seed: mixed.next())
  }

  /// Returns a number from 0 to just below a limit.
  mutating func below(_ limit: Int) -> Int { numbers.below(limit) }

  /// Returns true once in so many times.
  mutating func once(in times: Int) -> Bool { below(times) == 0 }

  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

  mutating func byte() -> UInt8 { UInt8(truncatingIfNeeded: numbers.next() >> 56) }

  mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in byte() } }

  /// Returns parts of a list, some of them random bytes, one after the other.
  mutating func text(of parts: [String], max: Int) -> String {
    var text = ""
    for _ in 0..<below(max + 1) {
      if once(in: 16) { text += String(decoding: bytes(1 + below(4)), as: UTF8.self) } else { text += pick(parts) }
    }
    return text
  }
}
