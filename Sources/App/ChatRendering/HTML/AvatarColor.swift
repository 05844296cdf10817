// Colors as pages write them.
internal import ChatMessageList

/// The color behind the first letters of a name: the same for an id wherever it is drawn, and dark enough for white
/// letters.
struct AvatarColor: Hashable {
  let color: MessageColor

  init(of id: String) {
    color = Self.all[Int(id.steadyHash % UInt32(Self.all.count))]
  }

  var css: String { color.css }

  static let all: [MessageColor] = [
    MessageColor(red: 0xB3, green: 0x26, blue: 0x1E), MessageColor(red: 0x9C, green: 0x41, blue: 0x00),
    MessageColor(red: 0x6D, green: 0x5E, blue: 0x00), MessageColor(red: 0x2E, green: 0x6B, blue: 0x1F),
    MessageColor(red: 0x00, green: 0x6A, blue: 0x60), MessageColor(red: 0x00, green: 0x63, blue: 0x9B),
    MessageColor(red: 0x4A, green: 0x55, blue: 0xB5), MessageColor(red: 0x7B, green: 0x3F, blue: 0xA0),
    MessageColor(red: 0xA0, green: 0x2C, blue: 0x6B), MessageColor(red: 0x5B, green: 0x5F, blue: 0x66),
  ]
}

extension MessageColor {
  /// The color as a style sheet writes it.
  var css: String {
    "#"
      + [red, green, blue].map { part in (part < 16 ? "0" : "") + String(part, radix: 16) }.joined()
  }

  /// Whether black letters are easier to read on it than white ones.
  var isLight: Bool {
    // The brightness above which black has the higher contrast, by the rules for pages that all can read.
    luminance > 0.179
  }

  /// How bright it is, from 0 to 1.
  var luminance: Double { 0.2126 * Self.light(red) + 0.7152 * Self.light(green) + 0.0722 * Self.light(blue) }

  /// How much light a part gives, near enough: the curve of screens as a polynomial, so that no system library has a
  /// say in it.
  private static func light(_ part: UInt8) -> Double {
    let share = Double(part) / 255
    return share * (share * (share * 0.305_306_011 + 0.682_171_111) + 0.012_522_878)
  }
}
