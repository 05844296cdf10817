// The icons that commands, items of a composer and menu items name.

/// A small drawing beside a label: lines on a page, a glyph in a terminal.
///
/// Commands, items of a composer and menu items name their icon. ``RenderingContext/icons`` has the drawings by name.
public struct Icon: Hashable, Sendable {
  /// The icon as text, such as a letter or an emoji; nil for none.
  public var glyph: String?
  /// The icon as lines in a square of 24 by 24 units, in the path syntax of SVG; nil for none.
  public var path: String?

  /// Creates an icon; a page without a path shows the glyph, a terminal without a glyph shows none.
  public init(_ glyph: String? = nil, path: String? = nil) { (self.glyph, self.path) = (glyph, path) }
}

extension Icon {
  /// The icons of the package by name. Only those that a terminal needs have a glyph, which is one column wide.
  public static let all: [String: Icon] = [
    // Commands.
    "giphy": Icon(path: "M3 5h18v14H3zM10 9l5 3-5 3z"),
    "mute": Icon(path: "M3 9h4l5-4v14l-5-4H3zM16 9l6 6M22 9l-6 6"),
    "unmute": Icon(path: "M3 9h4l5-4v14l-5-4H3zM16 9a4 4 0 0 1 0 6M18.5 6a8 8 0 0 1 0 12"),
    "ban": Icon(path: circle + "M5.6 5.6l12.8 12.8"),
    "unban": Icon(path: circle + "M8 12l3 3 5-6"),
    "flag": Icon(path: "M5 21V4h13l-3 4 3 4H5"),
    // Items of a composer.
    "attachments": Icon(path: "M12 5v14M5 12h14"),
    "commands": Icon(path: "M13 3L5 14h6l-1 7 9-11h-6z"),
    "send": Icon(path: "M12 20V4M5 11l7-7 7 7"),
    "edit": Icon("✎", path: "M4 20l1-5L16 4l4 4L9 19z"),
    "quote": Icon("↩", path: "M9 5L4 10l5 5M4 10h9a7 7 0 0 1 7 7v2"),
    "user": Icon(path: "M8 8a4 4 0 1 0 8 0a4 4 0 1 0-8 0M4 21a8 8 0 0 1 16 0"),
    "checked": Icon("✓", path: square + "M8 12l3 3 5-6"),
    "unchecked": Icon(path: square),
    "photosAndVideos": picture,
    "files": file,
    "camera": Icon(path: "M3 8h4l2-3h6l2 3h4v11H3zM8.5 13a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0"),
    // Kinds of attachments.
    "image": picture,
    "video": Icon(path: "M3 6h12v12H3zM15 11l6-4v10l-6-4"),
    "audio": Icon(path: "M9 6a3 3 0 0 1 6 0v5a3 3 0 0 1-6 0zM6 11a6 6 0 0 0 12 0M12 17v4"),
    "file": file,
    "link": Icon(path: "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1"),
  ]

  private static let circle = "M3 12a9 9 0 1 0 18 0a9 9 0 1 0-18 0"
  private static let square = "M4 4h16v16H4z"
  private static let picture = Icon(path: "M3 5h18v14H3zM3 16l5-5 4 4 3-3 6 5M15.5 9h.01")
  private static let file = Icon(path: "M6 3h8l4 4v14H6zM14 3v4h4")
}

extension RenderingContext {
  /// Returns the icon of a name; nil if there is none.
  ///
  /// A part after a `.` is a variant: without a drawing of its own, `camera.fill` is `camera`. A name of one character,
  /// such as an emoji, is its own glyph.
  public func icon(_ name: String?) -> Icon? {
    guard let name else { return nil }
    var known = name[...]
    while true {
      if let icon = icons[String(known)] { return icon }
      guard let dot = known.lastIndex(of: ".") else { break }
      known = known[..<dot]
    }
    return !name.isEmpty && name.dropFirst().isEmpty ? Icon(name) : nil
  }
}
