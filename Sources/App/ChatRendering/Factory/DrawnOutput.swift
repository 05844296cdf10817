// The output of a factory: styled text in a form of its own, with actions.
public import ChatMessageList

/// The output of a factory: text for a terminal, a page, a view of an app.
///
/// It carries the actions that can be performed on it, so that a tap can be resolved, replayed and tested.
public protocol DrawnOutput: MessageOutput {
  /// Creates output that shows a text literally, whatever it contains.
  init(text: String)
  /// The actions that can be performed on the output, in drawing order.
  var actions: [SlotAction] { get }
  /// Adds an action, which the output shows or leaves to its presenter.
  mutating func carry(_ action: SlotAction)
}
