// The revision of the chat's tables.
internal import ChatCodec
internal import TextFolding

/// Returns the revision of a projection's row form and of everything else it depends on, in short: how letters are
/// folded, and the shapes the codec can read. A program with other shapes has other tables.
func revision(_ form: Int) -> String {
  // FNV-1a distinguishes lists that differ by accident or by growing.
  var hash: UInt64 = 0xCBF2_9CE4_8422_2325
  for shape in Shape.allCases {
    for byte in shape.rawValue.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    hash = (hash ^ 0xFF) &* 0x100_0000_01B3
  }
  return "\(form) letters.\(FoldedText.version) shapes.\(String(hash, radix: 16))"
}
