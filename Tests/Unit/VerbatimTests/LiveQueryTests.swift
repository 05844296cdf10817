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
      await LiveQueryResults(to: question, by: client).forEach(retryingAfter: .zero) { result in
        if case .success = result { continuation.yield() }
      }
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

  /// A model that counts what it was shown.
  @MainActor private final class Shown {
    var results: [Result<Int, ReadError>] = []
  }

  // What broke: an error ended the updates of every model: a studio did not show what was written after its server had
  // been restarted.
  @MainActor @Test func `are shown in a model again after an error, also if they are those from before it`()
    async throws
  {
    let workspace = try folder.open()
    try await workspace.populate()
    let fails = Locked(false)
    let question = LiveQuery<Int>(dependsOn: { _, _ in true }) { _, _ throws(ReadError) in
      if fails.withLock({ $0 }) { throw .projections(.log(.storage(StorageFailure("The server is away.")))) }
      return (1, nil)
    }
    let model = Shown()
    let client = workspace.client(user: "ada")
    let task = LiveQueryResults(to: question, by: client).show(in: model, retryingAfter: .zero) {
      $0.results.append($1)
    }
    await until { model.results.count == 1 }
    fails.withLock { $0 = true }
    try await client.channel("general").send("one")
    await until { model.results.count == 2 }
    // An error that is still the same is shown once, and no event is waited for after it.
    for _ in 0..<100 { await Task.yield() }
    try #require(model.results.count == 2)
    fails.withLock { $0 = false }
    await until { model.results.count == 3 }
    try #require(model.results.count == 3)
    #expect(try model.results[0].get() == 1)
    #expect(throws: ReadError.self) { try model.results[1].get() }
    #expect(try model.results[2].get() == 1)
    task.cancel()
    await task.value
    await workspace.close()
  }
}
