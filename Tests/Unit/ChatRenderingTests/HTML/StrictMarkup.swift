// Reads markup more strictly than any browser: what it lets pass means the same to all of them.

/// What was found in a piece of markup, and all that is wrong with it.
struct StrictMarkup {
  /// An element, with its attributes as they are once read.
  struct Element {
    var name: String
    var attributes: [String: String] = [:]
    /// All words within it.
    var text = ""
  }

  private(set) var elements: [Element] = []
  private(set) var problems: [String] = []
  /// All words, as they are once read.
  private(set) var text = ""

  private var open: [Int] = []
  /// The bytes that were not read yet: bytes, since a joiner after the end of a tag continues its character.
  private var rest: ArraySlice<UInt8>

  init(_ markup: String) {
    rest = Array(markup.utf8)[...]
    while let next = rest.firstIndex(of: UInt8(ascii: "<")) {
      take(words: rest[..<next])
      rest = rest[(next + 1)...]
      if take("/") { takeEnd() } else { takeStart() }
    }
    take(words: rest)
    for index in open { problems.append("<\(elements[index].name)> is not closed") }
    let ids = elements.compactMap { $0.attributes["id"] }
    if Set(ids).count != ids.count { problems.append("an id is there twice") }
    if ids.contains(where: { $0.isEmpty || $0.contains(where: \.isWhitespace) }) { problems.append("an id is none") }
    for element in elements { check(element) }
  }

  /// The elements of a name.
  func all(_ name: String) -> [Element] { elements.filter { $0.name == name } }

  /// The elements of a look.
  func look(_ look: String) -> [Element] {
    elements.filter { $0.attributes["class"]?.split(separator: " ").contains(Substring(look)) ?? false }
  }

  /// The ids of all actions that the markup tells, as they came.
  var actions: [String] {
    elements.flatMap { element -> [String] in
      let listed = element.attributes["data-actions"]?.split(separator: " ").map(String.init) ?? []
      let sent = element.name == "button" && element.attributes["name"] == "action"
      return listed + (sent ? [element.attributes["value"] ?? ""] : [])
    }
  }
}

// MARK: Reading

private let void: Set = ["br", "hr", "img", "input", "wbr", "meta", "source"]
private let inline: Set = [
  "a", "b", "bdi", "button", "code", "em", "i", "img", "s", "span", "strong", "time", "textarea", "summary", "svg",
]
private let entities: [[UInt8]: String] = Dictionary(
  uniqueKeysWithValues: [
    ("amp", "&"), ("lt", "<"), ("gt", ">"), ("quot", "\""), ("#39", "'"), ("#10", "\n"), ("#9", "\t"),
  ].map { (Array($0.utf8), $1) })

extension StrictMarkup {
  private mutating func take(words: ArraySlice<UInt8>) {
    let read = decoded(words)
    text += read
    for index in open { elements[index].text += read }
  }

  private mutating func takeEnd() {
    let name = takeName()
    guard take(">") else { return problems.append("</\(name) does not end") }
    guard let last = open.popLast() else { return problems.append("</\(name)> ends nothing") }
    if elements[last].name != name { problems.append("</\(name)> ends <\(elements[last].name)>") }
  }

  private mutating func takeStart() {
    var element = Element(name: takeName())
    if element.name.isEmpty {
      problems.append("'<' begins no element: \(String(decoding: rest.prefix(20), as: UTF8.self))")
    }
    while take(" ") {
      // The one name with a capital letter: pictures of lines have it.
      let key = take("viewBox") ? "viewBox" : takeName()
      guard take("=\"") else { return problems.append("'\(key)' has no value in quotation marks") }
      guard let end = rest.firstIndex(of: UInt8(ascii: "\"")) else { return problems.append("'\(key)' does not end") }
      if element.attributes[key] != nil { problems.append("'\(key)' is there twice") }
      element.attributes[key] = decoded(rest[..<end])
      rest = rest[(end + 1)...]
    }
    guard take(">") else { return problems.append("<\(element.name) does not end") }
    let parents = open.map { elements[$0].name }
    check(element.name, within: parents)
    elements.append(element)
    if !void.contains(element.name) { open.append(elements.count - 1) }
  }

  /// Takes some bytes if they are next; returns whether they are.
  private mutating func take(_ bytes: StaticString) -> Bool {
    let isNext = bytes.withUTF8Buffer { rest.starts(with: $0) }
    if isNext { rest = rest.dropFirst(bytes.utf8CodeUnitCount) }
    return isNext
  }

