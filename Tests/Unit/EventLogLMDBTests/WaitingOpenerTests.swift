// Threat: a process that waits to open a log, while another replaces the file or removes a commit, goes on with the
// reader table of before: it reads the transaction that the table names, and that the file no longer has.
import ChildProcess
import EventLog
import EventLogLMDB
import Files
import Foundation
import LMDB
import LogWorker
import Testing
import TestThreads

#if os(Linux)
  @Suite(.waitsForProcesses) struct `A process that waits to open a log` {
    private let directory = TemporaryDirectory()
    private let workload = Workload(seed: 11, shape: .small)
    private var data: String { directory.path + "/log/data.mdb" }

    // What broke: it was found by reading. The removal of an incomplete commit left the table as it was.
    @Test func `it reads the file as it is after the wait, not as the reader table says`() throws {
      let store = try makeLog(directory)
      try append(workload, 0..<19, to: store)
      let head = try store.head().position
      let before = try contents(data)
      try append(workload, 19..<20, to: store)
      store.close()
      try remove(directory.path + "/index")
      try remove(directory.path + "/log/durable")
      let child = try ExclusiveEnvironmentLock.hold(of: directory.path + "/log") { lock in
        Result {
          let child = try Child.worker("create", directory.path)
          try awaitWait(of: child)
          try lock.emptyReaderTable()
          let file = try FileHandle(forWritingTo: URL(filePath: data))
          try file.write(contentsOf: before)
          try file.truncate(atOffset: UInt64(before.count))
          return child
        }
      }.get()
      #expect(try child.expect("ack") == ["\(head)"])
      #expect(child.wait() == .exit(0))
    }

    /// Waits until a process waits for the lock of an environment.
    private func awaitWait(of child: Child) throws {
      let process = child.process
      try blocking("the wait for the lock") {
        let line = try Regex("-> POSIX +ADVISORY +READ +\(process) ")
        while !String(decoding: try FileSystem.bytes(of: "/proc/locks"), as: UTF8.self).contains(line) { sched_yield() }
      }
    }
  }
#endif
