// Padded Base64 encoding and decoding (RFC 4648).

private let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

/// The value of each letter by its byte; 64 for any other byte.
private let values: [UInt8] = {
  var values = [UInt8](repeating: 64, count: 256)
  for (value, letter) in letters.enumerated() { values[Int(letter)] = UInt8(value) }
  return values
}()

private let padding = UInt8(ascii: "=")

/// Returns the Base64 text of bytes.
package func base64(_ bytes: [UInt8]) -> String {
  var text: [UInt8] = []
  text.reserveCapacity((bytes.count + 2) / 3 * 4)
  var offset = 0
  while offset < bytes.count {
    let count = min(3, bytes.count - offset)
    var group: UInt32 = 0
    for index in 0..<3 { group = group << 8 | (index < count ? UInt32(bytes[offset + index]) : 0) }
    for index in 0..<4 {
      text.append(index <= count ? letters[Int(group >> UInt32(18 - 6 * index) & 63)] : padding)
    }
    offset += 3
  }
  return String(decoding: text, as: UTF8.self)
}

/// Returns the bytes of a Base64 text; nil when ``base64(_:)`` would not produce this text.
package func bytes(base64 text: String) -> [UInt8]? {
  let text = Array(text.utf8)
  guard text.count % 4 == 0 else { return nil }
  let pads = text.suffix(2).reversed().prefix { $0 == padding }.count
  var bytes: [UInt8] = []
  bytes.reserveCapacity(text.count / 4 * 3)
  var bits: UInt32 = 0
  for (offset, letter) in text.dropLast(pads).enumerated() {
    let value = values[Int(letter)]
    guard value < 64 else { return nil }
    bits = bits << 6 | UInt32(value)
    if offset % 4 == 3 {
      bytes.append(UInt8(truncatingIfNeeded: bits >> 16))
      bytes.append(UInt8(truncatingIfNeeded: bits >> 8))
      bytes.append(UInt8(truncatingIfNeeded: bits))
    }
  }
  switch pads {
  case 0: return bytes
  case 1 where bits & 3 == 0:
    return bytes + [UInt8(truncatingIfNeeded: bits >> 10), UInt8(truncatingIfNeeded: bits >> 2)]
  case 2 where bits & 15 == 0: return bytes + [UInt8(truncatingIfNeeded: bits >> 4)]
  default: return nil
  }
}
