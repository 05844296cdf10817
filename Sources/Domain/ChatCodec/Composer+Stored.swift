// The stored form of composer events.
package import Bytes
package import Chat

extension Composer.Event {
  /// Reads a payload of a shape, also of a retired one.
  static func read(_ shape: Shape, _ payload: RawSpan) throws(PayloadDefect) -> Composer.Event {
    if let next = shape.successor {
      return try shape.upcast(payload) { payload throws(PayloadDefect) in try read(next, payload) }
    }
    var fields = FieldReader(payload)
    let event = try read(shape, &fields)
    try fields.end()
    return event
  }

  /// Reads an event of a shape.
  static func read(_ shape: Shape, _ fields: inout FieldReader) throws(PayloadDefect) -> Composer.Event {
    let event = try readContent(shape, &fields)
    let (version, field) = event.shapeVersion
    guard version == shape.version else { throw fields.defect(field, .version) }
    return event
  }

  @inline(__always)
  private static func readContent(_ shape: Shape, _ fields: inout FieldReader) throws(PayloadDefect) -> Composer.Event {
    switch shape {
    case .composerOpened1: .opened
    case .composerFilled1, .composerFilled2:
      .filled(try fields.value(1), selection: (try fields.value(2) as StoredRange).range)
    case .composerTyped1: .typed(try fields.value(1), try fields.changeKind(2))
    case .composerMentionPicked1:
      .mentionPicked(try fields.id(1), try fields.value(2), length: try fields.unitCount(3))
    case .composerReplaced1:
      .replaced(
        try fields.value(1), mentions: try fields.values(2), selection: (try fields.value(3) as StoredRange).range,
        try fields.changeKind(4))
    case .composerSelectionMoved1: .selectionMoved((try fields.value(1) as StoredRange).range)
    case .composerAttached1, .composerAttached2: .attached(try fields.value(1))
    case .composerDetached1: .detached(try fields.id(1))
    case .composerAttachmentChanged1: .attachmentChanged(try fields.value(1))
    case .composerUploadProgressed1: .uploadProgressed(try fields.id(1), permille: try fields.number(2))
    case .composerUploadFinished1: .uploadFinished(try fields.id(1), url: try fields.text(2))
    case .composerUploadFailed1: .uploadFailed(try fields.id(1), .text(try fields.text(2)))
    case .composerUploadFailed2: .uploadFailed(try fields.id(1), try fields.value(2))
    case .composerUploadRetried1: .uploadRetried(try fields.id(1))
    case .composerPreviewDismissed1: .previewDismissed(url: try fields.text(1))
    case .composerQuoted1: .quoted(try fields.id(1))
    case .composerQuoteEnded1: .quoteEnded
    case .composerEditBegan1, .composerEditBegan2: .editBegan(try fields.id(1), try fields.value(2))
    case .composerEditEnded1: .editEnded(try fields.option(1))
    case .composerEntered1: .entered(try fields.id(1), keeping: try fields.set(2))
    case .composerPickerChanged1: .pickerChanged(try Composer.Picker(from: &fields))
    case .composerShowsInChannelSet1: .showsInChannelSet(try fields.flag(1))
    case .composerSilentSet1: .silentSet(try fields.flag(1))
    case .composerExtraSet1: .extraSet(try fields.extra(1))
    case .composerCommandsShown1: .commandsShown(try fields.flag(1))
    case .composerCommandActivated1: .commandActivated(try fields.value(1), try fields.optionalValue(2))
    case .composerCommandTargeted1: .commandTargeted(try fields.optionalID(1))
    case .composerCommandCleared1: .commandCleared(try fields.optionalValue(1))
    case .composerCommandStarted1: .commandStarted(try CommandExecution(from: &fields))
    case .composerCommandExecuted1: .commandExecuted(try fields.id(1))
    case .composerCommandFailed1: .commandFailed(try fields.id(1), .text(try fields.text(2)))
    case .composerCommandFailed2: .commandFailed(try fields.id(1), try fields.value(2))
    case .composerCommandInterrupted1: .commandInterrupted(try fields.id(1))
    case .composerSendRefused1: .sendRefused(RecordedFailure(try fields.id(1), onlyReason: try fields.text(2)))
    case .composerSendRefused2: .sendRefused(try fields.value(1))
    case .composerSent1, .composerSent2: .sent(try fields.id(1), keeping: try fields.optionalValue(2))
    case .composerCleared1, .composerCleared2: .cleared(keeping: try fields.optionalValue(1))
    case .composerActionRefused1: .actionRefused(try fields.value(1))
    case .composerLeft1: .left(keepingContent: try fields.flag(1))
    case .composerCustom1: .custom(try fields.id(1), payload: try fields.bytes(2))
    default: throw .misfit
    }
  }

