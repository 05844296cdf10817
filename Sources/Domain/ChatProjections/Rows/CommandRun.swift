// The rows of commands that were executed.
package import Bytes
public import Chat
package import ChatCodec
public import EventLog
internal import Tables

/// A command that somebody had executed, and how that ended.
public struct CommandRun: Hashable, Sendable {
  /// In which composer.
  public let composer: Composer.Key
  /// Which command, with what was written behind it.
  public let execution: CommandExecution
  /// When it began.
  public let began: Instant
  /// The event with which it began.
  public let position: Position
  /// How it ended; nil while it is at work.
  public internal(set) var end: End?

  /// How an execution ended.
  public struct End: Hashable, Sendable {
    /// What came of it.
    public let outcome: Outcome
    /// When.
    public let at: Instant

    /// An end with what came of it.
    public init(_ outcome: Outcome, at instant: Instant) { (self.outcome, at) = (outcome, instant) }
  }

  /// What came of an execution.
  public enum Outcome: Hashable, Sendable {
    /// It did what it is for.
    case executed
    /// It did not.
    case failed(reason: UserText)
    /// Nobody knows whether it did.
    case interrupted
  }

  /// An execution that began, and how it ended, if it did.
  public init(
    _ execution: CommandExecution, in composer: Composer.Key, began: Instant, at position: Position, end: End? = nil
  ) {
    (self.execution, self.composer) = (execution, composer)
    (self.began, self.position, self.end) = (began, position, end)
  }
}

// MARK: Stored form

extension CommandRun: ChatRow {
  init(_ key: CommandKey, from fields: inout FieldReader) throws(PayloadDefect) {
    let (device, channel): (Device.ID, Channel.ID) = (try fields.id(1), try fields.id(2))
    let composer = Composer.Key(of: key.user, on: device, in: channel, thread: try fields.optionalID(3))
    self.init(
      try fields.value(4), in: composer, began: try fields.instant(5), at: key.position,
      end: try fields.optionalValue(6))
  }

  func write(to writer: inout ByteWriter) {
    writer.id(1, composer.device)
    writer.id(2, composer.channel)
    writer.optionalID(3, composer.thread)
    writer.value(4, execution)
    writer.instant(5, began)
    writer.optionalValue(6, end)
  }
}

extension CommandRun.End: StoredValue {
  package static var message: StaticString { "CommandEnd" }

  package init(from fields: inout FieldReader) throws(PayloadDefect) {
    let at = try fields.instant(1)
    if let reason = try fields.optionalText(2) {
      self.init(.failed(reason: reason), at: at)
    } else {
      self.init(try fields.flag(3) ? .interrupted : .executed, at: at)
    }
  }

  package func write(to writer: inout ByteWriter) {
    writer.instant(1, at)
    switch outcome {
    case .executed: return
    case .failed(let reason): writer.optionalText(2, reason)
    case .interrupted: writer.flag(3, true)
    }
  }
}
