// Tests that each rule of the package has a scenario, or a test of what scenarios cannot express.
import Foundation
import Testing

@testable import Scenarios

struct Rules {
  /// The rows of the page of rules: a rule, and its scenarios or test.
  private let rows: [(rule: String, shown: String)]
  private let root = Fixture.folder.deletingLastPathComponent().deletingLastPathComponent()

  init() throws {
    let page = try String(contentsOf: Fixture.folder.appending(path: "RULES.md"), encoding: .utf8)
    rows = page.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { line in
      let parts = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      return (parts[0].trimmingCharacters(in: ["`"]), parts[1])
    }
  }

  @Test func `every rule has a scenario that names it or an existing test`() throws {
    #expect(rows.count > 300)
    #expect(Set(rows.map(\.rule)).count == rows.count, "a rule stands twice")
    let tests = try testNames()
    for (rule, shown) in rows {
      if let test = shown.wholeMatch(of: /the test “(.*)”/) {
        #expect(tests.contains(String(test.1)), "there is no test “\(test.1)”")
      } else {
        let names = shown.split(separator: ", ").map { $0.trimmingCharacters(in: ["`"]) }
        let scenarios = Fixture.all.filter { $0.scenario.rules.contains(rule) }.map(\.name)
        #expect(!names.isEmpty && names == scenarios, "\(rule) is shown by \(scenarios)")
      }
    }
  }

  @Test func `every rule of a scenario is listed and every scenario has a rule`() {
    let known = Set(rows.map(\.rule))
    for fixture in Fixture.all {
      #expect(!fixture.scenario.rules.isEmpty, "\(fixture) shows no rule")
      for rule in fixture.scenario.rules {
        #expect(known.contains(rule), "\(fixture) names “\(rule)”, which is listed nowhere")
      }
      #expect(Set(fixture.scenario.rules).count == fixture.scenario.rules.count)
    }
  }

  /// Returns the names of all tests of the package.
  private func testNames() throws -> Set<String> {
    let folder = root.appending(path: "Tests")
    let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    var names: Set<String> = []
    for file in files where file.hasSuffix(".swift") {
      let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
      for match in text.matches(of: /func `([^`]+)`/) { names.insert(String(match.1)) }
    }
    return names
  }
}
