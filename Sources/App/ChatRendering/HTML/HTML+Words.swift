// Words with their look as markup: what stands out, who is meant, where it leads.
internal import ChatMessageList
public import Foundation

extension HTML {
  /// Words with their look, with the addresses in them to be followed.
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

  /// Plain words, with the addresses in them to be followed.
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

  /// Something that leads elsewhere; the place to which it leads learns nothing of the page.
  public static func link(_ address: WebAddress, _ content: HTML) -> HTML {
    element(
      "a", ["href": address.string, "rel": address.isWeb ? "noopener noreferrer nofollow" : nil, "dir": "auto"],
      content)
  }

  /// What somebody is called, which has no part in the direction of what is around it.
  public static func name(_ name: String) -> HTML { element("bdi", [:], text: name) }

  /// Words for those who do not see the page.
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

// MARK: Addresses in words

extension String {
  /// The addresses of pages: from `http://` or `https://` up to the next white space, without punctuation behind them.
  var webAddresses: [(range: Range<Index>, address: WebAddress)] {
    let scalars = unicodeScalars
    var found: [(Range<Index>, WebAddress)] = []
    var place = startIndex
    while let start = utf8[place...].firstIndex(of: UInt8(ascii: "h")) ?? nil {
      place = scalars.index(after: start)
      guard beginsAddress(at: start) else { continue }
      var end = scalars[start...].firstIndex { !$0.isPlainInAddress } ?? endIndex
      place = end
      end = withoutPunctuation(start..<end)
      if let address = WebAddress(String(self[start..<end])) { found.append((start..<end, address)) }
    }
    return found
  }

  /// Whether an address of the web begins at a place, and not in the midst of a word.
  private func beginsAddress(at start: Index) -> Bool {
    let rest = utf8[start...]
    guard rest.starts(with: "http://".utf8) || rest.starts(with: "https://".utf8) else { return false }
    guard start > startIndex else { return true }
    let before = unicodeScalars[unicodeScalars.index(before: start)]
    return !before.properties.isAlphabetic && before.properties.numericType == nil
  }

  /// A place without the punctuation at its end; a `)` stays where its `(` is in it.
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
