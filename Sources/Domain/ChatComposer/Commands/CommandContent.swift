// What is written, for a handler to change.
public import Chat

/// What is written, as far as a handler can change it when something was picked.
public struct CommandContent: Hashable, Sendable {
  /// What is typed.
  public var text: TypedText
  /// What is selected; a caret is an empty selection.
  public var selection: UTF16Range
  /// Who is meant where in the text, in its order.
  public var mentions: [Mention]
  /// The command that is active.
  public var command: ComposedCommand?
  /// What the app added.
  public var extra: Extra

  /// What is written in a composer.
  public init(_ composer: Composer) {
    (text, selection, mentions) = (composer.content.text, composer.selection, composer.content.mentions)
    (command, extra) = (composer.content.command, composer.content.extra)
  }

  /// Puts something where something else stands, and the caret behind it; mentions go along with what they stand for.
  public mutating func replace(_ range: UTF16Range, with new: UserText) {
    let splice = Splice(text.clamp(range), to: new)
    text.apply(splice)
    mentions = mentions.moved(by: splice)
    let caret = UTF16Offset(rawValue: splice.range.lowerBound.rawValue + new.string.utf16.count)
    selection = caret..<caret
  }

  /// Puts a name that stands for a user where something else stands, with a space where no white space follows, and the
  /// caret behind what came.
  public mutating func mention(_ user: User.ID, as name: UserText, at range: UTF16Range) {
    let range = text.clamp(range)
    let hasSpace = text.behindWhiteSpace(at: range.upperBound) > range.upperBound
    replace(range, with: hasSpace ? name : UserText(name.string + " "))
    let end = UTF16Offset(rawValue: range.lowerBound.rawValue + name.string.utf16.count)
    let place = mentions.firstIndex { $0.range.lowerBound >= end } ?? mentions.endIndex
    mentions.insert(Mention(user, at: range.lowerBound..<end), at: place)
  }

  /// Takes a part out, and if that is wanted one white space behind it.
  public mutating func takeOut(_ range: UTF16Range, withSpaceBehind: Bool = false) {
    let range = text.clamp(range)
    let end = withSpaceBehind ? text.behindWhiteSpace(at: range.upperBound) : range.upperBound
    replace(range.lowerBound..<end, with: "")
  }

  /// Takes out all up to a place; what is selected behind it stays selected.
  mutating func takeOut(upTo end: UTF16Offset) {
    let selected = selection
    replace(.start..<end, with: "")
    selection = selected.lowerBound.moved(back: end)..<selected.upperBound.moved(back: end)
  }
}

extension UTF16Offset {
  /// Where it is when all up to another place has gone.
  fileprivate func moved(back end: UTF16Offset) -> UTF16Offset {
    UTF16Offset(rawValue: max(0, rawValue - end.rawValue))
  }
}
