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
  private var rest: Substring

  init(_ markup: String) {
    rest = Substring(markup)
    while let next = rest.unicodeScalars.firstIndex(of: "<") {
      take(words: rest[..<next])
      rest = rest[next...].dropScalars(1)
      if rest.unicodeScalars.starts(with: "/".unicodeScalars) { takeEnd() } else { takeStart() }
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
private let entities = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "#39": "'", "#10": "\n", "#9": "\t"]

extension StrictMarkup {
  private mutating func take(words: Substring) {
    let read = decoded(words)
    text += read
    for index in open { elements[index].text += read }
  }

  private mutating func takeEnd() {
    rest = rest.dropScalars(1)
    let name = takeName()
    guard rest.unicodeScalars.first == ">" else { return problems.append("</\(name) does not end") }
    rest = rest.dropScalars(1)
    guard let last = open.popLast() else { return problems.append("</\(name)> ends nothing") }
    if elements[last].name != name { problems.append("</\(name)> ends <\(elements[last].name)>") }
  }

  private mutating func takeStart() {
    var element = Element(name: takeName())
    if element.name.isEmpty { problems.append("'<' begins no element: \(rest.prefix(20))") }
    while rest.unicodeScalars.first == " " {
      rest = rest.dropScalars(1)
      let key = rest.hasPrefix("viewBox=") ? takeViewBox() : takeName()
      guard rest.unicodeScalars.starts(with: "=\"".unicodeScalars) else {
        return problems.append("'\(key)' has no value in quotation marks")
      }
      rest = rest.dropScalars(2)
      guard let end = rest.unicodeScalars.firstIndex(of: "\"") else { return problems.append("'\(key)' does not end") }
      if element.attributes[key] != nil { problems.append("'\(key)' is there twice") }
      element.attributes[key] = decoded(rest[..<end])
      rest = rest[end...].dropScalars(1)
    }
    guard rest.unicodeScalars.first == ">" else { return problems.append("<\(element.name) does not end") }
    rest = rest.dropScalars(1)
    let parents = open.map { elements[$0].name }
    check(element.name, within: parents)
    elements.append(element)
    if !void.contains(element.name) { open.append(elements.count - 1) }
  }

  private mutating func takeName() -> String {
    let name = rest.unicodeScalars.prefix { ("a"..."z").contains($0) || ("0"..."9").contains($0) || $0 == "-" }
    rest = rest[name.endIndex...]
    return String(name)
  }

  /// Takes the one name with a capital letter: pictures of lines have it.
  private mutating func takeViewBox() -> String {
    rest = rest.dropScalars("viewBox".count)
    return "viewBox"
  }

  private mutating func decoded(_ words: Substring) -> String {
    var output = String.UnicodeScalarView()
    var scalars = words.unicodeScalars
    while let scalar = scalars.popFirst() {
      switch scalar {
      case "&":
        let name = scalars.prefix { $0 != ";" && output.count >= 0 }.prefix(8)
        guard let read = entities[String(name)] else {
          problems.append("'&' stands for nothing")
          continue
        }
        scalars = scalars.dropFirst(name.count + 1)
        output.append(contentsOf: read.unicodeScalars)
      case "<", ">": problems.append("'\(scalar)' stands in words")
      default:
        let value = scalar.value
        let isControl = (value < 0x20 && value != 0x0A && value != 0x09) || (0x7F...0x9F).contains(value)
        if isControl || value & 0xFFFE == 0xFFFE || (0xFDD0...0xFDEF).contains(value) {
          problems.append("U+\(String(value, radix: 16)) stands in a page")
        }
        output.append(scalar)
      }
    }
    let text = String(output)
    if !text.turnsBack { problems.append("a turn of the direction of writing does not end in its line") }
    return text
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
        let scheme = value.prefix { !":/?#".contains($0) }.lowercased()
        let isRelative = !value.dropFirst(scheme.count).hasPrefix(":")
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

extension Substring {
  fileprivate func dropScalars(_ count: Int) -> Substring {
    self[(unicodeScalars.index(startIndex, offsetBy: count, limitedBy: endIndex) ?? endIndex)...]
  }
}
