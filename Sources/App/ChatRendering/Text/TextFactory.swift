// Who draws text for a terminal or a pipe.

/// Who draws text for a terminal or a pipe: every slot has a look, and an app's own type replaces those that it likes.
///
/// ```swift
/// struct Loud: TextFactory {
///   var context = RenderingContext()
///   var columns = 40
///   func makeEmptyList() -> TerminalText { TerminalText("SAY SOMETHING!", .bold) }
/// }
/// ```
///
/// One's own messages stand on the right, others' on the left behind some free columns, in which nothing else that
/// somebody says can begin: what stands at the very left, or from edge to edge, is the list's. Colors and other looks
/// only help: without them all is said by words and marks.
public protocol TextFactory: ViewFactory where Output == TerminalText {
  /// Text. It is said once more, for the compiler to infer it: by the methods alone it would try for hours.
  associatedtype Output = TerminalText
  /// How many columns there are.
  var columns: Int { get }
  /// How many rows there are for a list with its input; nil where all of it is drawn, however long it is.
  var rows: Int? { get }
  /// How many columns there are for the picture of who said something, beside their messages.
  var avatarColumns: Int { get }
}

extension TextFactory {
  /// All that there is.
  public var rows: Int? { nil }
  /// One.
  public var avatarColumns: Int { 1 }

  /// Free columns beside messages: the picture, and a space.
  var gutter: Int { max(0, avatarColumns) + 1 }
}

/// Draws text for a terminal or a pipe, with the look that every slot has.
public struct PlainTextFactory: TextFactory, Sendable {
  /// Words, names and calendars.
  public var context: RenderingContext
  /// How many columns there are.
  public var columns: Int
  /// How many rows there are for a list with its input; nil where all of it is drawn, however long it is.
  public var rows: Int?

  /// Draws for so many columns, and rows.
  public init(
    columns: Int = TerminalText.defaultColumns, rows: Int? = nil, context: RenderingContext = RenderingContext()
  ) {
    (self.columns, self.rows, self.context) = (columns, rows, context)
  }
}
