// Addresses that a page may link to.
internal import Foundation

/// An address that a page may link to: of the web, of mail, or relative to the page.
///
/// Any other is shown as text. Characters that browsers drop from an address or reinterpret (white space, control
/// characters, `\`) make it invalid, so that nothing hides in it; so does a leading `//`, whose meaning depends on the
/// page's own address.
public struct WebAddress: Hashable, Sendable {
  /// The address.
  public let string: String

  /// Creates an address; nil if it may not be followed.
  public init?(_ string: String) {
    guard !string.isEmpty, string.unicodeScalars.allSatisfy(\.isPlainInAddress), !string.hasPrefix("//") else {
      return nil
    }
    let lower = string.prefix(8).lowercased()
    let rest = string.utf8.count
    switch string.scheme {
    case nil: break
    case "http": guard lower.hasPrefix("http://"), rest > 7, string.hostFollows(7) else { return nil }
    case "https": guard lower.hasPrefix("https://"), rest > 8, string.hostFollows(8) else { return nil }
    case "mailto": guard rest > 7 else { return nil }
    default: return nil
    }
    self.string = string
  }

  /// Whether the address is an absolute web address.
  public var isWeb: Bool { string.scheme.map { $0.hasPrefix("http") } ?? false }

  /// Whether a form can be sent to the address.
  var takesForms: Bool { string.scheme != "mailto" }

  /// The origin for a Content-Security-Policy; nil for a relative address, and for one that the policy's syntax cannot
  /// express.
  var origin: String? {
    guard isWeb, let slashes = string.range(of: "//") else { return nil }
    let host = string[slashes.upperBound...].prefix { !"/?#".contains($0) }
    let isPlain = host.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: ":"):
        true
      default: false
      }
    }
    return isPlain ? String(string[..<slashes.upperBound] + host) : nil
  }
}

extension String {
  /// The scheme in lowercase; nil if a character of a path comes before the first `:`.
  fileprivate var scheme: String? {
    guard let end = utf8.firstIndex(where: { ":/?#".utf8.contains($0) }), utf8[end] == UInt8(ascii: ":") else {
      return nil
    }
    return self[..<end].lowercased()
  }

  /// Returns whether a host name begins after `count` bytes.
  fileprivate func hostFollows(_ count: Int) -> Bool {
    utf8.dropFirst(count).first.map { !"/?#:@.".utf8.contains($0) } ?? false
  }

  /// Whether the text is a data URL of a picture.
  var isPictureData: Bool {
    let kinds = ["png", "jpeg", "gif", "webp"].map { "data:image/\($0);base64," }
    guard let kind = kinds.first(where: { hasPrefix($0) }) else { return false }
    return utf8.dropFirst(kind.utf8.count).allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="):
        true
      default: false
      }
    }
  }
}

extension Unicode.Scalar {
  /// Whether an address may contain the character: it is visible, and browsers do not reinterpret it.
  var isPlainInAddress: Bool {
    if value < 0x80 {
      return value > 0x20 && value != 0x7F && self != "\\" && self != "<" && self != ">" && self != "\""
    }
    switch properties.generalCategory {
    case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse, .surrogate:
      return false
    default: return true
    }
  }
}

// MARK: Pictures

extension [UInt8] {
  /// The data URL of a picture; nil if the bytes are not a picture format that every browser shows.
  var pictureAddress: String? {
    pictureType.map { "data:\($0);base64,\(base64)" }
  }

  /// The MIME type of a picture by its first bytes; nil if the bytes are not a format that every browser shows.
  package var pictureType: String? {
    if starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
    if starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
    if starts(with: "GIF87a".utf8) || starts(with: "GIF89a".utf8) { return "image/gif" }
    if starts(with: "RIFF".utf8), count >= 12, self[8..<12].elementsEqual("WEBP".utf8) { return "image/webp" }
    return nil
  }

  private var base64: String { Data(self).base64EncodedString() }
}
