// Threat: a call that blocks for long holds up others although threads are idle.
import ChildProcess
import Dispatch
import Locks
import Testing

@Suite struct `A pool of threads for blocking calls` {
  // What broke: each call was bound to a thread when it was made. While an erasure waited for other processes, some
  // reads and the closing of the workspace waited for it.
  @Test func `a call waits for no long one while a thread is idle`() throws {
    let pool = WorkerPool(label: "verbatim.tests", count: 2)
    let (long, short, ended) = (
      DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    let order = Locked<[Int]>([])
    for gate in [long, short] { pool.run { _ = gate.wait(timeout: Deadline.fromNow) } }
    for number in 0..<8 {
      pool.run {
        order.withLock { $0.append(number) }
        ended.signal()
      }
    }
    short.signal()
    for _ in 0..<8 { try ended.wait(for: "the end of a call") }
    #expect(order.withLock { $0 } == Array(0..<8))
    long.signal()
  }
}
