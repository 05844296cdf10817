// One factory for each slot, which replaces that slot alone.
import Chat
import ChatComposer
import ChatMessageList
import ChatRendering
import ChatViews

/// What replaces a slot.
let replacement = TerminalText("«»")

/// A factory that replaces one slot.
protocol Replacing: TextFactory, Sendable {
  init()
}

extension Replacing {
  var context: RenderingContext { RenderingContext() }
  var columns: Int { 60 }
  var avatarColumns: Int { 2 }
}

struct Untouched: Replacing {}

struct ReplacedComposer: Replacing {
  func makeComposer(_ slot: ComposerSlot, _ parts: ComposerParts<TerminalText>) -> TerminalText { replacement }
}

struct ReplacedComposerModifier: Replacing {
  func makeComposerModifier(_ composer: TerminalText) -> TerminalText { replacement }
}

struct ReplacedLeadingComposer: Replacing {
  func makeLeadingComposer(
    _ items: [ComposerItem], picker: Composer.Picker, config: ChannelConfig
  ) -> TerminalText { replacement }
}

struct ReplacedComposerInput: Replacing {
  func makeComposerInput(_ slot: ComposerSlot) -> TerminalText { replacement }
}

struct ReplacedTrailingComposer: Replacing {
  func makeTrailingComposer(_ items: [ComposerItem], isEnabled: Bool, cooldown: Int) -> TerminalText { replacement }
}

struct ReplacedAttachmentPicker: Replacing {
  func makeAttachmentPicker(_ picker: Composer.Picker, sources: [ComposerItem]) -> TerminalText { replacement }
}

struct ReplacedPickerSource: Replacing {
  func makePickerSource(_ item: ComposerItem, isOpen: Bool) -> TerminalText { replacement }
}

struct ReplacedCommandsContainer: Replacing {
  func makeCommandsContainer(_ list: SuggestionList) -> TerminalText { replacement }
}

struct ReplacedUserSuggestion: Replacing {
  func makeUserSuggestion(_ suggestion: Suggestion) -> TerminalText { replacement }
}

struct ReplacedCommandSuggestion: Replacing {
  func makeCommandSuggestion(_ suggestion: Suggestion) -> TerminalText { replacement }
}

struct ReplacedQuotedMessage: Replacing {
  func makeQuotedMessage(_ quote: MessageQuote, _ item: ComposerItem) -> TerminalText { replacement }
}

struct ReplacedEditBanner: Replacing {
  func makeEditBanner(_ edited: MessageQuote?, _ item: ComposerItem) -> TerminalText { replacement }
}

struct ReplacedInputAttachment: Replacing {
  func makeInputAttachment(_ attachment: ComposedAttachment, _ item: ComposerItem) -> TerminalText { replacement }
}

struct ReplacedCustomAttachment: Replacing {
  func makeCustomAttachment(_ attachment: ComposedAttachment, _ item: ComposerItem) -> TerminalText { replacement }
}

struct ReplacedChannelListItem: Replacing {
  func makeChannelListItem(_ item: ChannelItem) -> TerminalText { replacement }
}

struct ReplacedThreadListItem: Replacing {
  func makeThreadListItem(_ item: ThreadItem) -> TerminalText { replacement }
}

struct ReplacedDraftListItem: Replacing {
  func makeDraftListItem(_ draft: Draft) -> TerminalText { replacement }
}

struct ReplacedMessageList: Replacing {
  func makeMessageList(_ slot: ListSlot<TerminalText>) -> TerminalText { replacement }
}

struct ReplacedInputBar: Replacing {
  func makeInputBar(_ bar: BasicInputBar) -> TerminalText { replacement }
}

struct ReplacedEmptyList: Replacing {
  func makeEmptyList() -> TerminalText { replacement }
}

struct ReplacedLoading: Replacing {
  func makeLoading() -> TerminalText { replacement }
}

struct ReplacedMessageRow: Replacing {
  func makeMessageRow<M>(_ slot: MessageSlot<M>, _ parts: MessageParts<TerminalText>) -> TerminalText { replacement }
}

struct ReplacedMessageHeader: Replacing {
  func makeMessageHeader<M>(_ slot: MessageSlot<M>) -> TerminalText { replacement }
}

struct ReplacedTimestamp: Replacing {
  func makeTimestamp<M>(_ slot: MessageSlot<M>) -> TerminalText { replacement }
}

struct ReplacedStatus: Replacing {
  func makeStatus<M>(_ slot: MessageSlot<M>) -> TerminalText { replacement }
}

