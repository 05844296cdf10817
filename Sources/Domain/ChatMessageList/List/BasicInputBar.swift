// The input bar of a list without a composer.
public import Bindings

/// The default input bar: a text field and a send button.
///
/// The app owns the text and receives it when it is sent:
///
/// ```swift
/// let bar = BasicInputBar(text: ValueBinding(screen, \.text)) { text in screen.post(text) }
/// ```
public struct BasicInputBar {
  private let binding: ValueBinding<String>
  private let onSend: (String) -> Void
  /// The placeholder of the empty text field.
  public var placeholder: String
  /// The label of the send button.
  public var sendLabel: String

  /// The typed text.
  public var text: String {
    get { binding.value }
    nonmutating set { binding.value = newValue }
  }

  /// Creates an input bar with a text of the app, and a closure that is called with the text to send.
  public init(
    text: ValueBinding<String>, placeholder: String = "Message", sendLabel: String = "Send",
    onSend: @escaping (String) -> Void
  ) {
    (binding, self.onSend) = (text, onSend)
    (self.placeholder, self.sendLabel) = (placeholder, sendLabel)
  }

  /// Creates an input bar with a text of its own, which is cleared when it is sent.
  public init(text: String = "", placeholder: String = "Message", sendLabel: String = "Send") {
    self.init(text: ValueBinding(text), placeholder: placeholder, sendLabel: sendLabel) { _ in }
  }

  /// Whether the text contains anything but white space.
  public var canSend: Bool { text.contains { !$0.isWhitespace } }

  /// Calls the closure with the text and clears the text; a no-op that returns false if ``canSend`` is false.
  @discardableResult
  public func send() -> Bool {
    guard canSend else { return false }
    onSend(text)
    text = ""
    return true
  }
}
