// Tests `diff` on two workspaces and on two positions of one.
import Foundation
import Testing
import TestThreads

@Suite(.waitsForProcesses) struct Differences {
  private static let common = Result { try Workplace(messages: 10) }
  private let workplace: Workplace

  init() throws { workplace = try Self.common.get() }

  @Test func `a workspace and its copy have no differences`() throws {
    let copy = try Workplace(of: workplace)
    let run = try Saboteur().run(["diff", workplace.path, copy.path])
    #expect(run.code == 0)
    #expect(run.output.hasPrefix("They are equal, up to position "))
  }

  @Test func `the diff of two workspaces begins with the first event that differs`() throws {
    let end = try last(ofPath: workplace.path)
    let shorter = FileManager.default.temporaryDirectory.path + "/verbatim-\(UInt64.random(in: 0 ... .max))"
    defer { try? FileManager.default.removeItem(atPath: shorter) }
    try export(workplace.path, to: end / 2, into: shorter)
    let run = try Saboteur().run(["diff", workplace.path, shorter, "--json"])
    #expect(run.code == 1)
    #expect(run.output.contains(#""same":false,"position":\#(try last(ofPath: shorter) + 1),"one":{"#))
    #expect(!run.output.contains(#""other":"#))
  }

  @Test func `the diff of two positions lists changed rows with the differing fields`() throws {
    // The first event of a workspace creates its first user.
    let run = try Saboteur().run(["diff", workplace.path + "@1", workplace.path + "@2"])
    #expect(run.code == 1)
    #expect(run.output.contains("popularity.streams"))
    #expect(run.output.contains("of 1…2 differ."))
    let none = try Saboteur().run(["diff", workplace.path + "@2", workplace.path + "@2"])
    #expect(none.code == 0)
    #expect(none.output == "0 rows of 2…2 differ.")
  }

  @Test(arguments: [["@1", ""], ["", "@1"]])
  func `a diff of a position and a whole workspace is a usage error`(ends: [String]) throws {
    #expect(try Saboteur().run(["diff", workplace.path + ends[0], workplace.path + ends[1]]).code == 2)
    #expect(try Saboteur().run(["diff", workplace.path + "@1", "/elsewhere@1"]).code == 2)
  }

  @Test func `a diff past the end of the log fails`() throws {
    #expect(try Saboteur().run(["diff", workplace.path + "@1", workplace.path + "@99999999"]).code == 3)
  }

  private func export(_ path: String, to position: Int, into copy: String) throws {
    let file = copy + ".jsonl"
    defer { try? FileManager.default.removeItem(atPath: file) }
    #expect(try Saboteur().run(["export", path, file, "--to", "\(position)"]).code == 0)
    #expect(try Saboteur().run(["import", copy, file]).code == 0)
  }

  private func last(ofPath path: String) throws -> Int {
    struct Line: Decodable { let events: Int }
    let run = try Saboteur().run(["log", "stats", path, "--json"])
    return try JSONDecoder().decode(Line.self, from: Data(run.output.utf8)).events
  }
}
