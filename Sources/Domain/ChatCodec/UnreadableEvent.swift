// The error of a stored event that cannot be read.
public import EventLog

/// The error of a stored event that cannot be read; folding must stop there.
public struct UnreadableEvent: Error, Hashable, Sendable {
  /// The defect of the event.
  public let defect: Defect
  /// The name of the type, with the version.
  public let type: String
  /// The position in the log; nil when it is not known.
  public let position: Position?

  /// Creates the error of an event of a type at a position.
  public init(_ defect: Defect, type: String, at position: Position?) {
    (self.defect, self.type, self.position) = (defect, type, position)
  }

  /// The defect of a stored event.
  public enum Defect: Hashable, Sendable {
    /// The type is unknown in any version: a newer program wrote the event.
    case unknownType
    /// The type is known in older versions only: a newer program wrote the event.
    case newerVersion(known: UInt32)
    /// The stream name is not that of a stream of a chat.
    case unknownStream(String)
    /// The type does not belong in this stream.
    case wrongStream(String)
    /// The author is not a valid user id.
    case actor(String)
    /// The device is not a valid id, or the event has a device without an author.
    case device(String)
    /// The payload is not in the canonical form.
    case payload(PayloadDefect)
    /// The content is encrypted, and the log was opened without its keys.
    case encrypted
  }
}

/// The defect of a field of a payload.
public struct PayloadDefect: Error, Hashable, Sendable {
  /// The kind of the defect.
  public let kind: Kind
  /// The number of the field; 0 when it cannot be read.
  public let field: UInt64
  /// The message of the schema with the field; empty for the payload itself.
  public let message: String

  /// Creates the defect of a field of a message.
  public init(_ kind: Kind, field: UInt64, of message: String = "") {
    (self.kind, self.field, self.message) = (kind, field, message)
  }

  /// The kind of a defect.
  public enum Kind: Hashable, Sendable {
    /// The field is required and missing.
    case missing
    /// The field is not in the schema, or has another wire type.
    case unknown
    /// The field is after a field with a greater number.
    case order
    /// The field is repeated.
    case twice
    /// The field holds its default value, which the canonical form omits.
    case byDefault
    /// The number is truncated or not encoded in the fewest bytes.
    case number
    /// The length exceeds the remaining bytes.
    case length
    /// The number is too large.
    case range
    /// The number belongs to no case.
    case option(UInt64)
    /// The number belongs to no known intent: a newer program wrote it.
    case intent(UInt64)
    /// The text is the name of no event type allowed here: a newer program wrote it.
    case type(String)
    /// The text is not UTF-8.
    case text
    /// The text is not a valid id.
    case id
    /// The elements are out of order, or repeated.
    case sorting
    /// The values are nested too deeply.
    case depth
    /// Another version of the event's shape stores this content.
    case version
  }
}

// MARK: Descriptions

extension UnreadableEvent: CustomStringConvertible {
  /// The error in one sentence: what failed, on what, what to do.
  public var description: String {
    let positionText = position.map { "at position \($0) " } ?? ""
    return "The event \(positionText)of type \(type.debugDescription) cannot be read: \(defect.words)."
  }
}

extension UnreadableEvent.Defect {
  fileprivate var words: String {
    let check = "verify the log, and check the program that wrote it"
    return switch self {
    case .unknownType:
      "this program does not know its type; open the log with the program that wrote it, or a newer one"
    case .newerVersion(let known):
      "this program knows the type up to version \(known); open the log with a newer program"
    case .unknownStream(let name): "its stream \(name.debugDescription) is not a stream of a chat; \(check)"
    case .wrongStream(let name): "its type does not belong to its stream \(name.debugDescription); \(check)"
    case .actor(let name): "its actor \(name.debugDescription) is not a user id; \(check)"
    case .device(let name): "its device \(name.debugDescription) is not a device id of its actor; \(check)"
    case .payload(let defect): "\(defect); \(check)"
    case .encrypted: "its content is encrypted; open the workspace with its keys"
    }
  }
}

extension PayloadDefect: CustomStringConvertible {
  /// The field and its defect, without a full stop.
  public var description: String {
    let container = message.isEmpty ? "its payload" : "\(message) in its payload"
    return "field \(field) of \(container) \(kind.words)"
  }
}

extension PayloadDefect.Kind {
  fileprivate var words: String {
    switch self {
    case .missing: "is missing"
    case .unknown: "is not defined there, or has another wire type"
    case .order: "follows a field with a greater number"
    case .twice: "occurs twice"
    case .byDefault: "has its default value, which must be omitted"
    case .number: "has a number that is truncated or not encoded in the fewest bytes"
    case .length: "is longer than the remaining bytes"
    case .range: "has a number that is too large"
    case .option(let number): "has the number \(number), which is not defined"
    case .intent(let number): "has the number \(number), which is not an intent that this program knows"
    case .type(let name): "has the type \(name.debugDescription), which this program does not know there"
    case .text: "is not UTF-8"
    case .id: "is not an id"
    case .sorting: "has elements that are out of order or repeated"
    case .depth: "is nested deeper than allowed"
    case .version: "has content that is stored in another version or field"
    }
  }
}
