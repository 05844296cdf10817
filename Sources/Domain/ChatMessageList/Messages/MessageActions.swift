// What one can do with a message, and what is remarked above it.

/// One thing that one can do with a message.
public enum MessageAction: String, Hashable, Sendable, CaseIterable {
  /// Answers it, with a quote.
  case reply
  /// Changes its words.
  case edit
  /// Deletes it.
  case delete
  /// Sends it again, after it could not be delivered.
  case retry
  /// Copies its words.
  case copy
  /// Has it stand out, or no more.
  case pin
  /// Reacts to it.
  case react
  /// Opens the thread about it.
  case thread
  /// Reports it.
  case flag
  /// Mutes its sender.
  case mute
}

/// What one can do with a message: a set, shown in the order in which ``MessageAction`` has its cases.
public struct MessageActions: OptionSet, Hashable, Sendable {
  /// A bit for each action.
  public let rawValue: UInt16

  /// The actions of some bits.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// Some actions.
  public init(_ actions: MessageAction...) { self.init(actions) }

  /// Some actions.
  public init(_ actions: some Sequence<MessageAction>) {
    rawValue = actions.reduce(0) { $0 | Self.bit(of: $1) }
  }

  /// All that there are.
  public static let all = MessageActions(MessageAction.allCases)

  /// Whether an action is among them.
  public func contains(_ action: MessageAction) -> Bool { rawValue & Self.bit(of: action) != 0 }

  /// The actions, in their order.
  public var elements: [MessageAction] { MessageAction.allCases.filter(contains) }

  private static func bit(of action: MessageAction) -> UInt16 {
    // Safe because every case is among all cases.
    1 << UInt16(MessageAction.allCases.firstIndex(of: action)!)
  }
}

/// What is remarked above a message: a set, shown in the order in which they stand here.
public struct MessageAnnotations: OptionSet, Hashable, Sendable {
  /// A bit for each remark.
  public let rawValue: UInt8

  /// The remarks of some bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// It stands out.
  public static let pinned = MessageAnnotations(rawValue: 1)
  /// It is a reply in a thread, and stands in the channel too; seen in the thread.
  public static let alsoInChannel = MessageAnnotations(rawValue: 2)
  /// It is a reply in a thread; seen in the channel.
  public static let repliedToThread = MessageAnnotations(rawValue: 4)

  /// The remarks, one by one in their order.
  public var elements: [MessageAnnotations] {
    [.pinned, .alsoInChannel, .repliedToThread].filter { contains($0) }
  }
}