  /// Writes the event and returns its shape.
  func write(to writer: inout ByteWriter) -> Shape {
    let isFirst = shapeVersion.version == 1
    switch self {
    case .erased:
      writer.misfit("an event without its content is not stored again")
      return .composerCleared2
    case .opened: return .composerOpened1
    case .filled(let content, let selection):
      writer.value(1, content)
      writer.value(2, StoredRange(selection))
      return isFirst ? .composerFilled1 : .composerFilled2
    case .typed(let splice, let kind):
      writer.value(1, splice)
      writer.changeKind(2, kind)
      return .composerTyped1
    case .mentionPicked(let user, let splice, let length):
      writer.id(1, user)
      writer.value(2, splice)
      writer.unitCount(3, length)
      return .composerMentionPicked1
    case .replaced(let splice, let mentions, let selection, let kind):
      writer.value(1, splice)
      writer.values(2, mentions)
      writer.value(3, StoredRange(selection))
      writer.changeKind(4, kind)
      return .composerReplaced1
    case .selectionMoved(let range):
      writer.value(1, StoredRange(range))
      return .composerSelectionMoved1
    case .attached(let attachment):
      writer.value(1, attachment)
      return isFirst ? .composerAttached1 : .composerAttached2
    case .detached(let id):
      writer.id(1, id)
      return .composerDetached1
    case .attachmentChanged(let attachment):
      writer.value(1, attachment)
      return .composerAttachmentChanged1
    case .uploadProgressed(let id, let permille):
      writer.id(1, id)
      writer.number(2, permille)
      return .composerUploadProgressed1
    case .uploadFinished(let id, let url):
      writer.id(1, id)
      writer.optionalURL(2, url.isEmpty ? nil : url)
      return .composerUploadFinished1
    case .uploadFailed(let id, let failure):
      writer.id(1, id)
      return writer.failure(2, failure) ? .composerUploadFailed2 : .composerUploadFailed1
    case .uploadRetried(let id):
      writer.id(1, id)
      return .composerUploadRetried1
    case .previewDismissed(let url):
      writer.text(1, url)
      return .composerPreviewDismissed1
    case .quoted(let message):
      writer.id(1, message)
      return .composerQuoted1
    case .quoteEnded: return .composerQuoteEnded1
    case .editBegan(let message, let content):
      writer.id(1, message)
      writer.value(2, content)
      return isFirst ? .composerEditBegan1 : .composerEditBegan2
    case .editEnded(let end):
      writer.option(1, end)
      return .composerEditEnded1
    case .entered(let state, let parts):
      writer.id(1, state)
      writer.set(2, parts)
      return .composerEntered1
    case .pickerChanged(let picker):
      picker.write(to: &writer)
      return .composerPickerChanged1
    case .showsInChannelSet(let isOn):
      writer.flag(1, isOn)
      return .composerShowsInChannelSet1
    case .silentSet(let isOn):
      writer.flag(1, isOn)
      return .composerSilentSet1
    case .extraSet(let extra):
      writer.extra(1, extra)
      return .composerExtraSet1
    case .commandsShown(let isOn):
      writer.flag(1, isOn)
      return .composerCommandsShown1
    case .commandActivated(let command, let splice):
      writer.value(1, command)
      writer.optionalValue(2, splice)
      return .composerCommandActivated1
    case .commandTargeted(let user):
      writer.optionalID(1, user)
      return .composerCommandTargeted1
    case .commandCleared(let splice):
      writer.optionalValue(1, splice)
      return .composerCommandCleared1
    case .commandStarted(let execution):
      execution.write(to: &writer)
      return .composerCommandStarted1
    case .commandExecuted(let id):
      writer.id(1, id)
      return .composerCommandExecuted1
    case .commandFailed(let id, let failure):
      writer.id(1, id)
      return writer.failure(2, failure) ? .composerCommandFailed2 : .composerCommandFailed1
    case .commandInterrupted(let id):
      writer.id(1, id)
      return .composerCommandInterrupted1
    case .sendRefused(let failure):
      guard let reason = failure.onlyReason else {
        writer.value(1, failure)
        return .composerSendRefused2
      }
      writer.id(1, failure.code)
      writer.text(2, reason)
      return .composerSendRefused1
    case .actionRefused(let failure):
      writer.value(1, failure)
      return .composerActionRefused1
    case .sent(let message, let kept):
      writer.id(1, message)
      writer.optionalValue(2, kept)
      return isFirst ? .composerSent1 : .composerSent2
    case .cleared(let kept):
      writer.optionalValue(1, kept)
      return isFirst ? .composerCleared1 : .composerCleared2
    case .left(let keepsContent):
      writer.flag(1, keepsContent)
      return .composerLeft1
    case .custom(let action, let payload):
      writer.id(1, action)
      writer.bytes(2, payload)
      return .composerCustom1
    }
  }
}

