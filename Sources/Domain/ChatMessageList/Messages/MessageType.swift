// The requirements for layout: any message with an id, a time, a kind and a side.
#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A message of an app with the properties that a list needs.
///
/// A list draws a message again only if it is not equal to the one before: `==` compares everything that is drawn.
public protocol MessageType: Identifiable, Equatable {
  /// The message id, unique in a list.
  var messageID: String { get }
  /// The time at which it was sent.
  var timestamp: Date { get }
  /// The kind, which decides how it is displayed.
  var kind: MessageKind { get }
  /// The side of the list, on which messages are placed and by which they are grouped. System messages have no side; a
  /// custom kind is grouped by its side, and placed by its renderer.
  var alignment: MessageAlignment { get }
  /// The message with its chat properties; nil for a plain message. It has a default implementation.
  var chatMessage: (any ChatMessageType)? { get }
}

extension MessageType {
  /// The message id.
  public var id: String { messageID }
  /// The default: a plain message without chat properties.
  public var chatMessage: (any ChatMessageType)? { nil }
}

/// The side of the list on which a message is placed.
public enum MessageAlignment: Hashable, Sendable {
  /// The left side, used for messages of other users.
  case left
  /// The right side, used for the viewer's own messages.
  case right
}

/// The kind of a message, which decides how it is displayed.
public enum MessageKind {
  /// The message is text.
  case text(TextItem)
  /// The message is a system text, shown in the middle of the list.
  case system(AttributedString)
  /// The message is an image.
  case image(ImageItem)
  /// The message is of a custom kind, drawn by the renderer registered for its id.
  case custom(any CustomItem)
}

/// A styled text with a background.
public struct TextItem: Hashable, Sendable {
  /// The styled text.
  public var text: AttributedString
  /// The background color; nil for the list's default.
  public var background: MessageColor?

  /// Creates an item from styled text.
  public init(_ text: AttributedString, background: MessageColor? = nil) {
    (self.text, self.background) = (text, background)
  }

  /// Creates an item from plain text.
  public init(_ text: String, background: MessageColor? = nil) {
    self.init(AttributedString(text), background: background)
  }
}

/// An attribute that marks a mention with the permanent id of the mentioned user.
public enum MentionAttribute: AttributedStringKey {
  /// The id of the mentioned user.
  public typealias Value = String
  /// The name of the attribute in encoded form.
  public static let name = "verbatim.mention"
}

/// An RGB color.
public struct MessageColor: Hashable, Sendable {
  /// The red component.
  public var red: UInt8
  /// The green component.
  public var green: UInt8
  /// The blue component.
  public var blue: UInt8

  /// Creates a color from its components.
  public init(red: UInt8, green: UInt8, blue: UInt8) { (self.red, self.green, self.blue) = (red, green, blue) }
}

/// An image, given by its file's bytes or its URL; if both are given, the bytes are shown.
public struct ImageItem: Hashable, Sendable {
  /// The bytes of the image file.
  public var data: [UInt8]?
  /// The URL of the image.
  public var url: String?
  /// The alternative text for users who cannot see the image.
  public var summary: String?

  /// Creates an image from its parts.
  public init(data: [UInt8]? = nil, url: String? = nil, summary: String? = nil) {
    (self.data, self.url, self.summary) = (data, url, summary)
  }
}

/// The content of a message of a custom kind.
public protocol CustomItem {
  /// The id of the renderer that draws it.
  var id: String { get }
  /// The data passed to the renderer.
  var data: Any? { get }
}
