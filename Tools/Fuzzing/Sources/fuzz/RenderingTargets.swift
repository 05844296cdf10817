// The renderers: texts and names that users write, in pages and in a terminal.
import Chat
import ChatMessageList
import ChatRendering
import Foundation
import Terminal
import TerminalRendering

extension Target {
  /// Two bytes for the part of a page, and a text; a strict reader must find nothing wrong.
  static let html = Target(
    "html", maxLength: 128, seeds: { _ in hostileTexts.map { "\u{3}" + $0 }.seeds(modes: 0..<16) }, check: checkPage)

  /// Two bytes for the part, a byte for the number of columns, and a text, which must stay within its columns.
  static let terminalText = Target(
    "text", maxLength: 96, seeds: { _ in hostileTexts.map { "\u{3}\u{13}" + $0 }.seeds(modes: 0..<8) },
    check: checkTerminal)
}

/// Texts that try to be more than words.
private let hostileTexts =
  hostile + [
    "a < b && c > \"d\" 'e' &amp;\n\tשלום \u{2067}x\u{2069}", "see https://example.org/a_(b). (http://a.example)",
    "──────── 1970-01-02 ────────", "👨‍👩‍👧‍👦🇩🇪🇫👍🏽東京都 ﷽ \u{301}", "**a** _b_ `c` ~~d~~ @ann", "https://a@b:c/[::1]#é",
  ]

private func checkPage(_ input: [UInt8]) {
  var source = ByteSource(input)
  let (part, choice) = (source.byte() % 32, Int(source.byte()))
  let text = source.remainingText()
  let factory = PageFactory(actionURL: choice & 1 == 0 ? nil : "/act", loadsPictures: choice & 2 == 0)
  let words = UserText(text)
  switch part {
  case 0 where choice == 255:
    let message = everyMessage(saying: text)[text.utf8.count % 16]
    requireStrict(factory.drawList(everyRow(of: [message], saying: text)).markup)
  case 0:
    let messages = everyMessage(saying: text, id: String(text.prefix(9)))
    requireStrict(factory.drawList(MessageLayout([messages[choice % messages.count]])).markup)
  case 1: requireStrict(factory.draw(everyComposer(saying: text)).markup)
  case 2:
    let lists = ListItem.all(words)
    requireStrict(factory.draw(lists[choice % lists.count].kind, lists[choice % lists.count].items).markup)
  case 3:
    requireStrict(factory.draw([channelItem(named: words)], hasMore: true).markup)
    requireStrict(factory.draw([threadItem(about: words)]).markup)
    requireStrict(factory.draw([draft(saying: words)]).markup)
  case 4:
    let page = factory.page(title: text, language: text, factory.draw([draft(saying: words)]))
    guard let body = page.range(of: "<body>"), let end = page.range(of: "</body>") else {
      return require(false, "a page has no body")
    }
    requireStrict(String(page[body.lowerBound..<end.upperBound]))
  case 5, 6:
    for action in [SlotAction.message(.reply, text), .react(text, message: text), .jump(to: text)] {
      let read = requireStrict(HTML.element("p", ["data-actions": action.pageID]).markup)
      require(read.actions == [action.pageID], "the action \(action.pageID) is read as \(read.actions)")
      require(SlotAction.id(ofPageID: action.pageID) == action.id, "the id of \(action.pageID) differs")
    }
  case 7...10:
    let read = requireStrict(HTML(linking: text).markup)
    // A direction that is set before a link ends there.
    let (linked, plain) = (withoutDirections(HTML(text: read.text)), withoutDirections(HTML(text: text)))
    require(linked == plain, "links change the words \(text.debugDescription)")
  case 11...14:
    requireStrict(HTML.element("a", ["href": text], text: text).markup)
    if let address = WebAddress(text) { require(address.string == text, "an address is changed") }
  default:
    let piece = HTML.joined([HTML(text: text), .name(text), HTML(words: AttributedString(text))])
    let read = requireStrict(HTML.element("div", ["title": text, "class": text], piece).markup)
    require(Set(read.elements.map(\.name)).isSubset(of: ["div", "bdi", "a"]), "words are elements")
  }
}

