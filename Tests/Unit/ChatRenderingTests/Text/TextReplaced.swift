// One factory for each slot, which replaces that slot alone.
import Chat
import ChatComposer
import ChatMessageList
import ChatRendering
import TerminalRendering
import ChatProjections

/// What replaces a slot.
let replacedText = TerminalText("«»")

/// A factory that replaces one slot.
protocol ReplacingText: TextFactory, Sendable {
  init()
}

extension ReplacingText {
  var context: RenderingContext { RenderingContext() }
  var columns: Int { 60 }
  var avatarColumns: Int { 2 }
}

struct Untouched: ReplacingText {}

struct ReplacedComposer: ReplacingText {
  func makeComposer(_ slot: ComposerSlot, _ parts: ComposerParts<TerminalText>) -> TerminalText { replacedText }
}

struct ReplacedComposerNotice: ReplacingText {
  func makeComposerNotice(_ notice: ComposerNotice) -> TerminalText { replacedText }
}

struct ReplacedComposerModifier: ReplacingText {
  func makeComposerModifier(_ composer: TerminalText) -> TerminalText { replacedText }
}

struct ReplacedLeadingComposer: ReplacingText {
  func makeLeadingComposer(
    _ items: [ComposerItem], picker: Composer.Picker, config: ChannelConfig
  ) -> TerminalText { replacedText }
}

struct ReplacedComposerInput: ReplacingText {
  func makeComposerInput(_ slot: ComposerSlot) -> TerminalText { replacedText }
}

struct ReplacedTrailingComposer: ReplacingText {
  func makeTrailingComposer(
    _ items: [ComposerItem], isEnabled: Bool, hasContent: Bool, cooldown: Int
  ) -> TerminalText { replacedText }
}

struct ReplacedAttachmentPicker: ReplacingText {
  func makeAttachmentPicker(_ picker: Composer.Picker, sources: [ComposerItem]) -> TerminalText { replacedText }
}

struct ReplacedCustomPicker: ReplacingText {
  func makeCustomPicker(_ name: Composer.PickerName, items: [ComposerItem]) -> TerminalText { replacedText }
}

struct ReplacedPickerSource: ReplacingText {
  func makePickerSource(_ item: ComposerItem, isOpen: Bool) -> TerminalText { replacedText }
}

struct ReplacedCommandsContainer: ReplacingText {
  func makeCommandsContainer(_ list: SuggestionList) -> TerminalText { replacedText }
}

struct ReplacedUserSuggestion: ReplacingText {
  func makeUserSuggestion(_ suggestion: Suggestion) -> TerminalText { replacedText }
}

struct ReplacedCommandSuggestion: ReplacingText {
  func makeCommandSuggestion(_ suggestion: Suggestion) -> TerminalText { replacedText }
}

struct ReplacedCustomSuggestion: ReplacingText {
  func makeCustomSuggestion(_ suggestion: Suggestion, of kind: SuggestionInfo.Key) -> TerminalText { replacedText }
}

struct ReplacedQuotedMessage: ReplacingText {
  func makeQuotedMessage(_ quote: MessageQuote, _ item: ComposerItem) -> TerminalText { replacedText }
}

struct ReplacedEditBanner: ReplacingText {
  func makeEditBanner(_ edited: MessageQuote?, _ item: ComposerItem) -> TerminalText { replacedText }
}

struct ReplacedInputAttachment: ReplacingText {
  func makeInputAttachment(_ attachment: ComposedAttachment, _ item: ComposerItem) -> TerminalText { replacedText }
}

struct ReplacedCustomAttachment: ReplacingText {
  func makeCustomAttachment(_ attachment: ComposedAttachment, _ item: ComposerItem) -> TerminalText { replacedText }
}

struct ReplacedChannelListItem: ReplacingText {
  func makeChannelListItem(_ item: ChannelItem) -> TerminalText { replacedText }
}

struct ReplacedThreadListItem: ReplacingText {
  func makeThreadListItem(_ item: ThreadItem) -> TerminalText { replacedText }
}

struct ReplacedDraftListItem: ReplacingText {
  func makeDraftListItem(_ item: DraftItem) -> TerminalText { replacedText }
}

struct ReplacedListItem: ReplacingText {
  func makeListItem(_ item: ListItem) -> TerminalText { replacedText }
}

struct ReplacedItemList: ReplacingText {
  func makeItemList(_ slot: ItemListSlot<TerminalText>) -> TerminalText { replacedText }
}

struct ReplacedEmptyItemList: ReplacingText {
  func makeEmptyItemList(_ kind: ItemListKind) -> TerminalText { replacedText }
}

struct ReplacedLoadMore: ReplacingText {
  func makeLoadMore(_ kind: ItemListKind) -> TerminalText { replacedText }
}

struct ReplacedMessageList: ReplacingText {
  func makeMessageList(_ slot: ListSlot<TerminalText>) -> TerminalText { replacedText }
}

struct ReplacedInputBar: ReplacingText {
  func makeInputBar(_ bar: BasicInputBar) -> TerminalText { replacedText }
}

struct ReplacedEmptyList: ReplacingText {
  func makeEmptyList() -> TerminalText { replacedText }
}

struct ReplacedLoading: ReplacingText {
  func makeLoading() -> TerminalText { replacedText }
}

struct ReplacedMessageRow: ReplacingText {
  func makeMessageRow<M>(_ slot: MessageSlot<M>, _ parts: MessageParts<TerminalText>) -> TerminalText { replacedText }
}

