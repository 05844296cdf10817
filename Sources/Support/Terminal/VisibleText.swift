// Makes untrusted text safe to print: visible signs replace the characters that a terminal interprets.

extension String {
  /// Returns the text with a visible sign for each character that a terminal interprets instead of displaying: C0 and
  /// C1 controls, DEL, the separators U+2028 and U+2029, and direction marks.
  ///
  /// Line ends are kept, unless the text must fit one line. ``Row`` writes styles as escape sequences: with
  /// `keepingStyles`, sequences exactly as ``Style`` writes them are kept, and every other escape becomes a sign.
  package func visible(inOneLine: Bool = false, keepingStyles: Bool = false) -> String {
    var copy = self
    return copy.withUTF8 { bytes in
      var scanner = VisibleText(bytes, inOneLine: inOneLine, keepsStyles: keepingStyles)
      return scanner.replaced()
    } ?? self
  }
}

/// Returns the sign printed for a character that a terminal interprets; nil for a character that it displays.
///
/// A screen leaves out the marks U+061C, U+200E and U+200F, like all invisible characters; printed lines show that a
/// character is there.
func printedSign(for scalar: Unicode.Scalar) -> String? {
  switch scalar.value {
  case 0x061C, 0x200E, 0x200F: "\u{FFFD}"
  default: sign(for: scalar)
  }
}

/// A scan over the UTF-8 of a text: most bytes are copied, and only those that may begin a control are decoded.
private struct VisibleText {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let inOneLine: Bool
  private let keepsStyles: Bool
  private var output: [UInt8] = []
  /// The offset up to which the bytes are copied or replaced in the output.
  private var done = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>, inOneLine: Bool, keepsStyles: Bool) {
    (self.bytes, self.inOneLine, self.keepsStyles) = (bytes, inOneLine, keepsStyles)
  }

  /// Returns the text with signs; nil if no sign is needed.
  mutating func replaced() -> String? {
    var offset = 0
    while offset < bytes.count {
      let (sign, count) = step(at: offset)
      if let sign {
        output.append(contentsOf: bytes[done..<offset])
        output.append(contentsOf: sign.utf8)
        done = offset + count
      }
      offset += count
    }
    if done == 0 { return nil }
    output.append(contentsOf: bytes[done...])
    return String(decoding: output, as: UTF8.self)
  }

  /// Returns the sign for the character at an offset, if it needs one, and the character's length in bytes.
  private func step(at offset: Int) -> (sign: String?, count: Int) {
    let byte = bytes[offset]
    switch byte {
    case 0x0A where !inOneLine: return (nil, 1)
    case 0x1B where keepsStyles:
      if let count = styleLength(at: offset) { return (nil, count) }
      return (printedSign(for: Unicode.Scalar(byte)), 1)
    case 0x00...0x1F, 0x7F: return (printedSign(for: Unicode.Scalar(byte)), 1)
    // U+0080 to U+00BF, and Arabic with U+061C.
    case 0xC2 where offset + 1 < bytes.count, 0xD8 where offset + 1 < bytes.count:
      return sign(UInt32(byte & 0x1F) << 6 | UInt32(bytes[offset + 1] & 0x3F), 2)
    // U+2000 to U+2FFF.
    case 0xE2 where offset + 2 < bytes.count:
      return sign(0x2000 | UInt32(bytes[offset + 1] & 0x3F) << 6 | UInt32(bytes[offset + 2] & 0x3F), 3)
    default: return (nil, 1)
    }
  }

  private func sign(_ value: UInt32, _ count: Int) -> (String?, Int) {
    (Unicode.Scalar(value).flatMap { printedSign(for: $0) }, count)
  }

  /// Returns the length of the sequence at an offset if ``Style`` can have written it: `ESC [ 0`, then numbers of its
  /// traits, then `m`.
  private func styleLength(at start: Int) -> Int? {
    guard start + 3 < bytes.count, bytes[start + 1] == UInt8(ascii: "["), bytes[start + 2] == UInt8(ascii: "0") else {
      return nil
    }
    var offset = start + 3
    while offset < bytes.count, bytes[offset] == UInt8(ascii: ";") {
      var number = 0
      var digits = 0
      offset += 1
      while offset < bytes.count, digits < 2, (0x30...0x39).contains(bytes[offset]) {
        number = number * 10 + Int(bytes[offset] - 0x30)
        (offset, digits) = (offset + 1, digits + 1)
      }
      guard Style.numbers.contains(number) else { return nil }
    }
    return offset < bytes.count && bytes[offset] == UInt8(ascii: "m") ? offset + 1 - start : nil
  }
}

extension Style {
  /// The numbers that its sequences contain after the initial 0.
  fileprivate static let numbers: Set<Int> = [1, 2, 3, 4, 7, 9, 31, 32, 33, 34, 35, 36]
}