private func withoutDirections(_ html: HTML) -> [Unicode.Scalar] {
  html.markup.unicodeScalars.filter { !(0x202A...0x202E).contains($0.value) && !(0x2066...0x2069).contains($0.value) }
}

@discardableResult
private func requireStrict(_ markup: String) -> StrictMarkup {
  let read = StrictMarkup(markup)
  require(read.problems.isEmpty, "\(read.problems.prefix(3)) in \(markup.prefix(2000))")
  return read
}

private func checkTerminal(_ input: [UInt8]) {
  var source = ByteSource(input)
  let (part, choice) = (source.byte() % 16, Int(source.byte()))
  let columns = 1 + Int(source.byte() % 80)
  let text = source.remainingText()
  switch part {
  case 0 where choice == 255:
    let drawings = PlainTextFactory(columns: columns).drawings(text, name: text).sorted { $0.key < $1.key }
    let (place, draw) = drawings[text.utf8.count % drawings.count]
    check(draw(), columns, place)
  case 0:
    let messages = Said.all(text, name: text)
    let layout = MessageLayout([messages[choice % messages.count]])
    for row in layout.rows { check(PlainTextFactory(columns: columns).draw(row, of: layout), columns, row.id) }
  case 1: check(PlainTextFactory(columns: columns).draw(ComposerSlot.all(text)), columns, "composer")
  case 2: check(PlainTextFactory(columns: columns).makeDraftListItem(Listed.draft(text)), columns, "draft")
  case 3...6:
    let visible = text.visible(inOneLine: true)
    require(
      visible.unicodeScalars.allSatisfy(isQuiet), "\(text.debugDescription) is visible as \(visible.debugDescription)")
    require(visible.visible(inOneLine: true) == visible, "\(visible.debugDescription) is visible as something else")
    _ = text.visible(keepingStyles: true)
  default: check(TerminalText(text), columns, "text")
  }
}

private func isQuiet(_ scalar: Unicode.Scalar) -> Bool {
  scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value) && !(0x2028...0x202E).contains(scalar.value)
    && !(0x2066...0x2069).contains(scalar.value)
}

/// Each line must do nothing but fill its columns; with styles, it must have no other sequences.
private func check(_ drawn: TerminalText, _ columns: Int, _ place: String) {
  let plain = drawn.text(columns: columns, hasColors: false)
  for line in plain.unicodeScalars.split(separator: "\n") {
    let line = String(String.UnicodeScalarView(line))
    // Not the columns of a new line, which would mark each letter without a base again.
    let count = line.reduce(0) { $0 + columnWidth(of: $1) }
    require(count <= columns, "\(place): \(line.debugDescription) has \(count) of \(columns) columns")
    require(line.unicodeScalars.allSatisfy(isQuiet), "\(place): \(line.debugDescription) does something")
  }
  let colored = drawn.text(columns: columns, hasColors: true)
  require(withoutStyles(colored) == plain, "\(place): styles change \(plain.debugDescription)")
}

/// Returns a text without the sequences of styles: `ESC [`, digits and semicolons, `m`.
private func withoutStyles(_ text: String) -> String {
  var rest = Array(text.utf8)[...]
  var kept: [UInt8] = []
  while let byte = rest.popFirst() {
    let parameters = rest.dropFirst().prefix { (0x30...0x3B).contains($0) }
    if byte == 0x1B, rest.first == UInt8(ascii: "["), rest.dropFirst(1 + parameters.count).first == UInt8(ascii: "m") {
      rest = rest.dropFirst(2 + parameters.count)
    } else {
      kept.append(byte)
    }
  }
  return String(decoding: kept, as: UTF8.self)
}
