// The consumers of a workspace, with how far each is.
public import Chat
internal import ChatProjections
internal import Errors
public import EventLog
public import Projections

/// A consumer with how far it is in the log.
public struct ConsumerStatus: Hashable, Sendable {
  /// The consumer as recorded in the log.
  public let consumer: Consumer
  /// The position of the last event that it handled or passed.
  public let position: Position
  /// The number of events in the log after that position.
  public let lag: UInt64
  /// The process that runs it on this machine; nil if none does.
  public let process: Int32?
}

extension Workspace {
  /// Returns the consumers in the order of their ids.
  public func consumers() async throws(ProjectionError) -> [ConsumerStatus] {
    try await offThread { workspace throws(ProjectionError) in try workspace.listedConsumers() }
  }

  /// Returns the consumers in the order of their ids; blocks the thread.
  @available(*, noasync, message: "it can block: use the async consumers")
  public func consumersBlocking() throws(ProjectionError) -> [ConsumerStatus] { try listedConsumers() }

  private func listedConsumers() throws(ProjectionError) -> [ConsumerStatus] {
    let found = try lend(withOthers: false) { reading in
      let head = reading.position
      return Result { () throws(ProjectionError) in (try reading.chat.consumers(), head) }
    }
    let (consumers, head) = try found.get()
    return try consumers.map { consumer throws(ProjectionError) in
      let seen = ConsumerFile.look(at: consumer.id, in: path)
      var position = Position(rawValue: consumer.handled)
      if let mark = seen?.mark, mark.follows(consumer), try rethrow(mark.isIn(store), as: ProjectionError.log) {
        position = min(head, max(position, mark.position))
      }
      let lag = head > position ? head.rawValue - position.rawValue : 0
      return ConsumerStatus(consumer: consumer, position: position, lag: lag, process: seen?.process)
    }
  }
}
