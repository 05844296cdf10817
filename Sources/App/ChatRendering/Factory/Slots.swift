// What a factory is given for each slot.
public import Chat
public import ChatComposer
public import ChatMessageList
public import Foundation

/// A message to be drawn, with its row.
public struct MessageSlot<Message: MessageType> {
  /// The row.
  public let row: MessageRow
  /// The message.
  public let message: Message
  /// When it was sent, in words.
  public let time: String
  /// The message that it quotes, where that is in the list.
  public let isQuoteInList: Bool

  /// What a chat knows of the message; nil for a plain one.
  public var chat: (any ChatMessageType)? { message.chatMessage }
}

/// What belongs to the row of a message, drawn already; what is empty is not there.
public struct MessageParts<Output: DrawnOutput> {
  /// Above it.
  public var header = Output()
  /// What it says.
  public var bubble = Output()
  /// What it quotes.
  public var quote = Output()
  /// How it is reacted to.
  public var reactions = Output()
  /// The thread about it.
  public var thread = Output()
  /// When it was sent.
  public var timestamp = Output()
  /// How far it came, whether it was edited.
  public var status = Output()
  /// Below it.
  public var footer = Output()
  /// The picture of who said it.
  public var avatar = Output()
  /// What one can do with it.
  public var menu = Output()
}

/// A row of a list, drawn.
public struct DrawnRow<Output: DrawnOutput> {
  /// The row.
  public let row: MessageRow
  /// What is drawn.
  public let output: Output
}

/// A list, to be put together.
public struct ListSlot<Output: DrawnOutput> {
  /// The rows, from the top down.
  public var rows: [DrawnRow<Output>]
  /// What stands in place of rows where there is no message.
  public var empty: Output
  /// Whether earlier messages are being loaded, drawn; empty when they are not.
  public var loading: Output
  /// What is below the list.
  public var inputBar: Output
  /// To where the list is scrolled.
  public var viewport: Viewport?
}

/// A composer to be drawn: what it shows, and what is written.
public struct ComposerSlot {
  /// What it shows.
  public var presentation: ComposerPresentation
  /// What is written.
  public var content: Composition
  /// What is selected of the text.
  public var selection: UTF16Range
  /// The message that is quoted, or edited.
  public var subject: MessageQuote?

  /// A composer.
  public init(
    _ presentation: ComposerPresentation, _ content: Composition, selection: UTF16Range, subject: MessageQuote? = nil
  ) {
    (self.presentation, self.content, self.selection, self.subject) = (presentation, content, selection, subject)
  }
}

/// The parts of a composer, drawn already; what is empty is not there.
public struct ComposerParts<Output: DrawnOutput> {
  /// What stands above it.
  public var title = Output()
  /// Before the input.
  public var leading = Output()
  /// The input.
  public var input = Output()
  /// Behind the input.
  public var trailing = Output()
  /// From where one can attach something.
  public var picker = Output()
  /// What is suggested.
  public var suggestions = Output()
}

/// Names and calendars for what is drawn: what is in no message.
public struct RenderingContext: Sendable {
  /// The words in which it is said.
  public var words = RenderingWords()
  /// The name of a user.
  public var name: @Sendable (String) -> String = { $0 }
  /// The calendar and the time zone by which times are told.
  public var calendar = Calendar.gregorianInUTC
  /// The instant at which one looks.
  public var now = Instant(rawValue: 0)

  /// English words, ids for names, UTC.
  public init() {}
}
