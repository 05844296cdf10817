// A list of messages as an app asks for it: messages, what is below them, and options that chain.
#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Messages with an input below them, and with what an app wants of both.
///
/// Options chain, each giving a view with one thing changed:
///
/// ```swift
/// let view = MessagesView(messages, inputBar: BasicInputBar())
///   .groupingOptions([.collapseProfilePicture])
///   .messageHeader { message in "\(message.messageID):" }
/// ```
///
/// It draws nothing: a ``MessageList`` lays it out, and a renderer draws that, with the builders that were given.
public struct MessagesView<Message: MessageType, Output: MessageOutput, InputBar> {
  /// The messages, in any order.
  public var messages: [Message]
  /// What is below them.
  public var inputBar: InputBar
  /// How they are laid out.
  public var options = LayoutOptions<Message>.verbatim
  /// What the app draws itself.
  public var builders = MessageBuilders<Message, Output>()
  /// What is to happen when the list is pulled down.
  public var refresh: (() async throws -> Void)?
  /// What is to happen when the list appears.
  public var appears: ((MessageListProxy) -> Void)?
  /// What is to happen when its messages have changed.
  public var messagesChanged: ((MessageListProxy, [Message]) -> Void)?

  /// Messages above an input.
  public init(_ messages: [Message], inputBar: InputBar, drawing output: Output.Type = Output.self) {
    (self.messages, self.inputBar) = (messages, inputBar)
  }
}

extension MessagesView where InputBar == BasicInputBar {
  /// Messages above an input as every chat has it.
  public init(_ messages: [Message], drawing output: Output.Type = Output.self) {
    self.init(messages, inputBar: BasicInputBar())
  }
}

/// An input as every chat has it: some words, and a button that sends them.
public struct BasicInputBar: Hashable, Sendable {
  /// What was typed.
  public var text: String
  /// What stands where nothing is typed.
  public var placeholder: String
  /// What the button says.
  public var sendLabel: String

  /// An input with words.
  public init(text: String = "", placeholder: String = "Message", sendLabel: String = "Send") {
    (self.text, self.placeholder, self.sendLabel) = (text, placeholder, sendLabel)
  }

  /// Whether there is something to send.
  public var canSend: Bool { text.contains { !$0.isWhitespace } }
}

/// What an app draws itself; nil where it leaves it to the renderer.
public struct MessageBuilders<Message: MessageType, Output: MessageOutput> {
  /// Above a message or its group.
  public var header: ((Message) -> Output)?
  /// Below a message or its group.
  public var footer: ((Message) -> Output)?
  /// The picture of who said it.
  public var avatar: ((Message) -> Output)?
  /// What one can do with a message.
  public var contextMenu: ((Message) -> Output)?
  /// What stands for a picture while it is loaded.
  public var imagePlaceholder: ((Message) -> Output)?
  /// An app's own kinds, by the ids of their renderers.
  public internal(set) var custom: [String: (Message, CustomRendererInfo) -> Output] = [:]
  /// Ids for which a second renderer was given: the first holds.
  public internal(set) var duplicateRenderers: [String] = []
  /// A time in words; nil for the renderer's way.
  public var timestamp: ((Date) -> String)?

  /// Nothing.
  public init() {}
}

/// What a custom renderer is told, to draw as other messages are drawn.
public struct CustomRendererInfo: Hashable, Sendable {
  /// How wide it may become.
  public var suggestedWidth: Double
  /// How round its corners are.
  public var cornerRadius: Double

  /// A width and a roundness.
  public init(suggestedWidth: Double, cornerRadius: Double) {
    (self.suggestedWidth, self.cornerRadius) = (suggestedWidth, cornerRadius)
  }
}
