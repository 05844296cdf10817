// Tests of typing: grapheme clusters, input from text views, and no-op actions.
import Chat
import ChatComposer
import Testing

struct Typing {
  private static let family = "👩‍👩‍👧"

  @Test(arguments: ["👩‍👩‍👧", "🇩🇪", "👍🏽", "e\u{301}", "\r\n", "क्षि", "\u{1100}\u{1161}\u{11A8}", "1\u{FE0F}\u{20E3}", "🙂"])
  func `an offset within a grapheme cluster is moved to its start`(character: String) {
    let text = TypedText("a\(character)b")
    let count = character.utf16.count
    for place in 1..<1 + count {
      #expect(text.clusterStart(at: UTF16Offset(rawValue: place)) == 1)
      var desk = Desk(text)
      desk.move(to: UTF16Offset(rawValue: place))
      #expect(desk.shown == "a|\(character)b")
      desk.act(.replace(place..<text.units.count, with: "x"))
      #expect(desk.shown == "ax|")
    }
    #expect(text.clusterEnd(after: 1) == UTF16Offset(rawValue: 1 + count))
    var desk = Desk(text)
    desk.move(to: UTF16Offset(rawValue: 1 + count))
    desk.act(.backspace)
    #expect(desk.shown == "a|b")
  }

  @Test func `an offset outside of the text is clamped`() {
    var desk = Desk("abc")
    desk.act(.moveSelection(-9 ..< -4))
    #expect(desk.shown == "|abc")
    desk.act(.moveSelection(-1..<2))
    #expect(desk.shown == "[ab]c")
    desk.act(.moveSelection(9..<12))
    #expect(desk.shown == "abc|")
    desk.act(.replace(2..<100, with: "d"))
    #expect(desk.shown == "abd|")
  }

  @Test func `an unpaired surrogate becomes one unit of U+FFFD`() {
    #expect(TypedText(units: [0x61, 0xD83D, 0x62, 0xDE42]).units == [0x61, 0xFFFD, 0x62, 0xFFFD])
    var desk = Desk("a")
    desk.act(.type(String(decoding: [0xD83D], as: UTF16.self)))
    desk.act(.type(String(decoding: [0xDE42], as: UTF16.self)))
    #expect(desk.shown == "a\u{FFFD}\u{FFFD}|")
    desk.act(.setText(String(decoding: [0x61, 0xD83D, 0xDE42], as: UTF16.self)))
    #expect(desk.shown == "a🙂|")
  }

  @Test func `a caret within a grapheme cluster is moved to its start`() {
    var desk = Desk("👩👧")
    desk.move(to: 2)
    desk.act(.type("\u{200D}"))
    #expect(desk.shown == "|👩‍👧")
    desk.act(.undo)
    #expect(desk.shown == "👩|👧")
  }

  @Test(
    arguments: [
      ("one two", "one too", 5..<6, "o"), ("", "a", 0..<0, "a"), ("aa", "aaa", 2..<2, "a"), ("abc", "ac", 1..<2, ""),
      ("e", "e\u{301}", 0..<1, "e\u{301}"), ("e\u{301}x", "ex", 0..<2, "e"), ("👍🏽", "👍🏿", 0..<4, "👍🏿"),
      ("🇩🇪🇫🇷", "🇩🇪", 4..<8, ""), ("a\r\nb", "a\nb", 1..<3, "\n"), ("🙂", "🙃", 0..<2, "🙃"),
    ] as [(String, String, UTF16Range, String)])
  func `setting the whole text makes the minimal splice between grapheme clusters`(
    old: String, new: String, range: UTF16Range, text: String
  ) {
    let (a, b) = (TypedText(old), TypedText(new))
    #expect(a.splice(to: b) == Splice(range, to: UserText(text)))
    var desk = Desk(a)
    #expect(desk.act(.setText(new)) == [.typed(Splice(range, to: UserText(text)), text.isEmpty ? .deleted : .typed)])
    #expect(desk.content.text == b)
  }

