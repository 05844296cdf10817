// The configuration of a message list: messages, input bar and chainable options.
#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A message list with an input bar, as configured by an app.
///
/// Options chain; each returns a view with one value changed:
///
/// ```swift
/// let view = MessagesView(messages, inputBar: BasicInputBar())
///   .groupingOptions([.collapseProfilePicture])
///   .messageHeader { message in "\(message.messageID):" }
/// ```
///
/// It draws nothing: a ``MessageList`` lays it out, and a renderer draws that layout with the given builders.
public struct MessagesView<Message: MessageType, Output: MessageOutput, InputBar> {
  /// The messages, in any order; empty if ``source`` provides them.
  public var messages: [Message]
  /// The layout that the list shows instead of one of its own.
  public let source: LayoutSource<Message>?
  /// The input bar below the messages.
  public var inputBar: InputBar
  /// The layout options; by default the preset of the message type.
  public var options = LayoutOptions<Message>.preset
  /// The builders of the parts that the app draws itself.
  public var builders = MessageBuilders<Message, Output>()
  /// The pull-to-refresh handler.
  public var refresh: (() async throws -> Void)?
  /// The handler that runs when the list appears.
  public var appears: ((MessageListProxy) -> Void)?
  /// The handler that runs after messages changed.
  public var messagesChanged: ((MessageListProxy, [Message]) -> Void)?

  /// Creates a view with an input bar.
  public init(_ messages: [Message], inputBar: InputBar, drawing output: Output.Type = Output.self) {
    (self.messages, self.inputBar, source) = (messages, inputBar, nil)
  }

  /// Creates a view of a layout that is kept current elsewhere, with the options of the source.
  public init(_ source: LayoutSource<Message>, inputBar: InputBar, drawing output: Output.Type = Output.self) {
    (messages, self.inputBar, self.source) = ([], inputBar, source)
    options = source.options
  }
}

extension MessagesView where InputBar == BasicInputBar {
  /// Creates a view with the basic input bar.
  public init(_ messages: [Message], drawing output: Output.Type = Output.self) {
    self.init(messages, inputBar: BasicInputBar())
  }
}

/// The parts that an app draws itself; a nil builder leaves the part to the renderer.
public struct MessageBuilders<Message: MessageType, Output: MessageOutput> {
  /// The builder of the header above a message or its group.
  public var header: ((Message) -> Output)?
  /// The builder of the footer below a message or its group.
  public var footer: ((Message) -> Output)?
  /// The builder of the sender's avatar.
  public var avatar: ((Message) -> Output)?
  /// The builder of a message's context menu, called for every message; nil for the default menu.
  public var contextMenu: ((Message) -> Output)?
  /// The actions of the app in the default menu of a message.
  public var menuItems: ((Message) -> [MessageMenuItem])?
  /// The builder of the placeholder shown while an image loads.
  public var imagePlaceholder: ((Message) -> Output)?
  /// The renderers of custom kinds, by their ids.
  public internal(set) var custom: [String: (Message, CustomRendererInfo) -> Output] = [:]
  /// The ids for which a second renderer was given; the first is used.
  public internal(set) var duplicateRenderers: [String] = []
  /// The formatter of times; nil for the renderer's own format.
  public var timestamp: ((Date) -> String)?

  /// Creates builders that leave every part to the renderer.
  public init() {}
}

/// The layout values with which a custom renderer matches other messages.
public struct CustomRendererInfo: Hashable, Sendable {
  /// The maximum width of the message.
  public var suggestedWidth: Double
  /// The corner radius of the message.
  public var cornerRadius: Double

  /// Creates the info from a width and a corner radius.
  public init(suggestedWidth: Double, cornerRadius: Double) {
    (self.suggestedWidth, self.cornerRadius) = (suggestedWidth, cornerRadius)
  }
}
