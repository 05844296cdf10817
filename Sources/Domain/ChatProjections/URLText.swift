// Bytes as text in a 64-letter alphabet that needs no escaping in URLs: RFC 4648's base64url, without padding.

private let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

/// Encodes bytes as base64url.
func urlText(of bytes: UnsafeRawBufferPointer) -> String {
  var text: [UInt8] = []
  var (bits, count) = (UInt32(0), 0)
  for byte in bytes {
    bits = bits << 8 | UInt32(byte)
    count += 8
    while count >= 6 {
      count -= 6
      text.append(letters[Int(bits >> UInt32(count) & 63)])
    }
  }
  if count > 0 { text.append(letters[Int(bits << UInt32(6 - count) & 63)]) }
  return String(decoding: text, as: UTF8.self)
}

/// Decodes base64url; nil for a text that ``urlText(of:)`` would not have written.
func bytes(ofURLText text: String) -> [UInt8]? {
  var bytes: [UInt8] = []
  var (bits, count) = (UInt32(0), 0)
  for letter in text.utf8 {
    guard let value = letters.firstIndex(of: letter) else { return nil }
    bits = bits << 6 | UInt32(value)
    count += 6
    if count >= 8 {
      count -= 8
      bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
    }
  }
  // The remaining bits are zeros that fill the last letter, with no letter more.
  guard count < 6, bits & (1 << UInt32(count) - 1) == 0 else { return nil }
  return bytes
}
