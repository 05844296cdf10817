// Addresses of pages in what people wrote: for those who may not send any.

extension UserText {
  /// Whether it holds the address of a page: `http://`, `https://` or `www.` and a name, in capital or small letters.
  ///
  /// “Awww.” and a bare “www.” are none: `www.` begins a word, and something follows at once.
  public var hasLink: Bool {
    let bytes = string.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 + 0x20 : $0 }
    return bytes.indices.contains { place in
      let rest = bytes[place...]
      switch bytes[place] {
      case UInt8(ascii: "h"): return rest.beginsName(after: "http://") || rest.beginsName(after: "https://")
      case UInt8(ascii: "w"): return rest.beginsName(after: "www.") && (place == 0 || !bytes[place - 1].isAlphanumeric)
      default: return false
      }
    }
  }
}

extension ArraySlice<UInt8> {
  /// Whether they begin with some bytes, and the name of a server can follow.
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
