// The recorded form of refused sends: their code and values, from which they are rebuilt.
public import Chat

extension SendRefusal {
  /// The code under which the reason is recorded.
  public var code: RecordedFailure.Code {
    switch self {
    case .busy: "busy"
    case .empty: "empty"
    case .tooLong: "tooLong"
    case .uploading: "uploading"
    case .uploadFailed: "uploadFailed"
    case .frozen: "frozen"
    case .banned: "banned"
    case .notAllowed: "notAllowed"
    case .off: "off"
    case .coolingDown: "coolingDown"
    case .unknownCommand: "unknownCommand"
    case .incomplete: "incompleteCommand"
    case .refused(let refusal): refusal.code
    }
  }

  /// The associated values of the reason.
  public var values: Extra {
    switch self {
    case .busy, .empty, .frozen, .banned(nil): [:]
    case .tooLong(let count, let max): ["count": .count(count), "max": .count(max)]
    case .uploading(let file): ["file": .text(file)]
    case .uploadFailed(let file, let failure):
      ["file": .text(file), "code": .id(failure.code), "values": .fields(failure.values)]
    case .banned(let end?): ["until": .instant(end)]
    case .notAllowed(let capability): ["capability": .option(capability)]
    case .off(let flag): ["flag": .option(flag)]
    case .coolingDown(let seconds): ["seconds": .count(seconds)]
    case .unknownCommand(let word): ["word": .text(word)]
    case .incomplete(let id, let format?): ["command": .id(id), "format": .text(format)]
    case .incomplete(let id, nil): ["command": .id(id)]
    case .refused(let refusal): refusal.values
    }
  }

  /// Creates the reason recorded as a failure; nil if the failure is none, or only its text was recorded.
  public init?(_ failure: RecordedFailure) {
    if failure.onlyReason != nil { return nil }
    guard let reason = SendRefusal.rebuilt(failure.code.text, failure.values) else {
      guard let refusal = Refusal(failure) else { return nil }
      self = .refused(refusal)
      return
    }
    self = reason
  }

  private static func rebuilt(_ code: String, _ values: Extra) -> SendRefusal? {
    switch code {
    case "busy": .busy
    case "empty": .empty
    case "tooLong":
      values.count("count").flatMap { count in values.count("max").map { .tooLong(count: count, max: $0) } }
    case "uploading": values.text("file").map { .uploading(file: $0) }
    case "uploadFailed":
      values.text("file").flatMap { file in values.failure.map { .uploadFailed(file: file, $0) } }
    case "frozen": .frozen
    case "banned": .banned(until: values.instant("until"))
    case "notAllowed": values.option("capability").map { .notAllowed($0) }
    case "off": values.option("flag").map { .off($0) }
    case "coolingDown": values.count("seconds").map { .coolingDown(seconds: $0) }
    case "unknownCommand": values.text("word").map { .unknownCommand($0) }
    case "incompleteCommand": values.id("command").map { .incomplete($0, format: values.text("format")) }
    default: nil
    }
  }
}

extension Extra {
  /// The failure of an upload among the values.
  fileprivate var failure: RecordedFailure? {
    guard let code: RecordedFailure.Code = id("code"), case .fields(let values)? = self["values"] else { return nil }
    return RecordedFailure(code, values)
  }
}

extension RecordedFailure {
  /// The failure in English: the sentence of a ``SendRefusal``, ``CommandError`` or ``ComposerRefusal``, otherwise its
  /// description.
  public var sentence: String {
    SendRefusal(self)?.description ?? CommandError(self)?.description ?? ComposerRefusal(self)?.description
      ?? description
  }
}
