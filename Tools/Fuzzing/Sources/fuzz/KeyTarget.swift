// The decoder of a terminal's keys.
import Foundation
import Terminal

extension Target {
  /// A first byte for the size of reads, and the bytes that a terminal sends.
  static let keys = Target(
    "keys", maxLength: 512, seeds: { _ in KeyTarget.seeds.seeds(modes: [1, 3]) }, check: KeyTarget.check)
}

private enum KeyTarget {
  /// The keys of bytes must be the same however the bytes are split.
  static func check(_ input: [UInt8]) {
    let size = 1 + Int(input.first ?? 0)
    let bytes = input.dropFirst()
    var (whole, split) = (KeyDecoder(), KeyDecoder())
    var keys = whole.decode(bytes)
    var splitKeys: [Key] = []
    for start in stride(from: bytes.startIndex, to: bytes.endIndex, by: size) {
      splitKeys += split.decode(bytes[start..<min(start + size, bytes.endIndex)])
    }
    require(whole.isUndecided == split.isUndecided, "splitting decides whether bytes are decided")
    keys += whole.flush()
    splitKeys += split.flush()
    require(joined(keys) == joined(splitKeys), "\(keys) are \(splitKeys) in parts of \(size) bytes")
    require(!whole.isUndecided && whole.flush().isEmpty, "bytes are undecided after a flush")
    for case .text(let text) in keys {
      let isText = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
      require(isText && !text.isEmpty, "\(text.debugDescription) is a text key")
    }
  }

  /// Joins text keys that arrived one after the other.
  private static func joined(_ keys: [Key]) -> [Key] {
    keys.reduce(into: []) { joined, key in
      guard case .text(let text) = key, case .text(let before)? = joined.last else { return joined.append(key) }
      joined[joined.count - 1] = .text(before + text)
    }
  }

  static let seeds = [
    "abc\u{7F}\r\t", "\u{1B}[A\u{1B}[1;5C\u{1B}OH\u{1B}[3~", "\u{1B}[200~pasted\r\u{1B}[201~", "\u{1B}é\u{1B}\u{1B}[Z",
    "\u{1B}]0;title\u{7}x", "\u{1B}P1$r\u{1B}\\y", "\u{1B}[97;5u\u{1B}[27;2;13~", "👩‍👩‍👧é日本", "\u{1B}[[A\u{1B}[?1;2c",
  ]
}
