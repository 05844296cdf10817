// Group commit for peers without their own: one thread writes all queued events.
import Dispatch
import Foundation
import Synchronization

/// A writer thread with its queue.
final class SharedCommits: Sendable {
  /// A queued event, and the semaphore that wakes its writer.
  struct Request: Sendable {
    let draw: Draw
    let done: DispatchSemaphore
  }

  private struct Queue {
    var waiting: [Request] = []
    var isOver = false
  }

  private let queue = Mutex(Queue())
  private let arrived = DispatchSemaphore(value: 0)
  private let ended = DispatchSemaphore(value: 0)

  /// Starts the thread; the closure writes the events it receives durably.
  init(write: @escaping @Sendable ([Draw]) throws -> Void) {
    Thread.detachNewThread { self.writeUntilOver(write) }
  }

  /// Queues an event and waits until it is durable.
  func append(_ draw: Draw, _ done: DispatchSemaphore) {
    let isFirst = queue.withLock { queue in
      queue.waiting.append(Request(draw: draw, done: done))
      return queue.waiting.count == 1
    }
    if isFirst { arrived.signal() }
    done.wait()
  }

  /// Ends the thread after the last append.
  func close() {
    queue.withLock { $0.isOver = true }
    arrived.signal()
    ended.wait()
  }

  private func writeUntilOver(_ write: ([Draw]) throws -> Void) {
    while true {
      arrived.wait()
      let (batch, isOver) = queue.withLock { queue in
        defer { queue.waiting.removeAll(keepingCapacity: true) }
        return (queue.waiting, queue.isOver)
      }
      if !batch.isEmpty {
        do { try write(batch.map(\.draw)) } catch { fatalError("a peer could not write: \(error)") }
        for request in batch { request.done.signal() }
      }
      if isOver { break }
    }
    ended.signal()
  }
}

/// Runs a body on several threads and adds up their results.
func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Int) throws -> Int {
  let total = Total()
  let group = DispatchGroup()
  for index in 0..<count {
    group.enter()
    Thread.detachNewThread {
      total.add(Result { try body(index) })
      group.leave()
    }
  }
  group.wait()
  return try total.get()
}

/// The sum of the results of several threads, or the first failure.
private final class Total: Sendable {
  private let outcomes = Mutex<[Result<Int, any Error>]>([])

  func add(_ outcome: Result<Int, any Error>) { outcomes.withLock { $0.append(outcome) } }

  func get() throws -> Int { try outcomes.withLock { try $0.reduce(0) { try $0 + $1.get() } } }
}
