// The rows of executed commands.
package import Bytes
public import Chat
package import ChatCodec
public import EventLog
internal import Tables

/// A slash command that a user executed, and its outcome.
public struct CommandRun: Hashable, Sendable {
  /// The composer in which the command was executed.
  public let composer: Composer.Key
  /// The command, with its arguments.
  public let execution: CommandExecution
  /// The instant at which the execution began.
  public let began: Timestamp
  /// The position of the event with which the execution began.
  public let position: Position
  /// The end of the execution; nil while it is running.
  public internal(set) var end: End?

  /// The end of an execution.
  public struct End: Hashable, Sendable {
    /// The outcome of the execution.
    public let outcome: Outcome
    /// The instant at which the execution ended.
    public let at: Timestamp

    /// Creates an end with an outcome.
    public init(_ outcome: Outcome, at instant: Timestamp) { (self.outcome, at) = (outcome, instant) }
  }

  /// The outcome of an execution.
  public enum Outcome: Hashable, Sendable {
    /// The command succeeded.
    case executed
    /// The command failed.
    case failed(RecordedFailure)
    /// The execution was interrupted: whether the command took effect is unknown.
    case interrupted
  }

  /// Creates the row of an execution that began, with its end, if it ended.
  public init(
    _ execution: CommandExecution, in composer: Composer.Key, began: Timestamp, at position: Position, end: End? = nil
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
    writer.rareValue(6, end)
  }
}

extension CommandRun.End: StoredValue {
  package static var message: StaticString { "CommandEnd" }

  package init(from fields: inout FieldReader) throws(PayloadDefect) {
    let at = try fields.instant(1)
    if let reason = try fields.optionalText(2) {
      self.init(.failed(.text(reason)), at: at)
    } else if let failure: RecordedFailure = try fields.optionalValue(4) {
      if failure.text != nil { throw fields.defect(4, .version) }
      self.init(.failed(failure), at: at)
    } else {
      self.init(try fields.flag(3) ? .interrupted : .executed, at: at)
    }
  }

  package func write(to writer: inout ByteWriter) {
    writer.instant(1, at)
    switch outcome {
    case .executed: return
    case .failed(let failure):
      if let text = failure.text { writer.optionalText(2, text) } else { writer.value(4, failure) }
    case .interrupted: writer.flag(3, true)
    }
  }
}
