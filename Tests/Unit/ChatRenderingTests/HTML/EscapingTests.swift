// What people write stays words: in markup, in names of elements, in addresses.
import Chat
import ChatMessageList
import ChatRendering
import Foundation
import SeededRandom
import Testing

struct `Words in a page` {
  @Test(arguments: hostile)
  func `do nothing, whatever they are`(text: String) {
    let read = expectStrict(HTML.element("p", ["title": text, "class": text], text: text).markup)
    #expect(read.elements.map(\.name) == ["p"])
    #expect(Set(read.elements[0].attributes.keys) == ["title", "class"])
  }

  @Test func `do nothing, however they are put together`() {
    var random = SeededRandom.printingSeed()
    for _ in 0..<300 {
      let (text, other) = (random.hostileText(), random.hostileText())
      let piece = HTML.joined([HTML(text: text), .name(other), HTML(linking: text + other)])
      let read = expectStrict(HTML.element("div", ["title": other], piece).markup)
      #expect(Set(read.elements.map(\.name)).isSubset(of: ["div", "bdi", "a"]))
    }
  }

  @Test func `are the same words once they are read`() {
    let text = "a < b && c > \"d\" 'e' &amp; 👩‍👩‍👧‍👦\n\tשלום \u{2067}x\u{2069}"
    let read = expectStrict(HTML.element("p", ["title": text], text: text).markup)
    #expect(read.text == text)
    #expect(read.elements[0].attributes["title"] == text)
  }

  @Test func `show control characters as their pictures`() {
    #expect(HTML(text: "a\u{0}\u{1B}[2J\u{7F}").markup == "a\u{2400}\u{241B}[2J\u{2421}")
    #expect(HTML(text: "a\u{85}b").markup == "a\u{FFFD}b")
    #expect(HTML(text: "a\r\nb\rc\n\rd").markup == "a\nb\nc\n\nd")
  }

  @Test func `turn the direction of writing for themselves alone`() {
    #expect(HTML(text: "\u{202E}a\u{2066}b\nc").markup == "\u{202E}a\u{2066}b\u{2069}\u{202C}\nc")
    #expect(HTML(text: "a\u{2069}\u{202C}b").markup == "ab")
    #expect(HTML(text: "\u{2067}\u{202E}a\u{2069}b\u{202C}").markup == "\u{2067}\u{202E}a\u{2069}b")
    #expect(HTML(text: "\u{202E}\u{2069}a").markup == "\u{202E}a\u{202C}")
  }

  @Test func `may be a megabyte without a space`() {
    for letter in ["a", "<", "\u{202E}", "\u{2069}", "h", "http://"] {
      let text = String(repeating: letter, count: 1_000_000 / letter.utf8.count)
      let markup = HTML(words: AttributedString(text)).markup
      #expect(markup.utf8.count <= 8 * text.utf8.count)
      #expect(!markup.contains(letter == "<" ? "<" : "<script"))
    }
  }
}

struct `Elements of a page` {
  @Test func `leave out addresses that are none to follow`() {
    let link = HTML.element("a", ["href": "javascript:alert(1)", "class": "b"], text: "c")
    #expect(link.markup == "<a class=\"b\">c</a>")
    #expect(HTML.element("img", ["src": "data:text/html,x", "alt": ""]).markup == "<img alt=\"\">")
    let picture = HTML.element("img", ["src": "data:image/png;base64,AA==", "alt": ""])
    #expect(picture.markup == "<img src=\"data:image/png;base64,AA==\" alt=\"\">")
  }

  @Test func `tell the actions that nothing within them tells`() {
    var words = HTML(text: "a")
    words.carry(.loadOlder)
    #expect(words.markup == "<span data-actions=\"older\">a</span>")
    var others = HTML(text: "b")
    others.carry(.loadNewer)
    #expect(HTML.element("p", [:], [words, others]).markup == "<p data-actions=\"older newer\">ab</p>")
    let inner = HTML.element("b", [:], words)
    let outer = HTML.element("p", [:], inner)
    #expect(outer.markup == "<p><b data-actions=\"older\">a</b></p>")
    #expect(outer.actions == [.loadOlder])
  }

  @Test func `that run something are no elements`() async {
    await #expect(processExitsWith: .failure) { _ = HTML.element("script") }
    await #expect(processExitsWith: .failure) { _ = HTML.element("p", ["onclick": "a"]) }
  }