// MARK: Versions

extension Composer.Event {
  /// The version of the event's shape, determined by its content, and the number of the field that determines it.
  private var shapeVersion: (version: UInt32, field: UInt8) {
    switch self {
    case .uploadFailed(_, let failure), .commandFailed(_, let failure): (failure.text == nil ? 2 : 1, 2)
    case .sendRefused(let failure): (failure.onlyReason == nil ? 2 : 1, 1)
    case .attached(let attachment): (attachment.shapeVersion, 1)
    case .filled(let content, _), .cleared(let content?): (content.shapeVersion, 1)
    case .editBegan(_, let content), .sent(_, let content?): (content.shapeVersion, 2)
    default: (1, 0)
    }
  }
}

extension ByteWriter {
  /// Writes a failure, as a text if it is only that, and returns whether it is more.
  fileprivate mutating func failure(_ number: UInt64, _ failure: RecordedFailure) -> Bool {
    if let text = failure.text { self.text(number, text) } else { value(number, failure) }
    return failure.text == nil
  }
}

// MARK: Values

/// In an event, the fields of the event itself; in a row, a nested message.
extension CommandExecution: StoredValue {
  package static var message: StaticString { "CommandExecution" }

  package init(from fields: inout FieldReader) throws(PayloadDefect) {
    self.init(try fields.id(1), of: try fields.value(2), arguments: try fields.text(3))
  }

  package func write(to writer: inout ByteWriter) {
    writer.id(1, id)
    writer.value(2, command)
    writer.text(3, arguments)
  }
}

/// The pickers other than an app's own.
private enum KnownPicker: UInt64, StoredCase {
  case collapsed = 1, expanded, media, giphy
}

/// In an event, the fields of the event itself; in a row, a nested message.
extension Composer.Picker: StoredValue {
  package static var message: StaticString { "Picker" }

  package init(from fields: inout FieldReader) throws(PayloadDefect) {
    switch try fields.optionalOption(1) as KnownPicker? {
    case .collapsed: self = .collapsed
    case .expanded: self = .expanded(.none)
    case .media: self = .expanded(.media)
    case .giphy: self = .expanded(.giphy)
    case nil: self = .expanded(.custom(try fields.id(2)))
    }
  }

  package func write(to writer: inout ByteWriter) {
    switch self {
    case .collapsed: writer.option(1, KnownPicker.collapsed)
    case .expanded(.none): writer.option(1, KnownPicker.expanded)
    case .expanded(.media): writer.option(1, KnownPicker.media)
    case .expanded(.giphy): writer.option(1, KnownPicker.giphy)
    case .expanded(.custom(let name)): writer.id(2, name)
    }
  }
}

/// The ways of changing the text other than typing, which is stored by absence.
private enum KnownChange: UInt64, StoredCase {
  case pasted = 1, deleted, replaced, undone, redone
}

extension FieldReader {
  /// Returns the way in which a text was changed; typed when absent.
  @_lifetime(self: copy self)
  fileprivate mutating func changeKind(_ number: UInt8) throws(PayloadDefect) -> Composer.ChangeKind {
    switch try optionalOption(number) as KnownChange? {
    case nil: .typed
    case .pasted: .pasted
    case .deleted: .deleted
    case .replaced: .replaced
    case .undone: .undone
    case .redone: .redone
    }
  }
}

extension ByteWriter {
  /// Writes the way in which a text was changed, omitted when it was typed.
  fileprivate mutating func changeKind(_ number: UInt64, _ kind: Composer.ChangeKind) {
    switch kind {
    case .typed: return
    case .pasted: option(number, KnownChange.pasted)
    case .deleted: option(number, KnownChange.deleted)
    case .replaced: option(number, KnownChange.replaced)
    case .undone: option(number, KnownChange.undone)
    case .redone: option(number, KnownChange.redone)
    }
  }
}

extension Composer.EditEnd: StoredCase {
  package var stored: UInt64 {
    switch self {
    case .cancelled: 1
    case .saved: 2
    case .messageGone: 3
    }
  }
}

extension Composer.Part: StoredCase {
  package var stored: UInt64 {
    switch self {
    case .text: 1
    case .attachments: 2
    case .command: 3
    case .extra: 4
    }
  }
}
