// What a factory draws: words and looks in its own form, with what can be done there.
public import ChatMessageList

/// What a factory draws: text for a terminal, a page, a view of an app.
///
/// It carries the actions that can be done on it, so that what was tapped can be found, played back and tested.
public protocol DrawnOutput: MessageOutput {
  /// Words, which may hold anything: whatever it is, they are shown and do nothing.
  init(text: String)
  /// What can be done on it, in the order in which it is drawn.
  var actions: [SlotAction] { get }
  /// Adds something that can be done on it, which it shows or is for whoever shows it.
  mutating func carry(_ action: SlotAction)
}
