// The rows of drafts and composers.
internal import Bytes
public import Chat
internal import ChatCodec
internal import Tables

extension Draft: ChatRow {
  init(_ key: Key, from fields: inout FieldReader) throws(PayloadDefect) {
    self.init(
      key: key, content: try fields.optionalValue(1), created: try fields.instant(2),
      updated: try fields.instant(3), edit: try fields.value(4))
  }

  func write(to writer: inout ByteWriter) {
    writer.rareValue(1, content)
    writer.instant(2, created)
    writer.instant(3, updated)
    writer.value(4, edit)
  }
}

extension Composer: ChatRow {
  init(_ key: Key, from fields: inout FieldReader) throws(PayloadDefect) {
    self.init(key)
    state = try fields.composerState(1)
    content = try fields.value(2)
    selection = try fields.range(3)
    editing = try fields.optionalID(5)
    aside = try fields.optionalValue(6)
    asideState = try fields.composerState(7)
    picker = try fields.picker(8)
    showsCommands = try fields.flag(9)
    execution = try fields.optionalValue(10)
    isTouched = try fields.flag(11)
    isOpen = try fields.flag(12)
    typed = try fields.optionalInstant(13)
  }

  func write(to writer: inout ByteWriter) {
    writer.composerState(1, state)
    writer.value(2, content)
    writer.range(3, selection)
    writer.optionalID(5, editing)
    writer.rareValue(6, aside)
    writer.composerState(7, asideState)
    writer.rareValue(8, picker == .collapsed ? nil : picker)
    writer.flag(9, showsCommands)
    writer.rareValue(10, execution)
    writer.flag(11, isTouched)
    writer.flag(12, isOpen)
    writer.optionalInstant(13, typed)
  }
}

extension ByteWriter {
  /// Writes the state of a composer; left out when it is a new message.
  fileprivate mutating func composerState(_ number: UInt64, _ state: ComposerState) {
    if state != .new { id(number, state) }
  }
}

extension FieldReader {
  /// Reads the state of a composer; a new message when the field is absent.
  @_lifetime(self: copy self)
  fileprivate mutating func composerState(_ number: UInt8) throws(PayloadDefect) -> ComposerState {
    guard let state: ComposerState = try optionalID(number) else { return .new }
    if state == .new { throw defect(number, .byDefault) }
    return state
  }

  /// Reads the picker open beside the text; collapsed when the field is absent.
  @_lifetime(self: copy self)
  fileprivate mutating func picker(_ number: UInt8) throws(PayloadDefect) -> Composer.Picker {
    guard let picker: Composer.Picker = try optionalValue(number) else { return .collapsed }
    if picker == .collapsed { throw defect(number, .byDefault) }
    return picker
  }
}
