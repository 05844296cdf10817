// What can be laid out: any message that has an id, a time, a kind and a side.
#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A message of an app, as far as a list has to know it.
public protocol MessageType: Identifiable, Equatable {
  /// What it is called; once in a list.
  var messageID: String { get }
  /// When it was sent.
  var timestamp: Date { get }
  /// What it is, and how it is shown.
  var kind: MessageKind { get }
  /// On which side it stands; of no account for system messages and an app's own kinds.
  var alignment: MessageAlignment { get }
  /// The message with what a chat knows of it; nil for a plain one. Nobody has to write it.
  var chatMessage: (any ChatMessageType)? { get }
}

extension MessageType {
  /// What it is called.
  public var id: String { messageID }
  /// A plain message: a chat knows no more of it.
  public var chatMessage: (any ChatMessageType)? { nil }
}

/// On which side of the list a message stands.
public enum MessageAlignment: Hashable, Sendable {
  /// Where others' messages stand.
  case left
  /// Where one's own stand.
  case right
}

/// What a message is, and how it is shown.
public enum MessageKind {
  /// Words.
  case text(TextItem)
  /// What the app says, in the middle of the list.
  case system(AttributedString)
  /// A picture.
  case image(ImageItem)
  /// An app's own kind, drawn by the renderer that is registered for its id.
  case custom(any CustomItem)
}

/// Words with their look.
public struct TextItem: Hashable, Sendable {
  /// The words.
  public var text: AttributedString
  /// What lies behind them; nil for what the list has.
  public var background: MessageColor?

  /// Words on a background.
  public init(_ text: AttributedString, background: MessageColor? = nil) {
    (self.text, self.background) = (text, background)
  }

  /// Plain words on a background.
  public init(_ text: String, background: MessageColor? = nil) {
    self.init(AttributedString(text), background: background)
  }
}

/// Marks words that stand for somebody: by what they are called for good.
public enum MentionAttribute: AttributedStringKey {
  /// What they are called.
  public typealias Value = String
  /// The name of the mark where it is written down.
  public static let name = "verbatim.mention"
}

/// A color, as screens mix it.
public struct MessageColor: Hashable, Sendable {
  /// How much red.
  public var red: UInt8
  /// How much green.
  public var green: UInt8
  /// How much blue.
  public var blue: UInt8

  /// A color of three parts.
  public init(red: UInt8, green: UInt8, blue: UInt8) { (self.red, self.green, self.blue) = (red, green, blue) }
}

/// A picture: the bytes of its file, or where they are. Where both are given, the bytes are shown.
public struct ImageItem: Hashable, Sendable {
  /// The bytes of its file.
  public var data: [UInt8]?
  /// Where it is.
  public var url: String?
  /// What it shows, for those who do not see it.
  public var summary: String?

  /// A picture with its parts.
  public init(data: [UInt8]? = nil, url: String? = nil, summary: String? = nil) {
    (self.data, self.url, self.summary) = (data, url, summary)
  }
}

/// What an app's own kind of message holds.
public protocol CustomItem {
  /// Which renderer draws it.
  var id: String { get }
  /// What the renderer draws.
  var data: Any? { get }
}
