// Rendered output: text for a terminal, a page, or a view of an app.

/// The output type of builders and renderers; an empty output means that the header, footer or menu is absent.
public protocol MessageOutput {
  /// Creates an empty output.
  init()
  /// Whether the output is empty.
  var isEmpty: Bool { get }
  /// Appends another output.
  mutating func append(_ other: Self)
}

/// Plain text as the simplest output.
extension String: MessageOutput {}

/// A result builder that concatenates outputs, with `if` and `for`; an omitted branch is an empty output.
@resultBuilder
public enum OutputBuilder<Output: MessageOutput> {
  /// Returns an expression as a part.
  public static func buildExpression(_ output: Output) -> Output { output }
  /// Concatenates the parts of a block.
  public static func buildBlock(_ parts: Output...) -> Output { buildArray(parts) }
  /// Concatenates the parts of a loop.
  public static func buildArray(_ parts: [Output]) -> Output { parts.reduce(into: Output()) { $0.append($1) } }
  /// Returns the part of an `if` without `else`, or an empty output.
  public static func buildOptional(_ part: Output?) -> Output { part ?? Output() }
  /// Returns the part of the first branch.
  public static func buildEither(first part: Output) -> Output { part }
  /// Returns the part of the second branch.
  public static func buildEither(second part: Output) -> Output { part }
}
