// The content that a handler can change.
public import Chat

/// The part of a composer's content that a handler can change when a suggestion is picked.
public struct CommandContent: Hashable, Sendable {
  /// The typed text.
  public var text: TypedText
  /// The selection; a caret is an empty selection.
  public var selection: UTF16Range
  /// The mentions in the text, in order.
  public var mentions: [Mention]
  /// The active command.
  public var command: ComposedCommand?
  /// The custom data of the app.
  public var extra: Extra

  /// Creates the content of a composer.
  public init(_ composer: Composer) {
    (text, selection, mentions) = (composer.content.text, composer.selection, composer.content.mentions)
    (command, extra) = (composer.content.command, composer.content.extra)
  }

  /// Replaces a range and puts the caret after the new text; mentions move with their text.
  public mutating func replace(_ range: UTF16Range, with new: UserText) {
    let splice = Splice(text.clamp(range), to: new)
    text.apply(splice)
    mentions = mentions.moved(by: splice)
    let caret = UTF16Offset(rawValue: splice.range.lowerBound.rawValue + new.string.utf16.count)
    selection = caret..<caret
  }

  /// Replaces a range by a mention of a user, adds a space if no white space follows, and puts the caret after it.
  public mutating func mention(_ user: User.ID, as name: UserText, at range: UTF16Range) {
    let range = text.clamp(range)
    let hasSpace = text.behindWhiteSpace(at: range.upperBound) > range.upperBound
    replace(range, with: hasSpace ? name : UserText(name.string + " "))
    let end = UTF16Offset(rawValue: range.lowerBound.rawValue + name.string.utf16.count)
    let index = mentions.firstIndex { $0.range.lowerBound >= end } ?? mentions.endIndex
    mentions.insert(Mention(user, at: range.lowerBound..<end), at: index)
  }

  /// Removes a range and, optionally, one white space after it.
  public mutating func takeOut(_ range: UTF16Range, withSpaceBehind: Bool = false) {
    let range = text.clamp(range)
    let end = withSpaceBehind ? text.behindWhiteSpace(at: range.upperBound) : range.upperBound
    replace(range.lowerBound..<end, with: "")
  }

  /// Removes everything before an offset; the selection after it stays.
  mutating func takeOut(upTo end: UTF16Offset) {
    let selected = selection
    replace(.start..<end, with: "")
    selection = selected.lowerBound.moved(back: end)..<selected.upperBound.moved(back: end)
  }
}

extension UTF16Offset {
  /// Returns the offset after everything before `end` was removed.
  fileprivate func moved(back end: UTF16Offset) -> UTF16Offset {
    UTF16Offset(rawValue: max(0, rawValue - end.rawValue))
  }
}
