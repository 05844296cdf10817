// Tests the deadlines of test helpers: a wait without a deadline once hung a whole run of the suite without naming the
// test. Here each kind of wait exceeds its deadline, and its error names the awaited result.
import ChildProcess
import Dispatch
import Testing
import TestThreads

@Suite(.waitsForProcesses) struct `Waits past their deadline` {
  @Test func `a wait for the end of a process kills it`() throws {
    let child = try Child(["sleep", "600"])
    #expect(child.wait(within: 0) == .hung(seconds: 0))
  }

  @Test func `a wait for a line of a process throws`() throws {
    let child = try Child(["sleep", "600"])
    #expect(throws: Child.Failure.self) { try child.line(within: 0) }
  }

  @Test func `a write to a process that reads nothing kills it`() throws {
    let child = try Child(["sleep", "600"])
    // More than a pipe holds.
    child.send([UInt8](repeating: 0, count: 1 << 20), within: 0)
    #expect(child.wait() == .signal(9))
  }

  @Test func `a wait for a semaphore names the awaited result`() {
    expectOverdue { try DispatchSemaphore(value: 0).wait(for: "the signal", within: 0) }
  }

  @Test func `a wait for a blocking body names the awaited result`() {
    let end = DispatchSemaphore(value: 0)
    expectOverdue { try blocking("the signal", within: 0) { end.wait() } }
    end.signal()
  }

  @Test func `a wait for a task that ignores cancellation names the awaited result`() async {
    let (stream, more) = AsyncStream<Void>.makeStream()
    let (ended, end) = AsyncStream<Void>.makeStream()
    await #expect {
      try await within("the signal", seconds: 0) {
        // A separate task is not cancelled with the task that waits for it.
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