struct ReplacedMessageHeader: ReplacingText {
  func makeMessageHeader<M>(_ slot: MessageSlot<M>) -> TerminalText { replacedText }
}

struct ReplacedTimestamp: ReplacingText {
  func makeTimestamp<M>(_ slot: MessageSlot<M>) -> TerminalText { replacedText }
}

struct ReplacedStatus: ReplacingText {
  func makeStatus<M>(_ slot: MessageSlot<M>) -> TerminalText { replacedText }
}

struct ReplacedQuote: ReplacingText {
  func makeQuote<M>(_ quote: MessageQuote, _ slot: MessageSlot<M>) -> TerminalText { replacedText }
}

struct ReplacedReactions: ReplacingText {
  func makeReactions<M>(_ slot: MessageSlot<M>) -> TerminalText { replacedText }
}

struct ReplacedPoll: ReplacingText {
  func makePoll<M>(_ poll: MessagePoll, _ slot: MessageSlot<M>) -> TerminalText { replacedText }
}

struct ReplacedThreadLine: ReplacingText {
  func makeThreadLine<M>(_ thread: MessageThread, _ slot: MessageSlot<M>) -> TerminalText { replacedText }
}

struct ReplacedJumboEmojiBubble: ReplacingText {
  func makeJumboEmojiBubble<M>(_ text: TextItem, _ slot: MessageSlot<M>) -> TerminalText { replacedText }
}

struct ReplacedImageBubble: ReplacingText {
  func makeImageBubble<M>(
    _ image: ImageItem, placeholder: TerminalText, _ slot: MessageSlot<M>
  ) -> TerminalText { replacedText }
}

struct ReplacedMediaBubble: ReplacingText {
  func makeMediaBubble<M>(
    _ media: [Attachment], _ text: TextItem?, placeholder: TerminalText?, _ slot: MessageSlot<M>
  ) -> TerminalText { replacedText }
}

struct ReplacedFileBubble: ReplacingText {
  func makeFileBubble<M>(
    _ files: [Attachment], _ text: TextItem?, _ slot: MessageSlot<M>
  ) -> TerminalText { replacedText }
}

struct ReplacedLinkBubble: ReplacingText {
  func makeLinkBubble<M>(
    _ links: [Attachment], _ text: TextItem?, _ slot: MessageSlot<M>
  ) -> TerminalText { replacedText }
}

struct ReplacedGiphyBubble: ReplacingText {
  func makeGiphyBubble<M>(
    _ pictures: [Attachment], _ text: TextItem?, _ slot: MessageSlot<M>
  ) -> TerminalText { replacedText }
}

struct ReplacedEphemeralBubble: ReplacingText {
  func makeEphemeralBubble<M>(
    _ attachments: [Attachment], _ text: TextItem?, _ slot: MessageSlot<M>
  ) -> TerminalText { replacedText }
}

struct ReplacedSystemMessage: ReplacingText {
  func makeSystemMessage<M>(_ text: TextItem, _ slot: MessageSlot<M>) -> TerminalText { replacedText }
}

struct ReplacedDeletedMessage: ReplacingText {
  func makeDeletedMessage<M>(_ slot: MessageSlot<M>) -> TerminalText { replacedText }
}

struct ReplacedCustomItem: ReplacingText {
  func makeCustomItem<M>(
    _ item: any CustomItem, _ info: CustomRendererInfo, _ slot: MessageSlot<M>
  ) -> TerminalText { replacedText }
}

struct ReplacedImagePlaceholder: ReplacingText {
  func makeImagePlaceholder<M>(_ slot: MessageSlot<M>) -> TerminalText { replacedText }
}

struct ReplacedDateSeparator: ReplacingText {
  func makeDateSeparator(_ row: MessageRow) -> TerminalText { replacedText }
}

struct ReplacedUnreadSeparator: ReplacingText {
  func makeUnreadSeparator(_ row: MessageRow) -> TerminalText { replacedText }
}

struct ReplacedThreadSeparator: ReplacingText {
  func makeThreadSeparator(_ row: MessageRow) -> TerminalText { replacedText }
}

struct ReplacedConversationStart: ReplacingText {
  func makeConversationStart() -> TerminalText { replacedText }
}

struct ReplacedLoadOlder: ReplacingText {
  func makeLoadOlder() -> TerminalText { replacedText }
}

struct ReplacedLoadNewer: ReplacingText {
  func makeLoadNewer() -> TerminalText { replacedText }
}

struct ReplacedTyping: ReplacingText {
  func makeTyping(_ row: MessageRow) -> TerminalText { replacedText }
}

struct ReplacedNotice: ReplacingText {
  func makeNotice(_ row: MessageRow) -> TerminalText { replacedText }
}

struct ReplacedTextBubble: ReplacingText {
  func makeTextBubble<M>(_ text: TextItem, _ slot: MessageSlot<M>) -> TerminalText { replacedText }
}

struct ReplacedMessageFooter: ReplacingText {
  func makeMessageFooter<M>(_ slot: MessageSlot<M>) -> TerminalText { replacedText }
}

struct ReplacedAvatar: ReplacingText {
  func makeAvatar<M>(_ slot: MessageSlot<M>) -> TerminalText { replacedText }
}

struct ReplacedContextMenu: ReplacingText {
  func makeContextMenu<M>(_ slot: MessageSlot<M>) -> TerminalText { replacedText }
}
