// The actions on a message and the annotations above it.

/// An action on a message.
public enum MessageAction: String, Hashable, Sendable, CaseIterable {
  /// Replies with a quote.
  case reply
  /// Edits the text.
  case edit
  /// Deletes the message.
  case delete
  /// Retries a failed delivery.
  case retry
  /// Copies the text.
  case copy
  /// Pins or unpins the message.
  case pin
  /// Adds a reaction.
  case react
  /// Opens the thread.
  case thread
  /// Reports the message.
  case flag
  /// Mutes the sender.
  case mute
}

/// A set of actions on a message, shown in the case order of ``MessageAction``.
public struct MessageActions: OptionSet, Hashable, Sendable {
  /// One bit for each action.
  public let rawValue: UInt16

  /// Creates a set from its bits.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// Creates a set of the given actions.
  public init(_ actions: MessageAction...) { self.init(actions) }

  /// Creates a set of the given actions.
  public init(_ actions: some Sequence<MessageAction>) {
    rawValue = actions.reduce(0) { $0 | Self.bit(of: $1) }
  }

  /// The set of all actions.
  public static let all = MessageActions(MessageAction.allCases)

  /// Whether the set contains an action.
  public func contains(_ action: MessageAction) -> Bool { rawValue & Self.bit(of: action) != 0 }

  /// The actions, in display order.
  public var elements: [MessageAction] { MessageAction.allCases.filter(contains) }

  private static func bit(of action: MessageAction) -> UInt16 {
    // Safe because every case is among all cases.
    1 << UInt16(MessageAction.allCases.firstIndex(of: action)!)
  }
}

/// A set of annotations above a message, shown in declaration order.
public struct MessageAnnotations: OptionSet, Hashable, Sendable {
  /// One bit for each annotation.
  public let rawValue: UInt8

  /// Creates a set from its bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The message is pinned.
  public static let pinned = MessageAnnotations(rawValue: 1)
  /// The message is a thread reply that is also shown in the channel; used in the thread.
  public static let alsoInChannel = MessageAnnotations(rawValue: 2)
  /// The message is a thread reply; used in the channel.
  public static let repliedToThread = MessageAnnotations(rawValue: 4)
  /// The message was forwarded.
  public static let forwarded = MessageAnnotations(rawValue: 8)

  /// The single annotations, in display order.
  public var elements: [MessageAnnotations] {
    [.pinned, .alsoInChannel, .repliedToThread, .forwarded].filter { contains($0) }
  }
}
