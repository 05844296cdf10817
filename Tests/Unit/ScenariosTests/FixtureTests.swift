// Tests that every scenario of the package holds, is deterministic, and fails when any of its expectations is altered.
import EventLog
import JSONLines
import Testing

@testable import Scenarios

struct Fixtures {
  // Serialized: each open workspace reserves much of a process's address space.
  @Test(.serialized, arguments: Fixture.all)
  func `a scenario holds, replays identically, and fails when any expectation is altered`(
    fixture: Fixture
  ) async throws {
    let (report, first) = try await playedAndKept(fixture.scenario)
    for mismatch in report.mismatches { Issue.record("\(fixture): \(mismatch)") }
    check(report, of: fixture)
    let (_, second) = try await playedAndKept(fixture.scenario)
    for (event, other) in zip(first.events, second.events) where event != other {
      Issue.record(
        "\(fixture): \(event.position) is \(event.type), \(event.append); then \(other.type), \(other.append)")
      break
    }
    #expect(first.head == second.head)
    #expect(first.trace == second.trace)
  }

  /// Checks that no found value also meets an altered expectation.
  private func check(_ report: ScenarioReport, of fixture: Fixture) {
    #expect(report.expectationCount > 0)
    for finding in report.findings {
      let altered = alterations(of: finding.expected)
      #expect(!altered.isEmpty, "\(fixture), line \(finding.line): nothing is said of \(finding.name)")
      for other in altered where finding.holds(expecting: other) {
        Issue.record("\(fixture), line \(finding.line): \(finding.name) might as well be \(other.written)")
      }
    }
  }
}

// MARK: Alterations

/// Returns the expectations that differ by one change: of a number, a text, a truth value, the length of an array.
func alterations(of value: JSON) -> [JSON] {
  switch value {
  case .null: [.string("x")]
  case .bool(let bool): [.bool(!bool)]
  case .number(let text): [.number(Int(text).map { String($0 + 1) } ?? "\((Double(text) ?? 0) + 1)")]
  case .string(let text): [.string(text + "x")] + (text.isEmpty ? [] : [.string(String(text.dropLast()))])
  case .array(let values): alterations(of: values)
  case .object(let members):
    members.indices.flatMap { index in
      alterations(of: members[index].value).map { other in
        var members = members
        members[index] = JSON.Member(key: members[index].key, value: other)
        return .object(members)
      }
    }
  }
}

private func alterations(of values: [JSON]) -> [JSON] {
  let lengths = [values + [values.last ?? .null]] + (values.isEmpty ? [] : [Array(values.dropLast())])
  let others = values.indices.flatMap { index in
    alterations(of: values[index]).map { other in
      var values = values
      values[index] = other
      return values
    }
  }
  return (lengths + others).map { .array($0) }
}
