// Threat: a step of the slider stays where it is, or says that there is nothing where there is something.
import EventLog
import Foundation
import JSONLines
import Testing
import Verbatim
import WebServer

@testable import VerbatimCommand

@Suite struct `The steps of a studio`: StudioSuite {
  let folder = Folder()

  /// Takes all steps by events from a position on, each of which may take several requests.
  private func steps(
    _ app: StudioApp, from start: UInt64, _ direction: Int, _ filter: (name: String, value: String)
  ) async throws -> (positions: [UInt64], requests: Int) {
    var (positions, requests): ([UInt64], Int) = ([], 0)
    while requests < 500 {
      let answer = try await get(
        app, "/api/step",
        [
          "position": "\(positions.last ?? start)", "by": "event", "direction": "\(direction)",
          filter.name: filter.value,
        ])
      requests += 1
      let json = try JSONSerialization.jsonObject(with: Data(answer.text.utf8)) as? [String: Any]
      if let position = json?["position"] as? UInt64 {
        positions.append(position)
      } else if json?["progress"] == nil {
        break
      }
    }
    return (positions, requests)
  }

  // What broke: a step from a run of keystrokes led to its beginning again, and a text was searched only in the first
  // 100,000 events.
  @Test func `with a filter go to each row, over any distance, in both directions`() async throws {
    let workspace = try await makeWorkspace()
    let app = StudioApp(workspace, viewer: nil, isReadOnly: false, in: Context(), searchedMax: 9)
    let boot = try await open(app)
    for (round, letter) in ["p", "q"].enumerated() {
      let edits = (0..<6).map { index in
        let edit = #""kind":"edit","range":[\#(index),\#(index)],"text":"\#(letter)","how":"typed""#
        return #"{"n":\#(round * 7 + index + 1),\#(edit)}"#
      }
      _ = try await act(app, boot, edits.joined(separator: ","))
      _ = try await act(app, boot, #"{"n":\#(round * 7 + 7),"kind":"send","id":"m\#(round)"}"#)
    }
    await app.tabs.leave(Self.tab)
    while try await !get(app, "/api/names").text.contains(#""isComplete":true"#) {}
    let head = try workspace.head().rawValue
    for filter in [("actor", "ada"), ("type", "composerTyped"), ("text", "qqqqqq"), ("text", "missing")] {
      var (rows, isComplete): ([UInt64], Bool) = ([], false)
      while !isComplete {
        let answer = try await get(app, "/api/rows", ["count": "500", filter.0: filter.1])
        let json = try JSONSerialization.jsonObject(with: Data(answer.text.utf8)) as? [String: Any]
        rows = (json?["rows"] as? [[String: Any]])?.compactMap { $0["position"] as? UInt64 } ?? []
        isComplete = json?["isComplete"] as? Bool ?? true
      }
      #expect(rows.isEmpty == (filter.1 == "missing"))
      // A new studio has searched nothing yet.
      for (start, direction) in [(0, 1), (head + 1, -1)] as [(UInt64, Int)] {
        let other = StudioApp(workspace, viewer: nil, isReadOnly: false, in: Context(), searchedMax: 9)
        while try await !get(other, "/api/names").text.contains(#""isComplete":true"#) {}
        let found = try await steps(other, from: start, direction, filter)
        #expect(found.positions == (direction > 0 ? rows : rows.reversed()), "\(filter) \(direction)")
        if rows.isEmpty { #expect(found.requests > 1) }
        await other.stop()
      }
    }
    await app.stop()
    await workspace.close()
  }
}