  private mutating func takeName() -> String {
    let name = rest.prefix { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
      default: false
      }
    }
    rest = rest[name.endIndex...]
    return String(decoding: name, as: UTF8.self)
  }

  private mutating func decoded(_ words: ArraySlice<UInt8>) -> String {
    var output: [UInt8] = []
    output.reserveCapacity(words.count)
    var words = words
    while let byte = words.popFirst() {
      switch byte {
      case UInt8(ascii: "&"):
        let name = words.prefix(8).prefix { $0 != UInt8(ascii: ";") }
        guard let read = entities[Array(name)], words.dropFirst(name.count).first == UInt8(ascii: ";") else {
          problems.append("'&' stands for nothing")
          continue
        }
        words = words.dropFirst(name.count + 1)
        output += read.utf8
      case UInt8(ascii: "<"), UInt8(ascii: ">"):
        problems.append("'\(Unicode.Scalar(byte))' stands in words")
      default: output.append(byte)
      }
    }
    let text = String(decoding: output, as: UTF8.self)
    if !output.allSatisfy({ (0x20..<0x7F).contains($0) || $0 == 0x0A || $0 == 0x09 }) { check(words: text) }
    return text
  }

  private mutating func check(words: String) {
    for value in words.unicodeScalars.lazy.map(\.value) {
      let isControl = (value < 0x20 && value != 0x0A && value != 0x09) || (0x7F...0x9F).contains(value)
      if isControl || value & 0xFFFE == 0xFFFE || (0xFDD0...0xFDEF).contains(value) {
        problems.append("U+\(String(value, radix: 16)) stands in a page")
      }
    }
    if !words.turnsBack { problems.append("a turn of the direction of writing does not end in its line") }
  }
}

// MARK: What is wrong

extension StrictMarkup {
  private mutating func check(_ name: String, within parents: [String]) {
    if ["script", "iframe", "object", "embed", "link", "base"].contains(name) { problems.append("<\(name)> runs") }
    for alone in ["a", "button", "form"] where name == alone && parents.contains(alone) {
      problems.append("<\(name)> within <\(name)>")
    }
    let flow: Set = ["p", "span", "b", "bdi", "a", "button", "summary", "blockquote"]
    if let parent = parents.last, flow.contains(parent), parent != "blockquote", parent != "a", !inline.contains(name) {
      problems.append("<\(name)> within <\(parent)>")
    }
    if let parent = parents.last, ["ul", "ol"].contains(parent), name != "li" {
      problems.append("<\(name)> within <\(parent)>")
    }
    if name == "li", !["ul", "ol"].contains(parents.last ?? "") { problems.append("<li> in no list") }
    if parents.last == "textarea" { problems.append("<\(name)> within <textarea>") }
  }

  private mutating func check(_ element: Element) {
    for (key, value) in element.attributes {
      if key.hasPrefix("on") || key == "srcdoc" { problems.append("'\(key)' runs") }
      if ["href", "src", "action", "formaction"].contains(key) {
        // By scalars, as browsers read it: with a combining mark behind it, a slash is no character of its own.
        let first = value.unicodeScalars.firstIndex { ":/?#".unicodeScalars.contains($0) }
        let scheme = String(value.unicodeScalars[..<(first ?? value.endIndex)]).lowercased()
        let isRelative = first.map { value.unicodeScalars[$0] != ":" } ?? true
        let isPicture = key == "src" && value.hasPrefix("data:image/")
        if !isRelative, !isPicture, !["http", "https", "mailto"].contains(scheme) {
          problems.append("'\(key)' leads to '\(value)'")
        }
      }
    }
    if element.name == "img", element.attributes["alt"] == nil { problems.append("a picture without words") }
  }
}

extension String {
  /// Whether every turn of the direction of writing ends in its line, and nothing ends that did not begin.
  fileprivate var turnsBack: Bool {
    unicodeScalars.split(separator: "\n").allSatisfy { line in
      var open: [Bool] = []
      for scalar in line {
        switch scalar.value {
        case 0x202A, 0x202B, 0x202D, 0x202E: open.append(false)
        case 0x2066...0x2068: open.append(true)
        case 0x202C:
          if open.popLast() != false { return false }
        case 0x2069:
          while open.last == false { open.removeLast() }
          if open.popLast() == nil { return false }
        default: break
        }
      }
      return open.isEmpty
    }
  }
}
