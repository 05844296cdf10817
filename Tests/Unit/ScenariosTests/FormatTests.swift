// Tests that invalid lines are reported, that the format is documented, and that playing is deterministic.
import Foundation
import JSONLines
import Testing
import Verbatim

@testable import Scenarios

struct Format {
  @Test(arguments: [
    ("", "line 1: The scenario is empty"),
    ("{", "line 1: The line is not JSON"),
    (#"{"title":"a"}"#, "line 1: “scenario” of the first line is missing"),
    (
      #"{"scenario":2,"title":"a"}"#,
      "line 1: The scenario has version 2, and this program plays version 1: use a program of that version."
    ),
    (
      #"{"scenario":1,"title":"a","uesrs":{}}"#, "line 1: “uesrs” is not a key of the first line: did you mean “users”?"
    ),
  ])
  func `an invalid first line is reported`(text: String, defect: String) {
    #expect(throws: ScenarioDefect.self) { try Scenario(text.utf8) }
    do { _ = try Scenario(text.utf8) } catch { #expect("\(error)".hasPrefix(defect), "\(error)") }
  }

  @Test(arguments: [
    (#"{"tpye":"x"}"#, "line 2: “tpye” is not a verb: did you mean “type”?"),
    (#"{"as":"ada"}"#, "line 2: The line has a place and no action: add a verb, or “expect”."),
    (#"["type"]"#, "line 2: A line must be an object, and this one is an array."),
    (#"{"type":1}"#, "line 2: “type” of “type” must be a text and is a number."),
    (#"{"say":"x","silnet":true}"#, "line 2: “silnet” is not a key of “say”: did you mean “silent”?"),
    (#"{"as":"a b","type":"x"}"#, "line 2: “as” of “type” is wrong: "),
    (#"{"pass":"soon"}"#, "line 2: “pass” of “pass” is “soon” and must be a duration such as 250ms, 7s, 5m, 8h or 1d."),
    (#"{"clock":"today"}"#, "line 2: “clock” of “clock” is “today” and must be an instant"),
    (#"{"expect":{"texxt":"x"}}"#, "line 2: “texxt” cannot be expected: did you mean “text”?"),
    (#"{"expect":{}}"#, "line 2: “expect” must be an object of expected values."),
    (#"{"press":"eddit","on":"m"}"#, "line 2: “eddit” is not a value of “press” of “press”: did you mean “edit”?"),
    (#"{"type":"x","type":"y"}"#, "line 2: The line is not JSON ("),
  ])
  func `an invalid line is reported`(line: String, defect: String) {
    #expect(throws: ScenarioDefect.self) { try scenario(line) }
    do { _ = try scenario(line) } catch { #expect("\(error)".hasPrefix(defect), "\(error)") }
  }

  // What broke: a composed and a decomposed letter are equal texts with other bytes, and the dictionary made of such
  // keys trapped.
  @Test func `the last of several keys that are equal texts counts`() throws {
    let texts = #"{"caf\u00E9":"first","cafe\u0301":"last"}"#
    let read = try Scenario(#"{"scenario":1,"title":"a","previews":\#(texts),"gifs":\#(texts)}"#.utf8)
    #expect(read.settings.previews == ["caf\u{E9}": "last"] && read.settings.gifs == ["caf\u{E9}": "last"])
  }

  /// The page that documents the format of lines.
  private var page: String {
    get throws {
      let root = Fixture.folder.deletingLastPathComponent().deletingLastPathComponent()
      let path = root.appending(path: "Sources/Tooling/Scenarios/Scenarios.docc/ScenarioFormat.md")
      return try String(contentsOf: path, encoding: .utf8)
    }
  }

  @Test func `the example of the format page holds`() async throws {
    let example = try #require(try page.split(separator: "```").first { $0.contains(#"{"scenario":1"#) })
    let report = try await played(try Scenario(example.utf8))
    #expect(report.mismatches.map(\.description) == [])
    #expect(report.expectationCount == 6)
  }

  @Test func `the keys documented for the first line are accepted`() throws {
    let keys = try page.split(separator: "## Lines that do something")[0].matches(of: /\n\| `([A-Za-z]+)` \|/).map {
      String($0.1)
    }
    #expect(keys.count > 15)
    for key in keys {
      // A value that no key accepts: the error must be about its kind, not about an unknown key.
      let line = #"{"scenario":1,"title":"a","\#(key)":[[0]]}"#
      if ["scenario", "title"].contains(key) { continue }
      do {
        _ = try Scenario(line.utf8)
        Issue.record("“\(key)” takes anything")
      } catch { #expect(!error.reason.contains("is not a key"), "\(error)") }
    }
  }

  @Test func `all verbs and probes are documented`() throws {
    let text = try page
    for group in Verb.groups {
      let rows = group.verbs.flatMap { verb in
        ["| `\(verb.name)` | \(verb.value): \(verb.help) |"]
          + verb.arguments.map { "| · `\($0.name)` | \($0.help) |" }
      }
      let table = ["### \(group.title)", "", "| verb | what it does |", "|---|---|"] + rows
      #expect(text.contains(table.joined(separator: "\n") + "\n\n"), "\(table.joined(separator: "\n"))")
    }
    for key in TargetChange.keys { #expect(text.contains("| `\(key.name)` | \(key.help) |"), "\(key.name)") }
    for probe in Probe.all { #expect(text.contains("| `\(probe.name)` | \(probe.help) |"), "\(probe.name)") }
    #expect(Set(Verb.all.map(\.name)).count == Verb.all.count)
    #expect(Set(Probe.all.map(\.name)).count == Probe.all.count)
  }
}

struct Words {
  @Test func `every verb and probe is used by a scenario of the package`() {
    var used: Set<String> = []
    for line in Fixture.all.flatMap(\.scenario.lines) {
      switch line.content {
      case .scenarioAction(let verb, _): used.insert(verb.name)
      case .expectations(let expectations): used.formUnion(expectations.map { "expect " + $0.probe.name })
      }
    }
    for name in Verb.all.map(\.name) + Probe.all.map({ "expect " + $0.name }) {
      #expect(used.contains(name), "no scenario shows “\(name)”")
    }
  }
}

struct Playing {
  @Test func `a difference is reported with its line, expected and found value`() async throws {
    let report = try await played(
      scenario(#"{"as":"ada","type":"Hello"}"#, #"{"expect":{"text":"Hullo","caret":5}}"#))
    #expect(report.mismatches.map(\.description) == [#"line 3: text: expected "Hullo", found "Hello""#])
    #expect(report.expectationCount == 2)
  }

  @Test func `the clock never goes back`() async throws {
    let report = try await played(
      scenario(#"{"pass":"1h"}"#, #"{"clock":"2026-01-01T09:30:00Z"}"#, #"{"expect":{"refused":"earlier"}}"#))
    #expect(report.holds)
  }

  @Test func `invalid users and channels are reported for the first line`() async throws {
    let first = #"{"scenario":1,"title":"a","users":{"ada":"Ada"},"channels":{"general":["ada","ben"]}}"#
    do {
      _ = try await played(Scenario(first.utf8))
      Issue.record("it was played")
    } catch let failure as ScenarioFailure {
      #expect(failure.description.hasPrefix("Line 1: "), "\(failure)")
    }
  }

  @Test func `numbers are compared independent of their notation`() async throws {
    let report = try await played(
      scenario(
        #"{"view":[{"id":"a"}],"cornerRadius":4}"#,
        #"{"expect":{"ownRows":["start","day 1970-01-01",{"cornerRadius":4}]}}"#))
    #expect(report.holds)
  }

  @Test func `a refused action is a difference unless it is expected`() async throws {
    let silent = try await played(scenario(#"{"as":"ada","send":true}"#, #"{"type":"x"}"#, #"{"expect":{"text":"x"}}"#))
    #expect(silent.mismatches.map(\.line) == [2])
    #expect(silent.mismatches.first?.found == #""empty""#)
    let expected = try await played(scenario(#"{"as":"ada","send":true}"#, #"{"expect":{"refused":"empty"}}"#))
    #expect(expected.holds)
    let other = try await played(scenario(#"{"as":"ada","type":"x"}"#, #"{"expect":{"refused":"empty"}}"#))
    #expect(other.mismatches.map(\.description) == [#"line 3: refused: expected "empty", found null"#])
  }

  @Test func `a missing member is a difference even if null is expected`() async throws {
    let report = try await played(
      scenario(#"{"as":"ada","say":"x"}"#, #"{"expect":{"messages":[{"texxt":null}]}}"#))
    #expect(
      report.mismatches.map(\.description) == ["line 3: messages[0].texxt: expected null, found no such key"])
  }

  @Test func `the trace is deterministic with one line of JSON per line`() async throws {
    let lines = try scenario(#"{"as":"ada","type":"Hi @b"}"#, #"{"pick":"ben"}"#, #"{"send":true}"#)
    var traces: [[String]] = []
    for _ in 0..<2 { traces.append(try await playedAndKept(lines).kept.trace) }
    #expect(traces[0] == traces[1])
    #expect(traces[0].count == 3)
    #expect(traces[0][0].contains(#""suggestions":[{"id":"ben""#))
    for line in traces[0] { _ = try JSONParser.parse(Array(line.utf8)) }
  }
}
