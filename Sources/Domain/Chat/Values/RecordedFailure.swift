// Recorded failures: the reasons why a send, a command or an upload failed.

/// The reason why a send, a command or an upload failed: a code and its values in place of a sentence, so that an app
/// shows it in the language of its user.
///
/// A value named `reason` is a text for readers that have none for the code. A failure with the code `text` has
/// only that value. The codes of this package are on the page *Recorded failures* of ChatComposer; those of an app
/// should begin with its name: `acme.quotaExceeded`.
public struct RecordedFailure: Hashable, Sendable {
  /// The id of a kind of failure.
  public typealias Code = ID<RecordedFailure>

  /// The kind of the failure.
  public let code: Code
  /// The values of the failure: numbers, names, dates.
  public let values: Extra

  /// Creates a failure with a code and values.
  public init(_ code: Code, _ values: Extra = [:]) { (self.code, self.values) = (code, values) }

  /// Returns the failure that is only a text.
  public static func text(_ reason: UserText) -> RecordedFailure { RecordedFailure(.text, onlyReason: reason) }

  /// Creates a failure whose only value is a reason.
  package init(_ code: Code, onlyReason reason: UserText) { self.init(code, [Self.reasonName: .text(reason)]) }

  fileprivate static let reasonName: UserText = "reason"

  /// The text for readers that have none for the code; nil if there is none.
  public var reason: UserText? { values.text(Self.reasonName) }

  /// The reason, if there is no other value.
  package var onlyReason: UserText? { values.fields.count == 1 ? reason : nil }

  /// The text of a failure that is only a text; nil for others.
  package var text: UserText? { code == .text ? onlyReason : nil }

  /// The approximate number of bytes: those of the text of a failure without other values.
  var byteCount: Int { onlyReason?.byteCount ?? values.byteCount }
}

extension ID<RecordedFailure> {
  /// The failure is only a text.
  public static var text: RecordedFailure.Code { "text" }
}

// MARK: Errors

/// An error with a code and values: it is recorded as a ``RecordedFailure``, which an app shows in the language of its
/// user.
///
/// The errors of an app's command handlers and uploads can conform to it. Of other errors the description is recorded.
public protocol CodedError: Error {
  /// The kind of the failure.
  var code: RecordedFailure.Code { get }
  /// The values of the failure: numbers, names, dates; the default has none.
  var values: Extra { get }
}

extension CodedError {
  /// The default: no values.
  public var values: Extra { [:] }
}

extension RecordedFailure {
  /// The maximum number of bytes of the values of a recorded error.
  private static let valuesByteCountMax = 4000

  /// The maximum nesting depth of the values of a recorded error.
  private static let valuesDepthMax = 8

  /// Creates the failure of an error: the code and values of a ``CodedError``, otherwise the first 1000 characters of
  /// its description as a text.
  ///
  /// Values of more than 4000 bytes or 8 levels are replaced by the description as the only value, `reason`.
  public init(_ error: any Error) {
    let coded = error as? any CodedError
    if let coded {
      let values = coded.values
      if values.byteCount <= Self.valuesByteCountMax, values.depth <= Self.valuesDepthMax {
        self.init(coded.code, values)
        return
      }
    }
    let reason = UserText(String("\(error)".prefix(1000)))
    self.init(coded?.code ?? .text, onlyReason: reason)
  }
}

// MARK: Descriptions

extension RecordedFailure: CustomStringConvertible {
  /// The failure in English: the sentence of a ``Refusal``, otherwise the ``reason``, otherwise the code with its
  /// values.
  public var description: String {
    if let refusal = Refusal(self) { return refusal.description }
    if let reason { return reason.string }
    return values.isEmpty ? code.text : "\(code.text) (\(values.words))"
  }
}

extension Extra {
  fileprivate var words: String { fields.map { "\($0.name): \($0.value.words)" }.joined(separator: ", ") }
}

extension Extra.Value {
  fileprivate var words: String {
    switch self {
    case .null: "none"
    case .bool(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .number(let value): "\(value)"
    case .text(let text): text.string
    case .list(let values): values.map(\.words).joined(separator: ", ")
    case .fields(let extra): extra.words
    }
  }
}
