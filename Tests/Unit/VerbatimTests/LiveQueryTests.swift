// Threat: one failed read ends what a composer learns of its channel, and it goes on with what it knew before.
import Chat
import ChildProcess
import EventLog
import Locks
import Testing

@testable import Verbatim
@testable import VerbatimUI

@Suite struct `The results of a live query` {
  private let folder = WorkspaceFolder()

  // What broke: it was found by reading. An error, such as too many open files, was taken for the end.
  @Test func `go on after an error that passes`() async throws {
    let workspace = try folder.open()
    try await workspace.populate()
    let tries = Locked(0)
    let question = LiveQuery<Int>(dependsOn: { _, _ in true }) { _, _ throws(ReadError) in
      let number = tries.withLock { tries in
        tries += 1
        return tries
      }
      if number == 1 { throw .projections(.log(.storage(StorageFailure("There are too many open files.")))) }
      return (number, nil)
    }
    let client = workspace.client(user: "ada")
    let (results, continuation) = AsyncStream.makeStream(of: Void.self)
    let task = Task {
      await LiveQueryResults(to: question, by: client).forEach(retryingAfter: .zero) { continuation.yield() }
      continuation.finish()
    }
    let first: Void? = try await within("the first result") {
      var iterator = results.makeAsyncIterator()
      return await iterator.next()
    }
    #expect(first != nil && tries.withLock { $0 } == 2)
    task.cancel()
    await task.value
    await workspace.close()
  }
}
