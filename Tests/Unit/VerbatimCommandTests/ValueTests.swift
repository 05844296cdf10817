// How values are written for programs and for people: by their names in Swift, in one order, in columns.
import EventLog
import Foundation
import JSONLines
import Testing
import Verbatim

@testable import VerbatimCommand

@Suite struct `A value as JSON` {
  @Test func `is named as in Swift, without what is nil`() {
    let key = Message.Key("general", "m1")
    #expect(JSON(of: key).text == #"{"channel":"general","id":"m1"}"#)
    #expect(JSON(of: Device.Info(name: "Phone")).text == #"{"name":"Phone"}"#)
    #expect(
      JSON(of: ChannelConfig(off: [.search, .typingEvents])).text.hasPrefix(#"{"off":["typingEvents","search"],"#))
    #expect(JSON(of: Int?.none as Any) == .null)
  }

  @Test func `of a case is its name, or its name with what it holds`() {
    #expect(JSON(of: Message.Event.restored).text == "restored")
    #expect(JSON(of: Message.Event.deleted(forGood: true)).text == #"{"deleted":{"forGood":true}}"#)
    #expect(JSON(of: Message.Event.pinned(.endless)).text == #"{"pinned":"endless"}"#)
    #expect(
      JSON(of: Reaction.Event.added("wave", score: 2)).text == #"{"added":{"_0":"wave","score":2}}"#)
    #expect(
      JSON(of: Composer.Event.typed(Splice(1..<3, to: "é"))).text
        == #"{"typed":{"range":[1,3],"text":"é"}}"#)
    #expect(JSON(of: Ban.Event.imposed(.endless, reason: nil)).text == #"{"imposed":{"_0":"endless"}}"#)
    #expect(JSON(of: Composer.Event.entered("edit", keeping: [.extra, .text])).text.contains(#"["text","extra"]"#))
    #expect(JSON(of: Draft.Event.deleted(.cleared, Edit(at: Instant(rawValue: 0), on: nil))).text.contains("cleared"))
  }

  @Test func `has the texts of ids, instants and bytes`() {
    #expect(JSON(of: Instant(rawValue: 0)).text == "1970-01-01T00:00:00.000000Z")
    #expect(JSON(of: AppEvent("a", payload: [1, 2])).text == #"{"name":"a","version":1,"payload":"AQI="}"#)
    #expect(JSON(of: Author.user("ada", on: "phone")).text == #"{"user":"ada","device":"phone"}"#)
    #expect(JSON(of: Author.system).text == "system")
    #expect(JSON(of: ["b": Set([3, 1, 2]), "a": []]).text == #"{"a":[],"b":[1,2,3]}"#)
  }
}

@Suite struct `An instant as one types it` {
  @Test(arguments: [
    "1970-01-01T00:00:00.000000Z", "2026-11-22T12:30:05.000001Z", "2000-02-29T23:59:59.999999Z",
    "1969-12-31T23:59:59.500000Z", "0001-01-01T00:00:00.000000Z", "9999-12-31T00:00:00.000000Z",
  ])
  func `is the one that is written so`(text: String) {
    #expect(Instant(rfc3339: text)?.description == text)
  }

  @Test func `may be of another zone, and leave parts of a second out`() {
    #expect(Instant(rfc3339: "2026-01-01T01:30:00+02:00") == Instant(rfc3339: "2025-12-31T23:30:00Z"))
    #expect(Instant(rfc3339: "2026-01-01 00:00:00.5Z")?.description == "2026-01-01T00:00:00.500000Z")
  }

  @Test(arguments: [
    "", "now", "2026-01-01", "2026-13-01T00:00:00Z", "2026-02-29T00:00:00Z", "2026-01-01T24:00:00Z",
    "2026-01-01T00:00:00", "2026-01-01T00:00:00+2:00", "0000-01-01T00:00:00Z", "2026-01-00T00:00:00Z",
  ])
  func `is none`(text: String) { #expect(Instant(rfc3339: text) == nil) }
}

@Suite struct `A table` {
  private let table = TextTable(
    [.init("id"), .init("n", isNumber: true), .init("text", isCut: true)],
    [["a", "1", String(repeating: "x", count: 40)], ["longer", "100", "short"]])

  @Test func `is as wide as its cells, and cut where there is too little room`() {
    #expect(
      table.lines(columns: 80, hasColors: false) == [
        "id        n  text", "a         1  " + String(repeating: "x", count: 40), "longer  100  short",
      ])
    let narrow = table.lines(columns: 30, hasColors: false)
    #expect(narrow[1] == "a         1  " + String(repeating: "x", count: 16) + "…")
    // What may not be cut is not, however narrow it is.
    #expect(table.lines(columns: 5, hasColors: false)[2] == "longer  100  short")
  }

  @Test func `has colors only where they are wanted`() {
    #expect(table.lines(columns: 80, hasColors: false).allSatisfy { !$0.contains("\u{1B}") })
    let colored = table.lines(columns: 80, hasColors: true)
    #expect(colored[0].contains("\u{1B}[0;2mid"))
  }

  @Test func `of properties breaks what is long at words`() {
    var list = PropertyList()
    list.add("text", "one two three four five six")
    list.add("none", nil)
    list.add("id", "m1")
    #expect(
      list.lines(columns: 26, hasColors: false) == ["text  one two three four", "      five six", "id    m1"])
  }
}