  @Test func `take an app's own markup as it is`() {
    #expect(HTML.element("p", [:], HTML(trusted: "<b>a</b>")).markup == "<p><b>a</b></p>")
    #expect(HTML().isEmpty && !HTML(text: "a").isEmpty)
  }
}

struct `Addresses in a page` {
  @Test(arguments: [
    "https://example.org", "HTTP://example.org/a?b=c#d", "mailto:ann@example.org", "a/b.png", "/a", "#a", "?a=b:c",
    "https://example.org/ä", "https://[::1]/",
  ])
  func `are followed where they are harmless`(text: String) { #expect(WebAddress(text)?.string == text) }

  @Test(arguments: [
    "", "javascript:alert(1)", "JaVaScRiPt:alert(1)", "java\nscript:a", " javascript:a", "\u{1}javascript:a",
    "data:text/html,a", "vbscript:a", "file:///etc/passwd", "//example.org", "\\\\example.org", "/\\example.org",
    "http:example.org", "https://", "http:///a", "https://a b", "https://a\u{202E}b", "blob:a", "https:/\\a", "mailto:",
    "a:b", "https://\"a", "view-source:a",
  ])
  func `are words where they are not`(text: String) { #expect(WebAddress(text) == nil) }

  @Test(arguments: [
    ("see https://example.org/a.", ["https://example.org/a"]),
    ("(http://a.example/b_(c))", ["http://a.example/b_(c)"]),
    ("http://a.example, https://b.example!", ["http://a.example", "https://b.example"]),
    ("xhttp://a.example", []), ("http://", []), ("www.example.org", []),
    ("https://a.example/\u{202E}b", ["https://a.example/"]), ("<https://a.example>", ["https://a.example"]),
  ])
  func `are found in words`(text: String, links: [String]) {
    let read = expectStrict(HTML(linking: text).markup)
    #expect(read.all("a").map { $0.attributes["href"] } == links)
    #expect(read.all("a").map(\.text) == links)
    #expect(read.all("a").allSatisfy { $0.attributes["rel"] == "noopener noreferrer nofollow" })
    #expect(HTML(text: read.text) == HTML(text: text))
  }

  @Test func `of words with a look are checked too`() {
    var good = AttributedString("here")
    good.link = URL(string: "https://example.org/a")
    var bad = AttributedString("there")
    bad.link = URL(string: "javascript:alert(1)")
    let read = expectStrict(HTML(words: good + bad).markup)
    #expect(read.all("a").map { $0.attributes["href"] } == ["https://example.org/a"])
    #expect(read.text == "herethere")
  }
}

struct `The look of words` {
  @Test func `is that of their marks`() {
    var words = AttributedString("a")
    words[TextStyleAttribute.self] = [.strong, .emphasized, .code, .struckThrough]
    #expect(HTML(words: words).markup == "<strong><em><s><code>a</code></s></em></strong>")
    words = AttributedString("@Ann")
    words[MentionAttribute.self] = "ann"
    #expect(HTML(words: words).markup == "<strong class=\"mention\">@Ann</strong>")
  }
}

struct `Names in a page` {
  @Test func `of elements are different for different messages`() {
    let factory = PageFactory()
    let ids = hostile + ["a b", "a_20b", "a/b", "a%2Fb", "A", "a", "é", "e\u{301}", "unread"]
    let names = ids.map { factory.elementID(ofMessage: $0) }
    #expect(Set(names).count == Set(ids.map { Array($0.utf8) }).count)
    #expect(names.allSatisfy { name in name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x25 } })
    #expect(PageFactory(idPrefix: "b").elementID(ofMessage: "a") == "bmessage-a")
  }

  @Test func `of actions are different for different parts`() {
    #expect(SlotAction.react("a:b", message: "c").id != SlotAction.react("a", message: "b:c").id)
    #expect(SlotAction.react("a%3Ab", message: "c").id != SlotAction.react("a:b", message: "c").id)
    #expect(SlotAction.open("a:b", message: "c").id != SlotAction.open("a", message: "b:c").id)
    #expect(SlotAction.react("👍", message: "c:d").id == "reaction:👍:c:d")
  }

  @Test(arguments: hostile)
  func `of actions come back as they were`(text: String) {
    for action in [SlotAction.message(.reply, text), .react(text, message: text), .jump(to: text)] {
      let read = expectStrict(HTML.element("p", ["data-actions": action.pageID]).markup)
      #expect(read.actions == [action.pageID])
      #expect(SlotAction.id(ofPageID: action.pageID) == action.id)
    }
  }
}
