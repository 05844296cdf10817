// Generates texts with the word frequencies of a natural language.

/// A generator of texts of about ten words, in which few words are frequent and most are rare.
struct Speech {
  private var random: SplitMix
  /// The number of words.
  static let wordCount = 50_000

  init(seed: UInt64) { random = SplitMix(seed: seed) }

  /// Returns the word of a frequency rank, from 0; frequent words are shorter.
  static func word(_ rank: Int) -> String {
    let consonants = Array("bcdfghjklmnprstvwz")
    let vowels = Array("aeiou")
    var (rest, word) = (rank * 7919 % wordCount, "")
    for _ in 0..<(rank < 90 ? 1 : rank < 8000 ? 2 : 3) {
      word.append(consonants[rest % consonants.count])
      word.append(vowels[rest / consonants.count % vowels.count])
      rest /= consonants.count * vowels.count
    }
    return word + (rank < 90 ? "" : String(consonants[rest % consonants.count])) + (rank < 200 ? "" : "\(rank % 10)")
  }

  /// Returns a text.
  mutating func text() -> String {
    (0..<7 + Int(random.next() % 7)).map { _ in Self.word(rank()) }.joined(separator: " ")
  }

  /// Half of all words are among the hundred most frequent.
  private mutating func rank() -> Int {
    let power = random.fraction() * 2.35
    var size = 1.0
    // Ten to the power, without a library: 10 = 2 to 3.3219.
    var exponent = power * 2 * 3.3219
    while exponent >= 1 {
      size *= 2
      exponent -= 1
    }
    return min(Self.wordCount - 1, Int(size * (1 + exponent)) - 1)
  }
}
