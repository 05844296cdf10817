// Styled text as markup: emphasis, mentions, links.
internal import ChatMessageList
public import Foundation

extension HTML {
  /// Creates markup of a styled text, with links for its addresses.
  public init(words: AttributedString) {
    self.init()
    for run in words.runs {
      let text = String(words[run.range].characters)
      let address = run.link.flatMap { WebAddress($0.absoluteString) }
      var piece = address == nil ? HTML(linking: text) : HTML(text: text)
      if run[MentionAttribute.self] != nil { piece = .element("strong", ["class": "mention"], piece) }
      piece = piece.looking(run.textStyle)
      if let address { piece = .link(address, piece) }
      append(piece)
    }
  }

  /// Creates markup of a plain text, with links for its addresses.
  public init(linking text: String) {
    self.init()
    var end = text.startIndex
    for found in text.webAddresses {
      append(HTML(text: String(text[end..<found.range.lowerBound])))
      append(.link(found.address, HTML(text: found.address.string)))
      end = found.range.upperBound
    }
    append(HTML(text: String(text[end...])))
  }

  /// Returns a link; the target receives no referrer.
  public static func link(_ address: WebAddress, _ content: HTML) -> HTML {
    element(
      "a", ["href": address.string, "rel": address.isWeb ? "noopener noreferrer nofollow" : nil, "dir": "auto"],
      content)
  }

  /// Returns a name, isolated from the direction of the text around it.
  public static func name(_ name: String) -> HTML { element("bdi", [:], text: name) }

  /// Creates markup of an icon, hidden from screen readers: its lines, or its glyph if it has none.
  public init(_ icon: Icon) {
    guard let path = icon.path else {
      self = icon.glyph.map { .element("span", ["aria-hidden": "true"], text: $0) } ?? HTML()
      return
    }
    // Safe because the path is escaped as an attribute's value.
    self.init(
      trusted: """
        <svg class="icon" viewBox="0 0 24 24" width="1em" height="1em" aria-hidden="true">\
        <path d="\(path.escaped(for: .attribute))"></path></svg>
        """)
  }

  /// Returns a text for screen readers only.
  static func spoken(_ text: String) -> HTML { element("span", ["class": "spoken"], text: text) }

  private func looking(_ style: TextStyle) -> HTML {
    var output = self
    if style.contains(.code) { output = .element("code", [:], output) }
    if style.contains(.struckThrough) { output = .element("s", [:], output) }
    if style.contains(.emphasized) { output = .element("em", [:], output) }
    if style.contains(.strong) { output = .element("strong", [:], output) }
    return output
  }
}

// MARK: Addresses in text

extension String {
  /// The web addresses: from `http://` or `https://` up to the next white space, without trailing punctuation.
  var webAddresses: [(range: Range<Index>, address: WebAddress)] {
    let scalars = unicodeScalars
    var found: [(Range<Index>, WebAddress)] = []
    var index = startIndex
    while let start = utf8[index...].firstIndex(of: UInt8(ascii: "h")) ?? nil {
      index = scalars.index(after: start)
      guard beginsAddress(at: start) else { continue }
      var end = scalars[start...].firstIndex { !$0.isPlainInAddress } ?? endIndex
      index = end
      end = withoutPunctuation(start..<end)
      if let address = WebAddress(String(self[start..<end])) { found.append((start..<end, address)) }
    }
    return found
  }

  /// Returns whether a web address begins at an index, and not within a word.
  private func beginsAddress(at start: Index) -> Bool {
    let rest = utf8[start...]
    guard rest.starts(with: "http://".utf8) || rest.starts(with: "https://".utf8) else { return false }
    guard start > startIndex else { return true }
    let before = unicodeScalars[unicodeScalars.index(before: start)]
    return !before.properties.isAlphabetic && before.properties.numericType == nil
  }

  /// Returns the end of an address without trailing punctuation; a `)` is kept if its `(` is in the address.
  private func withoutPunctuation(_ range: Range<Index>) -> Index {
    let scalars = unicodeScalars[range]
    var open = scalars.reduce(0) { $0 + ($1 == "(" ? 1 : $1 == ")" ? -1 : 0) }
    var end = range.upperBound
    while end > range.lowerBound {
      let last = scalars.index(before: end)
      let letter = scalars[last]
      if letter == ")" {
        if open >= 0 { break }
        open += 1
      } else if !".,;:!?]}'*_»”’".unicodeScalars.contains(letter) {
        break
      }
      end = last
    }
    return end
  }
}
