// The rhythm of a person who types: pauses between keys, words and sentences, and errors that are noticed later.
internal import Chat
internal import RandomNumbers

/// The pauses of a person who types, drawn from a seed of its own.
struct Rhythm: Sendable {
  private var random: SplitMix64
  /// The mean pause between two keys of a word.
  private let key: Int

  /// Creates the rhythm of a person who types this number of keys per second.
  init(keysPerSecond: Int, seed: UInt64) {
    random = SplitMix64(seed: seed)
    key = 1_000_000 / max(1, keysPerSecond)
  }

  /// Returns the pause before a letter that follows another; nil at the start of the text.
  mutating func pause(after letter: String?) -> Microseconds {
    guard let letter else { return between(400, 2500) }
    let thinks = random.happens(25)
    switch letter {
    case ".", "!", "?", ";", "…", "。", "？", "！", "\n": return between(700, thinks ? 12_000 : 2500)
    case ",", ":", "、", "，", " ": return thinks ? between(1500, 9000) : keys(140, 320)
    default: return keys(60, 170)
    }
  }

  /// Returns the pause until an error is noticed, and the one after its correction.
  mutating func pauseOfNotice() -> Microseconds { between(250, 900) }

  /// Returns the pause between two repeated keys, as of backspace.
  mutating func pauseOfRepeat() -> Microseconds { between(90, 160) }

  /// Returns the pause for looking at something: an earlier part of the text, a suggestion, the whole text before it is
  /// sent.
  mutating func pauseOfLook() -> Microseconds { between(500, 1800) }

  /// Returns the pause for choosing a file, or a part of its upload.
  mutating func pauseOfFile() -> Microseconds { between(800, 4000) }

  /// Returns the number of letters typed before an error is noticed.
  mutating func lettersUntilNotice() -> Int { random.below(4) }

  /// Returns the wrong letter in place of another: a neighbor on the keyboard, or the letter twice.
  mutating func error(for letter: String) -> String {
    for row in ["qwertyuiop", "asdfghjkl", "zxcvbnm"] {
      let keys = row.unicodeScalars.map { String($0) }
      guard let index = keys.firstIndex(of: letter) else { continue }
      return keys[index == 0 || index < keys.count - 1 && random.happens(500) ? index + 1 : index - 1]
    }
    return letter
  }

  /// Returns a span between two percentages of the mean pause between keys.
  private mutating func keys(_ lowest: Int, _ highest: Int) -> Microseconds {
    Microseconds(rawValue: Int64(key * random.number(lowest...highest) / 100))
  }

  /// Returns a span between two numbers of milliseconds.
  private mutating func between(_ lowest: Int, _ highest: Int) -> Microseconds {
    Microseconds(rawValue: Int64(random.number(lowest...highest)) * 1000)
  }
}
