// Colors in CSS.
internal import ChatMessageList

/// The color behind a user's initials: the same for an id everywhere, and dark enough for white letters.
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
  /// The color in CSS notation.
  var css: String {
    "#"
      + [red, green, blue].map { part in (part < 16 ? "0" : "") + String(part, radix: 16) }.joined()
  }

  /// Whether black letters are easier to read on the color than white ones.
  var isLight: Bool {
    // The luminance above which black has the higher contrast, by the web accessibility guidelines.
    luminance > 0.179
  }

  /// The relative luminance, from 0 to 1.
  var luminance: Double { 0.2126 * Self.light(red) + 0.7152 * Self.light(green) + 0.0722 * Self.light(blue) }

  /// Returns the linear light of a component, approximately: the sRGB curve as a polynomial, independent of any system
  /// library.
  private static func light(_ part: UInt8) -> Double {
    let share = Double(part) / 255
    return share * (share * (share * 0.305_306_011 + 0.682_171_111) + 0.012_522_878)
  }
}
