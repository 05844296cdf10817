// Ids: short names used in stream names, keys and links.

/// The id of a user, a channel, a message …: 1 to 64 visible ASCII characters without `/`.
///
/// The type parameter says what it identifies, so that a user's id is never taken for a channel's. Ids are
/// case-sensitive. Two types of ids are part of no stream name and of no path, and can contain more: the id of a
/// command `/`, as in `/mute`, and the kind of a reaction emoji, as in `👍`, in at most 64 bytes.
public struct ID<Named>: Hashable, Comparable, Codable, Sendable {
  /// The characters of the id.
  public let text: String

  /// Creates an id from its characters.
  public init(_ text: String) throws(IDError) {
    var text = text
    guard text.withUTF8({ isID(UnsafeRawBufferPointer($0), with: Self.extras) })
    else { throw IDError(text: text, extras: Self.extras) }
    self.text = text
  }

  /// Creates an id from its UTF-8 bytes; nil when they are not a valid id.
  @inlinable
  public init?(spelledBy bytes: RawSpan) {
    guard let text = textOfID(bytes, with: Self.extras) else { return nil }
    self.text = text
  }

  @inlinable
  internal static var extras: IDExtras {
    Named.self == ComposedCommand.self ? .slash : Named.self == Reaction.KindName.self ? .emoji : .none
  }

  /// Returns whether the first id precedes in byte order.
  public static func < (a: ID, b: ID) -> Bool { a.text.utf8.lexicographicallyPrecedes(b.text.utf8) }
}

/// The maximum number of characters of an id.
public let idLengthMax = 64

extension ID: RawRepresentable {
  /// The characters of the id.
  public var rawValue: String { text }

  /// Creates an id from its characters; nil when they are not a valid id.
  public init?(rawValue: String) { try? self.init(rawValue) }
}

extension ID: CustomStringConvertible {
  /// The characters of the id.
  public var description: String { text }
}

extension ID: ExpressibleByStringLiteral {
  /// Creates an id from a literal; traps when it is not a valid id.
  public init(stringLiteral text: String) {
    do {
      try self.init(text)
    } catch {
      preconditionFailure("\(error)")
    }
  }
}

/// The error of a text that is not a valid id.
public struct IDError: Error, Hashable, Sendable {
  /// The invalid text.
  public let text: String
  private let extras: IDExtras

  fileprivate init(text: String, extras: IDExtras) { (self.text, self.extras) = (text, extras) }
}

extension IDError: CustomStringConvertible {
  /// The error in one sentence: what failed, on what, what to do.
  public var description: String {
    let characters =
      switch extras {
      case .none: "visible ASCII characters other than “/”"
      case .slash: "visible ASCII characters"
      case .emoji: "visible ASCII characters other than “/”, or emoji of as many bytes"
      }
    return "\(String(text.prefix(80)).debugDescription) is not an id: use 1 to \(idLengthMax) \(characters)."
  }
}

// These two functions are not generic over the identified type, and so are compiled once and faster.

@usableFromInline
internal func textOfID(_ bytes: RawSpan, with extras: IDExtras) -> String? {
  bytes.withUnsafeBytes { bytes in
    guard isID(bytes, with: extras) else { return nil }
    return String(unsafeUninitializedCapacity: bytes.count) {
      UnsafeMutableRawBufferPointer($0).copyMemory(from: bytes)
      return bytes.count
    }
  }
}

@inline(__always)
private func isID(_ bytes: UnsafeRawBufferPointer, with extras: IDExtras) -> Bool {
  guard 1 <= bytes.count, bytes.count <= idLengthMax else { return false }
  return isVisibleASCII(bytes, slashes: extras == .slash) || extras == .emoji && isEmoji(bytes)
}

/// Returns whether bytes are visible ASCII characters, with slashes only where they are valid.
///
/// Every event has several ids; eight bytes are compared at once.
@inline(__always)
private func isVisibleASCII(_ bytes: UnsafeRawBufferPointer, slashes: Bool) -> Bool {
  func eight(_ byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }
  var invalid: UInt64 = 0
  func check(_ word: UInt64) {
    // The highest bit of a byte is set when the byte is below 0x21, above 0x7E, or a slash. A borrow between bytes
    // happens only after an invalid one.
    let slash = word ^ eight(UInt8(ascii: "/"))
    let found = slashes ? 0 : (slash &- eight(1)) & ~slash
    invalid |= word | (word &- eight(0x21)) | (word &+ eight(1)) | found
  }
  var index = 0
  while index + 8 <= bytes.count {
    check(bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
    index += 8
  }
  var rest = eight(UInt8(ascii: "a"))
  while index < bytes.count {
    rest = rest << 8 | UInt64(bytes[index])
    index += 1
  }
  check(rest)
  return invalid & eight(0x80) == 0
}

/// The characters that an id can contain besides visible ASCII characters.
@usableFromInline
internal enum IDExtras: Hashable, Sendable {
  /// The id contains no others, and no slash.
  case none
  /// The id can contain slashes.
  case slash
  /// The id can be emoji.
  case emoji
}

// MARK: Emoji

/// Returns whether bytes are the UTF-8 of emoji and of the scalars that join and modify them, in any order.
///
/// The ranges are fixed, since an id that is valid today must be valid under every later version of Unicode; the blocks
/// in which new emoji are assigned are included whole. No scalar in them has a canonical decomposition, so that equal
/// strings have equal bytes.
private func isEmoji(_ bytes: UnsafeRawBufferPointer) -> Bool {
  guard let text = String(validating: bytes, as: UTF8.self) else { return false }
  let isKeycap = text.unicodeScalars.contains("\u{20E3}")
  return text.unicodeScalars.allSatisfy { scalar in
    switch scalar.value {
    case 0x23, 0x2A, 0x30...0x39: isKeycap
    case 0xA9, 0xAE, 0x200D, 0x203C, 0x2049, 0x20E3, 0x2122, 0x2139, 0x2194...0x2199, 0x21A9...0x21AA: true
    case 0x231A...0x231B, 0x2328, 0x23CF, 0x23E9...0x23F3, 0x23F8...0x23FA, 0x24C2, 0x25AA...0x25AB, 0x25B6: true
    case 0x25C0, 0x25FB...0x25FE, 0x2600...0x27BF, 0x2934...0x2935, 0x2B05...0x2B07, 0x2B1B...0x2B1C: true
    case 0x2B50, 0x2B55, 0x3030, 0x303D, 0x3297, 0x3299, 0xFE0E...0xFE0F: true
    case 0x1F000...0x1FAFF, 0x1FC00...0x1FFFD, 0xE0020...0xE007F: true
    default: false
    }
  }
}
