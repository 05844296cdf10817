// The forms of values for programs and for people: JSON in declaration order, instants, tables.
import EventLog
import Foundation
import JSONLines
import Testing
import Verbatim

@testable import VerbatimCommand

@Suite struct `A value as JSON` {
  @Test func `a value has the names of Swift, without nil`() {
    let key = Message.Key("general", "m1")
    #expect(JSON(of: key).text == #"{"channel":"general","id":"m1"}"#)
    #expect(JSON(of: Device.Info(name: "Phone")).text == #"{"name":"Phone"}"#)
    #expect(
      JSON(of: ChannelConfig(off: [.search, .typingEvents])).text.hasPrefix(#"{"off":["typingEvents","search"],"#))
    #expect(JSON(of: Int?.none as Any) == .null)
  }

  @Test func `an enum case is its name, or an object with its values`() {
    #expect(JSON(of: Message.Event.restored).text == "restored")
    #expect(JSON(of: Message.Event.deleted(forGood: true)).text == #"{"deleted":{"forGood":true}}"#)
    #expect(JSON(of: Composer.Picker.expanded(.custom("polls"))).text == #"{"custom":"polls"}"#)
  }

  @Test func `ids and instants are strings`() {
    #expect(JSON(of: Timestamp(rawValue: 0)).text == "1970-01-01T00:00:00.000000Z")
    #expect(JSON(of: Author.user("ada", on: "phone")).text == #"{"user":"ada","device":"phone"}"#)
    #expect(JSON(of: Author.system).text == "system")
    #expect(JSON(of: ["b": Set([3, 1, 2]), "a": []]).text == #"{"a":[],"b":[1,2,3]}"#)
  }
}

@Suite struct `An instant as an argument` {
  @Test(arguments: [
    "1970-01-01T00:00:00.000000Z", "2026-11-22T12:30:05.000001Z", "2000-02-29T23:59:59.999999Z",
    "1969-12-31T23:59:59.500000Z", "0001-01-01T00:00:00.000000Z", "9999-12-31T00:00:00.000000Z",
  ])
  func `an instant is parsed from its text`(text: String) {
    #expect(Timestamp(rfc3339: text)?.description == text)
  }

  @Test func `an instant may have another zone and omit fractional digits`() {
    #expect(Timestamp(rfc3339: "2026-01-01T01:30:00+02:00") == Timestamp(rfc3339: "2025-12-31T23:30:00Z"))
    #expect(Timestamp(rfc3339: "2026-01-01 00:00:00.5Z")?.description == "2026-01-01T00:00:00.500000Z")
  }

  @Test(arguments: [
    "", "now", "2026-01-01", "2026-13-01T00:00:00Z", "2026-02-29T00:00:00Z", "2026-01-01T24:00:00Z",
    "2026-01-01T00:00:00", "2026-01-01T00:00:00+2:00", "0000-01-01T00:00:00Z", "2026-01-00T00:00:00Z",
  ])
  func `an invalid instant is refused`(text: String) { #expect(Timestamp(rfc3339: text) == nil) }
}

@Suite struct `A text table` {
  private let table = TextTable(
    [.init("id"), .init("n", isNumber: true), .init("text", isCut: true)],
    [["a", "1", String(repeating: "x", count: 40)], ["longer", "100", "short"]])

  @Test func `a table is as wide as its cells, and truncates where the width does not suffice`() {
    #expect(
      table.lines(columns: 80, hasColors: false) == [
        "id        n  text", "a         1  " + String(repeating: "x", count: 40), "longer  100  short",
      ])
    let narrow = table.lines(columns: 30, hasColors: false)
    #expect(narrow[1] == "a         1  " + String(repeating: "x", count: 16) + "…")
    // A column that may not be truncated keeps its width.
    #expect(table.lines(columns: 5, hasColors: false)[2] == "longer  100  short")
  }

  @Test func `a table has colors only on request`() {
    #expect(table.lines(columns: 80, hasColors: false).allSatisfy { !$0.contains("\u{1B}") })
    let colored = table.lines(columns: 80, hasColors: true)
    #expect(colored[0].contains("\u{1B}[0;2mid"))
  }

  @Test func `a property list wraps long values at words`() {
    var list = PropertyList()
    list.add("text", "one two three four five six")
    list.add("none", nil)
    list.add("id", "m1")
    #expect(
      list.lines(columns: 26, hasColors: false) == ["text  one two three four", "      five six", "id    m1"])
  }
}
