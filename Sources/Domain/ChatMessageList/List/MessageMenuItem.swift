// An action of an app in the menu of a message.

/// An action of an app in the menu of a message.
///
/// The app performs it: pressing the item results in its id and the message.
public struct MessageMenuItem: Hashable, Sendable, Identifiable {
  /// The id of the action, unique in a menu.
  public var id: String
  /// The label.
  public var title: String
  /// The name of the icon before the label, or a single character such as an emoji.
  public var icon: String?

  /// Creates an item.
  public init(_ id: String, title: String, icon: String? = nil) { (self.id, self.title, self.icon) = (id, title, icon) }
}
