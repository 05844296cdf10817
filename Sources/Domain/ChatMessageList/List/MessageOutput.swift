// What is drawn: text for a terminal, a page, a view of an app.

/// What builders and renderers draw. Nothing drawn means that there is none: no header, no footer, no menu.
public protocol MessageOutput {
  /// Nothing.
  init()
  /// Whether there is nothing.
  var isEmpty: Bool { get }
  /// Puts something behind it.
  mutating func append(_ other: Self)
}

/// Plain text, as the simplest thing to draw.
extension String: MessageOutput {}

/// Lets a closure say what is drawn piece by piece, with `if` and `for`; what it leaves out is nothing.
@resultBuilder
public enum OutputBuilder<Output: MessageOutput> {
  /// A piece.
  public static func buildExpression(_ output: Output) -> Output { output }
  /// Pieces, one behind the other.
  public static func buildBlock(_ parts: Output...) -> Output { buildArray(parts) }
  /// Pieces of a loop.
  public static func buildArray(_ parts: [Output]) -> Output { parts.reduce(into: Output()) { $0.append($1) } }
  /// A piece that is there under a condition.
  public static func buildOptional(_ part: Output?) -> Output { part ?? Output() }
  /// One of two pieces.
  public static func buildEither(first part: Output) -> Output { part }
  /// One of two pieces.
  public static func buildEither(second part: Output) -> Output { part }
}
