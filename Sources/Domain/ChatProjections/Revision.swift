// What names the form of a chat's tables.
internal import ChatCodec
internal import TextFolding

/// A form of a view's rows, with all that they follow from besides: how letters are folded, and the shapes that the
/// codec can read, in short: a program that knows others has other tables.
func revision(_ form: Int) -> String {
  // FNV-1a, which tells lists apart that differ by accident or by growing.
  var hash: UInt64 = 0xCBF2_9CE4_8422_2325
  for shape in Shape.allCases {
    for byte in shape.rawValue.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    hash = (hash ^ 0xFF) &* 0x100_0000_01B3
  }
  return "\(form) letters.\(FoldedText.version) shapes.\(String(hash, radix: 16))"
}
