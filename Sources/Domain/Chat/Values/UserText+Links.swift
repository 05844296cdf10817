// Detection of links in user text, for authors who may not send any.

extension UserText {
  /// Whether the text contains a link: `http://`, `https://` or `www.` and a host name, case-insensitively.
  ///
  /// “Awww.” and a bare “www.” are no links: `www.` must begin a word, with something following at once.
  public var hasLink: Bool {
    let bytes = string.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 + 0x20 : $0 }
    return bytes.indices.contains { index in
      let rest = bytes[index...]
      switch bytes[index] {
      case UInt8(ascii: "h"): return rest.beginsName(after: "http://") || rest.beginsName(after: "https://")
      case UInt8(ascii: "w"): return rest.beginsName(after: "www.") && (index == 0 || !bytes[index - 1].isAlphanumeric)
      default: return false
      }
    }
  }
}

extension ArraySlice<UInt8> {
  /// Returns whether the bytes begin with a prefix that a host name can follow.
  fileprivate func beginsName(after start: String) -> Bool {
    guard starts(with: start.utf8), let next = dropFirst(start.utf8.count).first else { return false }
    return next.isAlphanumeric || next >= 0x80 || next == UInt8(ascii: "[")
  }
}

extension UInt8 {
  fileprivate var isAlphanumeric: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
    default: false
    }
  }
}
