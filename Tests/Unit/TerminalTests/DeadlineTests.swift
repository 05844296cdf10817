// A test that waits for what never happens has to fail: a wait without a deadline hung a whole run of the suite, and
// nothing told which test it was. Here each kind of wait is in vain, and its error names what it waited for.
import ChildProcess
import Dispatch
import Testing

struct `A wait in vain` {
  @Test func `for the end of a process kills it`() throws {
    let child = try Child(["sleep", "600"])
    #expect(child.wait(within: 0) == .hung(seconds: 0))
  }

  @Test func `for a line of a process names how long it lasted`() throws {
    let child = try Child(["sleep", "600"])
    #expect(throws: Child.Failure.self) { try child.line(within: 0) }
  }

  @Test func `for a process that reads nothing kills it`() throws {
    let child = try Child(["sleep", "600"])
    // More than a pipe holds.
    child.send([UInt8](repeating: 0, count: 1 << 20), within: 0)
    #expect(child.wait() == .signal(9))
  }

  @Test func `for a signal names what was awaited`() {
    expectOverdue { try DispatchSemaphore(value: 0).wait(for: "the signal", within: 0) }
  }

  @Test func `for a body that blocks names what was awaited`() {
    let end = DispatchSemaphore(value: 0)
    expectOverdue { try blocking("the signal", within: 0) { end.wait() } }
    end.signal()
  }

  @Test func `for a task that ignores that it is cancelled names what was awaited`() async {
    let (stream, more) = AsyncStream<Void>.makeStream()
    let (ended, end) = AsyncStream<Void>.makeStream()
    await #expect {
      try await within("the signal", seconds: 0) {
        // A task of its own is not cancelled with the one that waits for it.
        await Task { for await _ in stream {} }.value
        end.finish()
      }
    } throws: { "\($0)" == "the signal did not happen within 0 seconds." }
    more.finish()
    for await _ in ended {}
  }

  private func expectOverdue(_ body: () throws -> Void) {
    #expect {
      try body()
    } throws: {
      "\($0)" == "the signal did not happen within 0 seconds."
    }
  }
}
