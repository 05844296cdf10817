// Decodes the bytes that a terminal sends into keys.

/// A decoder of keys from bytes, independent of how the bytes were split in transit; it accepts every byte sequence.
///
/// Only time shows whether an escape is the key or the start of a longer sequence: while ``isUndecided``, the reader
/// waits briefly for more bytes and then calls ``flush()``. The decoder ignores what the keys do, and never queries the
/// terminal.
package struct KeyDecoder: Sendable {
  private enum State {
    case text
    /// After an escape.
    case escape
    /// In a character of several bytes after an escape.
    case alt
    /// After `ESC [` or `ESC O`, up to a final byte.
    case sequence
    /// In a reply of the terminal, which ends with `ESC \` or a bell; and after an escape in it.
    case string, stringEscape
    case paste
  }

  private static let gatheredCountMax = 64
  private static let pasteEnd = Array("\u{1B}[201~".utf8)

  private var state = State.text
  /// The bytes received since the state began; of long sequences only the beginning.
  private var gathered: [UInt8] = []
  /// Text bytes that are not yet keys; between calls, at most the beginning of one character.
  private var run: [UInt8] = []
  private var keys: [Key] = []

  package init() {}

  /// Whether the meaning of pending bytes depends on whether more bytes follow soon.
  package var isUndecided: Bool { state != .text && state != .paste }

  /// Decodes bytes and returns the completed keys.
  package mutating func decode(_ bytes: some Sequence<UInt8>) -> [Key] {
    for byte in bytes { take(byte) }
    endRun(holdingBack: incompleteCount)
    defer { keys = [] }
    return keys
  }

  /// Returns the keys of the undecided bytes when no more follow; incomplete pastes and characters stay pending.
  package mutating func flush() -> [Key] {
    guard isUndecided else { return [] }
    defer {
      (state, gathered) = (.text, [])
    }
    return switch state {
    case .escape: [.named(.escape)]
    case .alt: [altKey]
    // Only the bytes of alt and a character have been received.
    case .sequence, .string: gathered.count == 1 ? [Key(ascii: gathered[0], .alt)] : []
    default: []
    }
  }

  private mutating func take(_ byte: UInt8) {
    switch state {
    case .text: takeText(byte)
    case .escape: takeEscaped(byte)
    case .alt: takeAlt(byte)
    case .sequence: takeSequence(byte)
    case .string: takeString(byte)
    case .stringEscape: takeStringEscape(byte)
    case .paste: takePaste(byte)
    }
  }

  private mutating func begin(_ state: State, _ gathered: [UInt8] = []) {
    (self.state, self.gathered) = (state, gathered)
  }

  private mutating func takeText(_ byte: UInt8) {
    if byte >= 0x20, byte != 0x7F { return run.append(byte) }
    endRun()
    if byte == 0x1B { begin(.escape) } else { keys.append(Key(ascii: byte)) }
  }

  private mutating func takeEscaped(_ byte: UInt8) {
    switch byte {
    case 0x1B: keys.append(.named(.escape))
    case UInt8(ascii: "["), UInt8(ascii: "O"): begin(.sequence, [byte])
    case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "^"), UInt8(ascii: "_"):
      begin(.string, [byte])
    case 0x80...: takeAltStart(byte)
    default:
      begin(.text)
      keys.append(Key(ascii: byte, .alt))
    }
  }

  private mutating func takeAltStart(_ byte: UInt8) {
    begin(.alt, [byte])
    if letterLength(byte) == 1 { endAlt() }
  }

  private mutating func takeAlt(_ byte: UInt8) {
    guard byte & 0xC0 == 0x80 else {
      endAlt()
      return take(byte)
    }
    gathered.append(byte)
    if gathered.count == letterLength(gathered[0]) { endAlt() }
  }

  private mutating func endAlt() {
    keys.append(altKey)
    begin(.text)
  }

  private var altKey: Key {
    // Invalid bytes become several replacement characters, of which one is enough.
    .letter(Character(String(decoding: gathered, as: UTF8.self).unicodeScalars.first ?? "\u{FFFD}"), .alt)
  }

  private mutating func takeSequence(_ byte: UInt8) {
    switch byte {
    case 0x20...0x3F:
      if gathered.count < Self.gatheredCountMax { gathered.append(byte) }
    // The keys F1 to F5 of the Linux console are `ESC [ [` and a letter.
    case UInt8(ascii: "[") where gathered.count == 1: gathered.append(byte)
    case 0x40...0x7E:
      let sequence = ControlSequence(gathered, final: byte)
      begin(sequence.beginsPaste ? .paste : .text)
      if let key = sequence.key { keys.append(key) }
    default:
      begin(.text)
      take(byte)
    }
  }

  private mutating func takeString(_ byte: UInt8) {
    switch byte {
    case 0x07, 0x18, 0x1A: begin(.text)
    case 0x1B: state = .stringEscape
    default: if gathered.count < 2 { gathered.append(byte) }
    }
  }

  private mutating func takeStringEscape(_ byte: UInt8) {
    if byte == UInt8(ascii: "\\") { return begin(.text) }
    begin(.escape)
    take(byte)
  }

  private mutating func takePaste(_ byte: UInt8) {
    gathered.append(byte)
    guard byte == UInt8(ascii: "~"), gathered.suffix(Self.pasteEnd.count).elementsEqual(Self.pasteEnd) else { return }
    keys.append(.paste(String(decoding: gathered.dropLast(Self.pasteEnd.count), as: UTF8.self)))
    begin(.text)
  }

  /// Makes a text key of the gathered bytes except the last `count`.
  private mutating func endRun(holdingBack count: Int = 0) {
    guard run.count > count else { return }
    keys.append(.text(String(decoding: run.dropLast(count), as: UTF8.self)))
    run.removeFirst(run.count - count)
  }

  /// The number of bytes at the end of the run that begin an incomplete character.
  private var incompleteCount: Int {
    let tail = run.suffix(3)
    guard let start = tail.lastIndex(where: { $0 & 0xC0 != 0x80 }) else { return 0 }
    let count = run.endIndex - start
    return letterLength(run[start]) > count ? count : 0
  }
}

/// Returns the length of a character with this first byte; 1 if the byte is not a valid first byte.
private func letterLength(_ first: UInt8) -> Int {
  switch first {
  case 0xC2...0xDF: 2
  case 0xE0...0xEF: 3
  case 0xF0...0xF4: 4
  default: 1
  }
}
