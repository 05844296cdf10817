// The connection of a list to a layout that is kept current elsewhere.

/// The connection of a list to a layout that is kept current elsewhere, such as that of a live channel.
///
/// It is not `Sendable`: its closures are called in the isolation in which it was created.
public struct LayoutSource<Message: MessageType> {
  /// The options with which a view of the source begins.
  let options: LayoutOptions<Message>
  /// Returns the current layout.
  let layout: () -> MessageLayout<Message>
  /// Returns whether messages are being loaded: the first ones, or earlier ones.
  let isLoading: () -> Bool
  /// Performs a change of the layout and returns its row diff.
  let apply: ((inout MessageLayout<Message>) -> RowDiff) -> RowDiff
  /// Lays out all messages by new options and returns the row diff.
  let layOut: (LayoutOptions<Message>) -> RowDiff
  /// Registers an observer for the lifetime of its owner.
  let observe: (AnyObject, @escaping (RowDiff) -> Void) -> Void

  /// Creates a source.
  ///
  /// - Parameters:
  ///   - options: The options with which a view of the source begins.
  ///   - layout: Returns the current layout.
  ///   - isLoading: Returns whether messages are being loaded: the first ones, or earlier ones.
  ///   - apply: Performs a change of the layout in place and returns its row diff.
  ///   - layOut: Lays out all messages by new options and returns the row diff.
  ///   - observe: Registers a closure that is called with the row diff after each change, also after those by `apply`
  ///     and `layOut`, as long as the owner exists, which is not retained.
  public init(
    options: LayoutOptions<Message>, layout: @escaping () -> MessageLayout<Message>,
    isLoading: @escaping () -> Bool,
    apply: @escaping ((inout MessageLayout<Message>) -> RowDiff) -> RowDiff,
    layOut: @escaping (LayoutOptions<Message>) -> RowDiff,
    observe: @escaping (AnyObject, @escaping (RowDiff) -> Void) -> Void
  ) {
    (self.options, self.layout, self.isLoading) = (options, layout, isLoading)
    (self.apply, self.layOut, self.observe) = (apply, layOut, observe)
  }
}