struct ReplacedQuote: Replacing {
  func makeQuote<M>(_ quote: MessageQuote, _ slot: MessageSlot<M>) -> TerminalText { replacement }
}

struct ReplacedReactions: Replacing {
  func makeReactions<M>(_ slot: MessageSlot<M>) -> TerminalText { replacement }
}

struct ReplacedThreadLine: Replacing {
  func makeThreadLine<M>(_ thread: MessageThread, _ slot: MessageSlot<M>) -> TerminalText { replacement }
}

struct ReplacedJumboEmojiBubble: Replacing {
  func makeJumboEmojiBubble<M>(_ text: TextItem, _ slot: MessageSlot<M>) -> TerminalText { replacement }
}

struct ReplacedImageBubble: Replacing {
  func makeImageBubble<M>(
    _ image: ImageItem, placeholder: TerminalText, _ slot: MessageSlot<M>
  ) -> TerminalText { replacement }
}

struct ReplacedMediaBubble: Replacing {
  func makeMediaBubble<M>(
    _ media: [Attachment], _ text: TextItem?, _ slot: MessageSlot<M>
  ) -> TerminalText { replacement }
}

struct ReplacedFileBubble: Replacing {
  func makeFileBubble<M>(
    _ files: [Attachment], _ text: TextItem?, _ slot: MessageSlot<M>
  ) -> TerminalText { replacement }
}

struct ReplacedLinkBubble: Replacing {
  func makeLinkBubble<M>(
    _ links: [Attachment], _ text: TextItem?, _ slot: MessageSlot<M>
  ) -> TerminalText { replacement }
}

struct ReplacedGiphyBubble: Replacing {
  func makeGiphyBubble<M>(
    _ pictures: [Attachment], _ text: TextItem?, _ slot: MessageSlot<M>
  ) -> TerminalText { replacement }
}

struct ReplacedEphemeralBubble: Replacing {
  func makeEphemeralBubble<M>(
    _ attachments: [Attachment], _ text: TextItem?, _ slot: MessageSlot<M>
  ) -> TerminalText { replacement }
}

struct ReplacedSystemMessage: Replacing {
  func makeSystemMessage<M>(_ text: TextItem, _ slot: MessageSlot<M>) -> TerminalText { replacement }
}

struct ReplacedDeletedMessage: Replacing {
  func makeDeletedMessage<M>(_ slot: MessageSlot<M>) -> TerminalText { replacement }
}

struct ReplacedCustomItem: Replacing {
  func makeCustomItem<M>(
    _ item: any CustomItem, _ info: CustomRendererInfo, _ slot: MessageSlot<M>
  ) -> TerminalText { replacement }
}

struct ReplacedImagePlaceholder: Replacing {
  func makeImagePlaceholder<M>(_ slot: MessageSlot<M>) -> TerminalText { replacement }
}

struct ReplacedDateSeparator: Replacing {
  func makeDateSeparator(_ row: MessageRow) -> TerminalText { replacement }
}

struct ReplacedUnreadSeparator: Replacing {
  func makeUnreadSeparator(_ row: MessageRow) -> TerminalText { replacement }
}

struct ReplacedThreadSeparator: Replacing {
  func makeThreadSeparator(_ row: MessageRow) -> TerminalText { replacement }
}

struct ReplacedConversationStart: Replacing {
  func makeConversationStart() -> TerminalText { replacement }
}

struct ReplacedLoadOlder: Replacing {
  func makeLoadOlder() -> TerminalText { replacement }
}

struct ReplacedLoadNewer: Replacing {
  func makeLoadNewer() -> TerminalText { replacement }
}

struct ReplacedTyping: Replacing {
  func makeTyping(_ row: MessageRow) -> TerminalText { replacement }
}

struct ReplacedNotice: Replacing {
  func makeNotice(_ row: MessageRow) -> TerminalText { replacement }
}

struct ReplacedTextBubble: Replacing {
  func makeTextBubble<M>(_ text: TextItem, _ slot: MessageSlot<M>) -> TerminalText { replacement }
}

struct ReplacedMessageFooter: Replacing {
  func makeMessageFooter<M>(_ slot: MessageSlot<M>) -> TerminalText { replacement }
}

struct ReplacedAvatar: Replacing {
  func makeAvatar<M>(_ slot: MessageSlot<M>) -> TerminalText { replacement }
}

struct ReplacedContextMenu: Replacing {
  func makeContextMenu<M>(_ slot: MessageSlot<M>) -> TerminalText { replacement }
}
