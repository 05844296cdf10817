// Tests the demo, the first thing a new user runs.
import ChildProcess
import Testing
import TestThreads

@Suite("The demonstration", .waitsForProcesses)
struct DemoTests {
  @Test func `the demo plays a conversation and all its checks hold`() throws {
    let child = try Child([Child.path(ofWorker: "verbatim"), "demo"])
    let lines = try child.lines()
    #expect(try child.finish() == .exit(0))
    #expect(lines.count { $0.hasPrefix("  $ verbatim ") } == 6)
    #expect(lines.contains { $0.hasPrefix("  Dinner at seven?") })
    #expect(lines.contains { $0.contains("Gladly, I bring the") && $0.hasPrefix("  ") })
    #expect(lines.last?.hasSuffix(" holds.") == true)
  }
}
