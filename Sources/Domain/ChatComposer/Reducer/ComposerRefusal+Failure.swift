// The recorded form of refused actions: their code and values, from which they are rebuilt.
public import Chat

extension ComposerRefusal {
  /// The code under which the reason is recorded.
  public var code: RecordedFailure.Code {
    switch self {
    case .tooManyAttachments: "tooManyAttachments"
    case .fileTooLarge: "fileTooLarge"
    case .fileExtension: "fileExtension"
    case .mimeType: "mimeType"
    case .attachmentTwice: "attachmentTwice"
    case .notEditable: "notEditable"
    case .needsMessage: "needsMessage"
    case .unknownCommand: "unknownCommand"
    case .noCommandInEdit: "noCommandInEdit"
    case .nothingSuggested: "nothingSuggested"
    case .busy: "busy"
    case .suggestionGone: "suggestionGone"
    }
  }

  /// The associated values of the reason.
  public var values: Extra {
    switch self {
    case .tooManyAttachments(let file, let max): ["file": .text(file), "max": .count(max)]
    case .fileTooLarge(let file, let byteCount, let max):
      ["file": .text(file), "byteCount": .count(Int(clamping: byteCount)), "max": .count(Int(clamping: max))]
    case .fileExtension(let file, let end): ["file": .text(file), "extension": .text(end)]
    case .mimeType(let file, let type): ["file": .text(file), "type": .text(type)]
    case .attachmentTwice(let id, let file): ["attachment": .id(id), "file": .text(file)]
    case .notEditable(let id): ["message": .id(id)]
    case .needsMessage(let state): ["state": .id(state)]
    case .unknownCommand(let word): ["word": .text(word)]
    case .suggestionGone(let id): ["suggestion": .text(id)]
    case .noCommandInEdit, .nothingSuggested, .busy: [:]
    }
  }

  /// Creates the reason recorded as a failure; nil if the failure is none.
  public init?(_ failure: RecordedFailure) {
    guard let reason = ComposerRefusal.rebuilt(failure.code.text, failure.values) else { return nil }
    self = reason
  }

  private static func rebuilt(_ code: String, _ values: Extra) -> ComposerRefusal? {
    switch code {
    case "tooManyAttachments":
      both(values.text("file"), values.count("max")).map { .tooManyAttachments(file: $0, max: $1) }
    case "fileTooLarge":
      both(values.text("file"), both(values.count("byteCount"), values.count("max"))).map { file, counts in
        .fileTooLarge(file: file, byteCount: UInt64(max(0, counts.0)), max: UInt64(max(0, counts.1)))
      }
    case "fileExtension":
      both(values.text("file"), values.text("extension")).map { .fileExtension(file: $0, extension: $1) }
    case "mimeType": both(values.text("file"), values.text("type")).map { .mimeType(file: $0, type: $1) }
    case "attachmentTwice":
      both(values.id("attachment"), values.text("file")).map { .attachmentTwice($0, file: $1) }
    case "notEditable": values.id("message").map { .notEditable($0) }
    case "needsMessage": values.id("state").map { .needsMessage($0) }
    case "unknownCommand": values.text("word").map { .unknownCommand($0) }
    case "noCommandInEdit": .noCommandInEdit
    case "nothingSuggested": .nothingSuggested
    case "busy": .busy
    case "suggestionGone": values.text("suggestion").map { .suggestionGone($0) }
    default: nil
    }
  }

  private static func both<A, B>(_ a: A?, _ b: B?) -> (A, B)? { a.flatMap { a in b.map { (a, $0) } } }
}
