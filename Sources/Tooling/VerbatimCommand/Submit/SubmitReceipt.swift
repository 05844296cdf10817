// The receipts of submissions as lines of JSON, and the codes of their failures.
internal import Chat
internal import EventLog
internal import JSONLines
internal import Verbatim

extension JSONWriter {
  /// Writes the receipt of an accepted submission as a line.
  mutating func receipt(_ submitted: Submitted, of entry: SubmitEntry) {
    object { writer in
      writer.member("line", entry.line)
      if let receipt = submitted.receipt { writer.members(of: receipt) }
      writer.member("position", submitted.position.rawValue)
      let sent = entry.submission?.intents.compactMap(\.sentMessage) ?? []
      if !sent.isEmpty { writer.member("messages", JSON.array(sent.map(\.json))) }
    }
    endLine()
  }

  /// Writes the error of a submission that was not accepted as a line.
  mutating func failure(_ failure: SubmitFailure, of entry: SubmitEntry) {
    object { writer in
      writer.member("line", entry.line)
      writer.member("id", entry.submission?.id?.description)
      writer.key("error")
      writer.object { writer in
        writer.member("code", failure.cause.code.text)
        writer.member("values", failure.cause.values.json)
        writer.member("sentence", failure.sentence)
        writer.member("intent", failure.intent)
      }
    }
    endLine()
  }
}

extension ChatIntent {
  /// The key of the message that the intent sends.
  fileprivate var sentMessage: Message.Key? {
    if case .message(let key, .send) = self { key } else { nil }
  }
}

/// The reason why a submission was not accepted: a code with values, and a sentence.
struct SubmitFailure {
  let cause: RecordedFailure
  let sentence: String
  /// The index of the refused intent, from 0.
  var intent: Int?

  init(_ defect: InputDefect?) {
    cause = RecordedFailure("invalidLine")
    sentence = defect?.description ?? ""
  }

  init(_ error: SubmitError) {
    sentence = error.description
    cause = error.cause
    if case .refused(_, let index) = error { intent = index }
  }
}

extension SubmitError {
  /// The code of the error and its values.
  fileprivate var cause: RecordedFailure {
    switch self {
    case .refused(let refusal, _): RecordedFailure(refusal)
    case .conflict(let conflict), .append(.conflict(let conflict)):
      RecordedFailure("conflict", ["stream": .text(UserText(conflict.stream.text))])
    case .append(.idReused(let id, let position)):
      RecordedFailure("idReused", ["id": .text(UserText(id.description)), "position": .position(position)])
    case .append(.unknownCause(_, let position)): RecordedFailure("unknownCause", ["cause": .position(position)])
    case .append(.eventTooLarge(_, let byteCount, let max)), .append(.appendTooLarge(let byteCount, let max)):
      RecordedFailure("tooLarge", ["byteCount": .integer(Int64(byteCount)), "max": .integer(Int64(max))])
    case .failed(let id?, _): RecordedFailure("failed", ["id": .text(UserText(id.description))])
    case .append, .full, .openElsewhere, .composerBusy, .noDevice, .cancelled, .closed, .readOnly, .failed(nil, _):
      RecordedFailure("failed")
    }
  }
}

extension Extra.Value {
  fileprivate static func position(_ position: Position) -> Extra.Value { .integer(Int64(position.rawValue)) }
}

extension Failure {
  /// Creates the failure of a submission.
  init(_ error: SubmitError) {
    switch error {
    case .refused, .conflict: self.init(.refused, error.description)
    case .append(let error): self.init(error)
    case .full, .openElsewhere, .composerBusy, .noDevice, .cancelled, .closed, .readOnly, .failed:
      self.init(.unable, error.description)
    }
  }
}
