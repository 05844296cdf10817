// What a composer shows: for a terminal, a page or an app to draw.
public import Chat

/// What a composer shows, as values: nothing of it has to be asked for.
///
/// What can be tapped is an item, in one of three ordered lists. An app removes, moves, adds and re-labels items in
/// ``ComposerAppearance/arrange``; what an item does is an action with the item's id, so that a tap can be played back.
public struct ComposerPresentation: Hashable, Sendable {
  /// What the composer is about.
  public var state: ComposerState
  /// What is shown above it; nil for nothing.
  public var title: UserText?
  /// What stands where nothing is typed yet.
  public var placeholder: UserText
  /// What the channel allows.
  public var channelConfig: ChannelConfig
  /// How many characters a message may have.
  public var maxMessageLength: Int
  /// Whether there is something to send, whatever else is in its way.
  public var hasContent: Bool
  /// Why it cannot be sent; nil when it can.
  public var refusal: SendRefusal?
  /// How many seconds are left until the user may send again.
  public var cooldown: Int
  /// Whether the input is to scroll: it has more lines than are shown.
  public var shouldScroll: Bool
  /// What stands before the input, in order.
  public var leading: [ComposerItem]
  /// What stands in the input, in order: chips, and the text.
  public var input: [ComposerItem]
  /// What stands behind the input, in order.
  public var trailing: [ComposerItem]
  /// What is open beside the text.
  public var picker: Composer.Picker
  /// From where one can attach something, in order.
  public var pickerSources: [ComposerItem]
  /// What is suggested; nil when nothing is.
  public var suggestions: SuggestionList?

  /// Whether it can be sent.
  public var canSend: Bool { refusal == nil }

  /// All that can be tapped.
  public var items: [ComposerItem] { leading + input + trailing + pickerSources }
}

/// Something that is shown of a composer, and can be tapped.
public struct ComposerItem: Hashable, Sendable, Identifiable {
  /// What an item is called, once in a composer.
  public typealias ID = UserText

  /// What it is called.
  public let id: ID
  /// The name of its picture; nil for none.
  public var icon: UserText?
  /// What is written on it; nil for nothing.
  public var label: UserText?
  /// Whether it can be tapped.
  public var isEnabled: Bool
  /// What a tap does.
  public var action: ItemAction

  /// An item with its parts.
  public init(
    _ id: ID, icon: UserText? = nil, label: UserText? = nil, isEnabled: Bool = true, action: ItemAction = .none
  ) {
    (self.id, self.icon, self.label, self.isEnabled, self.action) = (id, icon, label, isEnabled, action)
  }

  /// What a tap does.
  public enum ItemAction: Hashable, Sendable {
    /// Nothing.
    case none
    /// Something in the composer.
    case perform(Composer.Action)
    /// Sends what is written.
    case send
  }
}

extension ComposerItem.ID {
  /// Opens and closes the room for attachments.
  public static let attachments: UserText = "attachments"
  /// Lists all commands, or does so no more.
  public static let commands: UserText = "commands"
  /// The text.
  public static let text: UserText = "text"
  /// Sends.
  public static let send: UserText = "send"
  /// The message that is edited; a tap leaves it as it was.
  public static let edit: UserText = "edit"
  /// The message that is quoted; a tap quotes none.
  public static let quote: UserText = "quote"
  /// The active command; a tap has none active.
  public static let command: UserText = "command"
  /// The user it was given; a tap takes them away.
  public static let target: UserText = "target"
  /// Whether a reply is shown in the channel too.
  public static let showsInChannel: UserText = "showsInChannel"

  /// An attachment; a tap takes it off.
  public static func attachment(_ id: Attachment.ID) -> UserText { UserText("attachment/" + id.text) }
}

/// What is suggested for what is being typed.
public struct SuggestionList: Hashable, Sendable {
  /// What the items are.
  public var kind: SuggestionInfo.Key?
  /// What was typed.
  public var query: UserText
  /// Where it stands.
  public var range: UTF16Range
  /// The items, the best first.
  public var items: [Suggestion]
  /// Whether the answer is still awaited.
  public var isLoading: Bool

  /// Items for what is being typed.
  public init(
    _ kind: SuggestionInfo.Key?, query: UserText, range: UTF16Range, items: [Suggestion] = [], isLoading: Bool = false
  ) {
    (self.kind, self.query, self.range) = (kind, query, range)
    (self.items, self.isLoading) = (items, isLoading)
  }
}

/// How an app words and arranges what is shown of its composers.
public struct ComposerAppearance: Sendable {
  /// What is shown above a composer, by its state.
  public var titles: [ComposerState: UserText] = [.edit: "title.edit", .quote: "title.quote"]
  /// What stands where nothing is typed, by its state; that of a new message holds for all others.
  public var placeholders: [ComposerState: UserText] = [.new: "placeholder.new"]
  /// How many lines are shown before the input scrolls.
  public var linesMax = 5
  /// Removes, moves, adds and re-labels items; it is given what is shown, and the composer.
  public var arrange: (@Sendable (inout ComposerPresentation, Composer) -> Void)?

  /// The appearance where an app chooses no other: words are keys, for an app to translate.
  public init() {}
}
