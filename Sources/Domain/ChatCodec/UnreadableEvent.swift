// Why a stored event cannot be read.
public import EventLog

/// A stored event cannot be read; whoever folds it has to stop there.
public struct UnreadableEvent: Error, Hashable, Sendable {
  /// What is wrong with it.
  public let defect: Defect
  /// The name of its type, with the version.
  public let type: String
  /// Where it stands in the log; nil when it is not known.
  public let position: Position?

  /// An event of a type, at a position of the log, with something wrong with it.
  public init(_ defect: Defect, type: String, at position: Position?) {
    (self.defect, self.type, self.position) = (defect, type, position)
  }

  /// What can be wrong with a stored event.
  public enum Defect: Hashable, Sendable {
    /// No version of such a type is known: a program with more events wrote it.
    case unknownType
    /// The type is known in older versions only: a newer program wrote it.
    case newerVersion(known: UInt32)
    /// The stream has a name that nothing in a chat has.
    case unknownStream(String)
    /// Events of this type do not stand in such a stream.
    case wrongStream(String)
    /// The actor is not the id of a user.
    case actor(String)
    /// The device is not the id of a device, or nobody is named who would be on it.
    case device(String)
    /// The payload is not what this package would have written.
    case payload(PayloadDefect)
  }
}

/// What is wrong with a payload, and where.
public struct PayloadDefect: Error, Hashable, Sendable {
  /// What is wrong.
  public let kind: Kind
  /// The number of the field; 0 when not even that can be read.
  public let field: UInt64
  /// The message of the schema that the field is part of; empty for the payload itself.
  public let message: String

  /// Something is wrong with a field of a message.
  public init(_ kind: Kind, field: UInt64, of message: String = "") {
    (self.kind, self.field, self.message) = (kind, field, message)
  }

  /// What can be wrong with a field.
  public enum Kind: Hashable, Sendable {
    /// It is not there and has to be.
    case missing
    /// It is there and should not be: there is no such field, or it is written in another way.
    case unknown
    /// It stands behind a field with a greater number.
    case order
    /// It is there twice.
    case twice
    /// It holds its default value, which is not written.
    case byDefault
    /// It has a number that is cut off or not written in the fewest bytes.
    case number
    /// It is longer than what is left.
    case length
    /// Its number is larger than it can be.
    case range
    /// Its number stands for no case.
    case option(UInt64)
    /// Its number stands for no intent: a program with more intents wrote it.
    case intent(UInt64)
    /// Its text is the name of no type of events that may stand there: a program with more of them wrote it.
    case type(String)
    /// Its text is not UTF-8.
    case text
    /// Its text is no id.
    case id
    /// Its parts are out of order, or there is one twice.
    case sorting
    /// Values lie within values deeper than they may.
    case depth
  }
}

// MARK: Words

extension UnreadableEvent: CustomStringConvertible {
  /// One sentence: what happened, to what, what to do.
  public var description: String {
    let place = position.map { "at position \($0) " } ?? ""
    return "The event \(place)of type \(type.debugDescription) cannot be read: \(defect.words)."
  }
}

extension UnreadableEvent.Defect {
  fileprivate var words: String {
    let check = "verify the log, and look for the program that wrote it"
    return switch self {
    case .unknownType: "this program knows no such type; open the log with the program that wrote it, or a newer one"
    case .newerVersion(let known):
      "this program knows the type up to version \(known); open the log with a newer program"
    case .unknownStream(let name): "its stream \(name.debugDescription) is none of a chat; \(check)"
    case .wrongStream(let name): "it does not belong into its stream \(name.debugDescription); \(check)"
    case .actor(let name): "its actor \(name.debugDescription) is no user's id; \(check)"
    case .device(let name): "its device \(name.debugDescription) is no id of a device of its actor's; \(check)"
    case .payload(let defect): "\(defect); \(check)"
    }
  }
}

extension PayloadDefect: CustomStringConvertible {
  /// What is wrong with which field, without a full stop.
  public var description: String {
    let place = message.isEmpty ? "its payload" : "\(message) in its payload"
    return "field \(field) of \(place) \(kind.words)"
  }
}

extension PayloadDefect.Kind {
  fileprivate var words: String {
    switch self {
    case .missing: "is missing"
    case .unknown: "is not known there, or not in that form"
    case .order: "stands behind a field with a greater number"
    case .twice: "is there twice"
    case .byDefault: "holds its default value, which is not written"
    case .number: "has a number that is cut off or not written in the fewest bytes"
    case .length: "is longer than what is left"
    case .range: "has a number that is too large"
    case .option(let number): "has the number \(number), which stands for nothing"
    case .intent(let number): "has the number \(number), which stands for no intent that this program knows"
    case .type(let name): "has the type \(name.debugDescription), which this program does not know there"
    case .text: "is not UTF-8"
    case .id: "is no id"
    case .sorting: "has parts that are out of order, or one twice"
    case .depth: "lies deeper than values may"
    }
  }
}
