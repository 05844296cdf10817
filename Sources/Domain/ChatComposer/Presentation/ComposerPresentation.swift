// The presentation of a composer, for a terminal, a page or an app to draw.
public import Chat

/// The presentation of a composer as plain values.
///
/// What can be tapped is an item in one of four ordered lists. An app removes, moves, adds and changes items in its
/// ``ComposerAppearance``; an item's effect is an action with the item's id, so that a tap can be replayed.
public struct ComposerPresentation: Hashable, Sendable {
  /// The state of the composer: new message, edit, quote, or a custom state.
  public var state: ComposerState
  /// The title above the composer; nil for none.
  public var title: String?
  /// The placeholder of the empty text field.
  public var placeholder: String
  /// The configuration of the channel.
  public var channelConfig: ChannelConfig
  /// The maximum number of characters of a message.
  public var maxMessageLength: Int
  /// Whether there is content to send, regardless of other obstacles.
  public var hasContent: Bool
  /// The reason why sending is not possible; nil if it is possible.
  public var refusal: SendRefusal?
  /// The number of seconds until the user may send again.
  public var cooldown: Int
  /// Whether the input should scroll: it has more lines than are shown.
  public var shouldScroll: Bool
  /// The items before the input, in order.
  public var leading: [ComposerItem]
  /// The items in the input, in order: chips, then the text.
  public var input: [ComposerItem]
  /// The items after the input, in order.
  public var trailing: [ComposerItem]
  /// The open picker beside the text.
  public var picker: Composer.Picker
  /// The items of the open picker, in order: the attachment sources, the animated pictures, or those of the app.
  public var pickerSources: [ComposerItem]
  /// The suggestions; nil if there are none.
  public var suggestions: SuggestionList?

  /// Whether sending is possible.
  public var canSend: Bool { refusal == nil }

  /// All items that can be tapped.
  public var items: [ComposerItem] { leading + input + trailing + pickerSources }
}

/// A displayed item of a composer that can be tapped.
public struct ComposerItem: Hashable, Sendable, Identifiable {
  /// The id of an item, unique in a composer.
  public typealias ID = UserText

  /// The id of the item.
  public let id: ID
  /// The name of the icon; nil for none.
  public var icon: String?
  /// The label; nil for none.
  public var label: String?
  /// Whether the item can be tapped.
  public var isEnabled: Bool
  /// The effect of a tap.
  public var action: ItemAction
  /// The picture that the item offers; nil for none.
  public var attachment: Attachment?
  /// Whether the item can also be opened: a custom attachment for which the app has a closure.
  public var canOpen = false

  /// Creates an item from its parts. A tap on it can call code of the app: ``ComposerAppearance/onTap(_:_:)``.
  public init(
    _ id: ID, icon: String? = nil, label: String? = nil, isEnabled: Bool = true, action: ItemAction = .none
  ) {
    (self.id, self.icon, self.label, self.isEnabled, self.action) = (id, icon, label, isEnabled, action)
  }

  /// The effect of a tap.
  public enum ItemAction: Hashable, Sendable {
    /// The tap has no effect.
    case none
    /// The tap performs an action in the composer.
    case perform(Composer.Action)
    /// The tap sends the content.
    case send
  }
}

extension ComposerItem.ID {
  /// The button that opens or closes the attachment picker.
  public static let attachments: UserText = "attachments"
  /// The button that shows or hides the list of all commands.
  public static let commands: UserText = "commands"
  /// The text field.
  public static let text: UserText = "text"
  /// The send button.
  public static let send: UserText = "send"
  /// The edited message; a tap cancels the edit.
  public static let edit: UserText = "edit"
  /// The quoted message; a tap removes the quote.
  public static let quote: UserText = "quote"
  /// The active command; a tap clears it.
  public static let command: UserText = "command"
  /// The target user of the command; a tap removes the target.
  public static let target: UserText = "target"
  /// The source of animated pictures.
  public static let giphy: UserText = "giphy"
  /// The toggle whether a reply is also shown in the channel.
  public static let showsInChannel: UserText = "showsInChannel"

  /// Returns the item id of an attachment; a tap detaches it.
  public static func attachment(_ id: Attachment.ID) -> UserText { UserText("attachment/" + id.text) }
}

/// The suggestions for the text being typed.
public struct SuggestionList: Hashable, Sendable {
  /// The kind of the items.
  public var kind: SuggestionInfo.Key?
  /// The typed query.
  public var query: UserText
  /// The range of the query in the text.
  public var range: UTF16Range
  /// The items, best match first.
  public var items: [Suggestion]
  /// Whether the result is still pending.
  public var isLoading: Bool

  /// Creates a list of suggestions.
  public init(
    _ kind: SuggestionInfo.Key?, query: UserText, range: UTF16Range, items: [Suggestion] = [], isLoading: Bool = false
  ) {
    (self.kind, self.query, self.range) = (kind, query, range)
    (self.items, self.isLoading) = (items, isLoading)
  }

  /// Returns the values of the items; nil if the list is of another kind.
  public func values<Value>(for key: SuggestionKey<Value>) -> [Value]? {
    kind == key.id ? items.compactMap { $0.value?[key] } : nil
  }
}

/// The display texts and the arrangement of a composer, configured by the app.
public struct ComposerAppearance: Sendable {
  /// The title above a composer, by state.
  public var titles: [ComposerState: String] = [.edit: "title.edit", .quote: "title.quote"]
  /// The placeholder of the empty text field, by state; that of `.new` is the fallback.
  public var placeholders: [ComposerState: String] = [.new: "placeholder.new"]
  /// The number of lines shown before the input scrolls.
  public var linesMax = 5
  /// The steps that arrange a presentation, in order.
  var steps: [@Sendable (inout ComposerPresentation, Composer) -> Void] = []
  /// The app's code for taps on items.
  var tapHandlers: [ComposerItem.ID: ComposerTapHandler] = [:]
  /// The picker that the attachments button opens.
  public var attachmentsPicker = Composer.AttachmentPickerType.media
  /// The app's own pickers, with the items that each offers for a composer.
  public var pickers: [Composer.PickerName: @Sendable (Composer) -> [ComposerItem]] = [:]
  /// The closure that a tap on a custom attachment calls; nil if its chip is only removed.
  public var onCustomAttachmentTap: (@MainActor @Sendable (LiveComposer, Attachment) async throws -> Void)?

  /// Creates the default appearance: texts are keys for an app to translate.
  public init() {}
}
