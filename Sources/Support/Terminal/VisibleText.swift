// Text from anywhere, made safe to print: signs take the place of what a terminal would act on.

extension String {
  /// The text with a visible sign for each character that a terminal acts on instead of showing it: C0 and C1 controls,
  /// DEL, the separators U+2028 and U+2029, and marks that change the direction of writing.
  ///
  /// Line ends stay, unless the text must fit one line. ``Row`` writes looks as sequences of its own: these stay where
  /// they are kept, exactly as ``Style`` writes them, and every other escape becomes a sign.
  package func visible(inOneLine: Bool = false, keepingStyles: Bool = false) -> String {
    var copy = self
    return copy.withUTF8 { bytes in
      var scanner = VisibleText(bytes, inOneLine: inOneLine, keepsStyles: keepingStyles)
      return scanner.replaced()
    } ?? self
  }
}

/// What is shown instead of a character that a terminal acts on; nil for one that it shows.
///
/// A screen leaves out the marks U+061C, U+200E and U+200F, as it does all that nobody sees; a printed line shows that
/// there is something.
func printedSign(for scalar: Unicode.Scalar) -> String? {
  switch scalar.value {
  case 0x061C, 0x200E, 0x200F: "\u{FFFD}"
  default: sign(for: scalar)
  }
}

/// A pass over the UTF-8 of a text: most bytes are copied, and only those that may begin a control are decoded.
private struct VisibleText {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let inOneLine: Bool
  private let keepsStyles: Bool
  private var output: [UInt8] = []
  /// Up to where bytes are in the output, or have a sign there.
  private var done = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>, inOneLine: Bool, keepsStyles: Bool) {
    (self.bytes, self.inOneLine, self.keepsStyles) = (bytes, inOneLine, keepsStyles)
  }

  /// The text with signs; nil where it needs none.
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

  /// The sign for what begins at an offset, if it needs one, and how many bytes that is.
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

  /// How long the sequence is that begins here, if it is one that ``Style`` writes: `ESC [ 0`, then numbers of looks
  /// that it has, then `m`.
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
  /// The numbers that its sequences hold besides the 0 that they begin with.
  fileprivate static let numbers: Set<Int> = [1, 2, 3, 4, 7, 9, 31, 32, 33, 34, 35, 36]
}