  @Test func `a splice starts and ends on boundaries of both texts, and none is smaller`() {
    let parts = ["🇩", "e", "\u{301}", "\u{200D}"]
    let texts = parts.flatMap { a in parts.flatMap { b in parts.map { c in TypedText(a + b + c) } } }
    func isBoundary(_ offset: Int, in text: TypedText) -> Bool { text.isClusterBoundary(UTF16Offset(rawValue: offset)) }
    for a in texts {
      for b in texts where a != b {
        let (m, n) = (a.units.count, b.units.count)
        let start = (0...min(m, n)).last {
          a.units.prefix($0) == b.units.prefix($0) && isBoundary($0, in: a) && isBoundary($0, in: b)
        }!
        let tail = (0...min(m, n) - start).last {
          a.units.suffix($0) == b.units.suffix($0) && isBoundary(m - $0, in: a) && isBoundary(n - $0, in: b)
        }!
        let range = UTF16Offset(rawValue: start)..<UTF16Offset(rawValue: m - tail)
        let new = b.userText(of: UTF16Offset(rawValue: start)..<UTF16Offset(rawValue: n - tail))
        #expect(a.splice(to: b) == Splice(range, to: new), "\(a.units) to \(b.units)")
      }
    }
  }

  // What broke: each unit of the shared cluster was tested for a boundary from the cluster's start on.
  @Test(.timeLimit(.minutes(2))) func `a long grapheme cluster is replaced, and passed by, in linear time`() {
    let old = "a" + String(repeating: "\u{301}", count: 60_000)
    let (a, b) = (TypedText(old), TypedText(old + "\u{301}"))
    #expect(a.splice(to: b) == Splice(.start..<a.end, to: b.userText))
    #expect(TypedText("x" + old).splice(to: TypedText("y" + old)) == Splice(0..<1, to: "y"))
    #expect(a.clusterEnd(after: 0) == a.end)
  }

  @Test func `an action whose effect already holds is a no-op`() {
    var desk = Desk("one 🙂")
    #expect(desk.content.text.splice(to: "one 🙂") == nil)
    for action in [
      .setText("one 🙂"), .type(""), .paste(""), .replace(2..<2, with: ""), .moveSelection(6..<6), .moveSelection(7..<9),
      .redo, .undo, .stopQuoting, .cancelEdit, .detach("a"), .setSilent(false), .setShowsInChannel(false),
      .setShowsInChannel(true), .setExtra([:]), .showPicker(.collapsed), .enter(.new, keeping: []),
    ] as [Composer.Action] {
      // A replace puts the caret after the new text, even if the text is equal.
      if case .replace = action { desk.move(to: 2) } else { desk.move(to: 6) }
      desk.actInVain(action)
    }
    #expect(!desk.reducer.canUndo)
  }

  @Test func `replacing text by equal text only moves the caret`() {
    var desk = Desk("one")
    desk.act(.moveSelection(0..<3))
    #expect(desk.act(.type("one")) == [.selectionMoved(3..<3)])
  }

  @Test func `a change of normalization form alone is a change`() {
    var desk = Desk("\u{E9}")
    #expect(desk.act(.setText("e\u{301}")) == [.typed(Splice(0..<1, to: "e\u{301}"))])
    #expect(desk.content.text.units == [0x65, 0x301])
  }

  @Test func `a change before a mention shifts it, one inside ends it, and undo restores it`() {
    var desk = Desk()
    desk.type("@ad")
    desk.pick("ada", named: "Ada")
    desk.act(.replace(0..<0, with: "hi 🙂 "))
    #expect(desk.meant == ["ada: @Ada"])
    desk.act(.replace(10..<10, with: "!"))
    #expect(desk.meant == ["ada: @Ada"])
    for action in [.replace(7..<7, with: "x"), .replace(0..<8, with: ""), .setText("hi 🙂 @Ad!")] as [Composer.Action] {
      var other = desk
      other.act(action)
      #expect(other.meant == [])
      other.act(.undo)
      #expect(other.composer.content == desk.composer.content)
      #expect(other.meant == ["ada: @Ada"])
    }
  }
}
