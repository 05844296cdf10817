// The protocol of factories for terminal text.
public import ChatRendering

/// A factory for a terminal or a pipe: every slot has a design, and an app's own type replaces single slots.
///
/// ```swift
/// struct Loud: TextFactory {
///   var context = RenderingContext()
///   var columns = 40
///   func makeEmptyList() -> TerminalText { TerminalText("SAY SOMETHING!", .bold) }
/// }
/// ```
///
/// The reader's own messages are aligned right, others' left behind some free columns, in which no user text can begin:
/// the first column, and lines from edge to edge, belong to the list. Colors and styles are redundant: text and marks
/// say the same.
public protocol TextFactory: ViewFactory where Output == TerminalText {
  /// The output type, terminal text. It is repeated for the compiler, whose inference from the methods alone would take
  /// hours.
  associatedtype Output = TerminalText
  /// The number of columns.
  var columns: Int { get }
  /// The number of rows for a list with its input; nil to draw the whole list.
  var rows: Int? { get }
  /// The number of columns for the author's picture beside a message.
  var avatarColumns: Int { get }
}

extension TextFactory {
  /// No limit: the whole list is drawn.
  public var rows: Int? { nil }
  /// One column.
  public var avatarColumns: Int { 1 }

  /// The width of the margin beside messages: the picture and a space.
  var gutter: Int { max(0, avatarColumns) + 1 }
}

/// The default factory for a terminal or a pipe.
public struct PlainTextFactory: TextFactory, Sendable {
  /// The texts, names and calendar.
  public var context: RenderingContext
  /// The number of columns.
  public var columns: Int
  /// The number of rows for a list with its input; nil to draw the whole list.
  public var rows: Int?

  /// Creates a factory for a number of columns and rows.
  public init(
    columns: Int = TerminalText.defaultColumns, rows: Int? = nil, context: RenderingContext = RenderingContext()
  ) {
    (self.columns, self.rows, self.context) = (columns, rows, context)
  }
}
