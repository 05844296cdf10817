// An app's own struct for every slot of a page: it replaces the slot alone.
import Chat
import ChatComposer
import ChatMessageList
import ChatRendering
import ChatProjections

/// Draws as pages are drawn, but for what it replaces.
protocol Replacing: HTMLFactory {
  init()
}

extension Replacing {
  var context: RenderingContext { RenderingContext() }
  var actionURL: String? { "/act" }
}

/// What stands in every slot that is replaced.
let replacement = HTML(trusted: "<i>replaced</i>")

let replacing: [any (Replacing & SendableMetatype).Type] = [
  OwnComposer.self, OwnComposerModifier.self, OwnComposerNotice.self, OwnLeading.self, OwnInput.self,
  OwnTrailing.self, OwnPicker.self,
  OwnCustomPicker.self, OwnPickerSource.self, OwnCommands.self, OwnUserSuggestion.self, OwnCommandSuggestion.self,
  OwnCustomSuggestion.self, OwnQuotedMessage.self, OwnEditBanner.self, OwnInputAttachment.self,
  OwnCustomAttachment.self, OwnChannelListItem.self,
  OwnThreadListItem.self, OwnDraftListItem.self, OwnListItem.self, OwnItemList.self, OwnEmptyItemList.self,
  OwnLoadMore.self, OwnMessageList.self, OwnInputBar.self, OwnEmptyList.self,
  OwnLoading.self, OwnMessageRow.self, OwnHeader.self, OwnFooter.self, OwnAvatar.self, OwnContextMenu.self,
  OwnTimestamp.self, OwnStatus.self, OwnQuote.self, OwnPoll.self,
  OwnReactions.self, OwnThreadLine.self, OwnTextBubble.self,
  OwnJumboEmojiBubble.self, OwnImageBubble.self, OwnMediaBubble.self, OwnFileBubble.self, OwnLinkBubble.self,
  OwnGiphyBubble.self, OwnEphemeralBubble.self, OwnSystemMessage.self, OwnDeletedMessage.self, OwnCustomItem.self,
  OwnImagePlaceholder.self, OwnDateSeparator.self, OwnUnreadSeparator.self, OwnThreadSeparator.self,
  OwnConversationStart.self, OwnLoadOlder.self, OwnLoadNewer.self, OwnTyping.self, OwnNotice.self,
]

private struct OwnComposer: Replacing {
  func makeComposer(_ slot: ComposerSlot, _ parts: ComposerParts<HTML>) -> HTML { replacement }
}

private struct OwnComposerNotice: Replacing {
  func makeComposerNotice(_ notice: ComposerNotice) -> HTML { replacement }
}

private struct OwnComposerModifier: Replacing {
  func makeComposerModifier(_ composer: HTML) -> HTML { replacement }
}

private struct OwnLeading: Replacing {
  func makeLeadingComposer(_ items: [ComposerItem], picker: Composer.Picker, config: ChannelConfig) -> HTML {
    replacement
  }
}

private struct OwnInput: Replacing {
  func makeComposerInput(_ slot: ComposerSlot) -> HTML { replacement }
}

private struct OwnTrailing: Replacing {
  func makeTrailingComposer(
    _ items: [ComposerItem], isEnabled: Bool, hasContent: Bool, cooldown: Int
  ) -> HTML { replacement }
}

private struct OwnPicker: Replacing {
  func makeAttachmentPicker(_ picker: Composer.Picker, sources: [ComposerItem]) -> HTML { replacement }
}

private struct OwnCustomPicker: Replacing {
  func makeCustomPicker(_ name: Composer.PickerName, items: [ComposerItem]) -> HTML { replacement }
}

private struct OwnPickerSource: Replacing {
  func makePickerSource(_ item: ComposerItem, isOpen: Bool) -> HTML { replacement }
}

private struct OwnCommands: Replacing {
  func makeCommandsContainer(_ list: SuggestionList) -> HTML { replacement }
}

private struct OwnUserSuggestion: Replacing {
  func makeUserSuggestion(_ suggestion: Suggestion) -> HTML { replacement }
}

private struct OwnCommandSuggestion: Replacing {
  func makeCommandSuggestion(_ suggestion: Suggestion) -> HTML { replacement }
}

private struct OwnCustomSuggestion: Replacing {
  func makeCustomSuggestion(_ suggestion: Suggestion, of kind: SuggestionInfo.Key) -> HTML { replacement }
}

private struct OwnQuotedMessage: Replacing {
  func makeQuotedMessage(_ quote: MessageQuote, _ item: ComposerItem) -> HTML { replacement }
}

private struct OwnEditBanner: Replacing {
  func makeEditBanner(_ edited: MessageQuote?, _ item: ComposerItem) -> HTML { replacement }
}

private struct OwnInputAttachment: Replacing {
  func makeInputAttachment(_ attachment: ComposedAttachment, _ item: ComposerItem) -> HTML { replacement }
}

private struct OwnCustomAttachment: Replacing {
  func makeCustomAttachment(_ attachment: ComposedAttachment, _ item: ComposerItem) -> HTML { replacement }
}

private struct OwnChannelListItem: Replacing {
  func makeChannelListItem(_ item: ChannelItem) -> HTML { replacement }
}

private struct OwnThreadListItem: Replacing {
  func makeThreadListItem(_ item: ThreadItem) -> HTML { replacement }
}

private struct OwnDraftListItem: Replacing {
  func makeDraftListItem(_ item: DraftItem) -> HTML { replacement }
}

private struct OwnListItem: Replacing {
  func makeListItem(_ item: ListItem) -> HTML { replacement }
}

private struct OwnItemList: Replacing {
  func makeItemList(_ slot: ItemListSlot<HTML>) -> HTML { replacement }
}

private struct OwnEmptyItemList: Replacing {
  func makeEmptyItemList(_ kind: ItemListKind) -> HTML { replacement }
}

private struct OwnLoadMore: Replacing {
  func makeLoadMore(_ kind: ItemListKind) -> HTML { replacement }
}

private struct OwnMessageList: Replacing {
  func makeMessageList(_ slot: ListSlot<HTML>) -> HTML { replacement }
}

private struct OwnInputBar: Replacing {
  func makeInputBar(_ bar: BasicInputBar) -> HTML { replacement }
}

private struct OwnEmptyList: Replacing {
  func makeEmptyList() -> HTML { replacement }
}

private struct OwnLoading: Replacing {
  func makeLoading() -> HTML { replacement }
}

private struct OwnMessageRow: Replacing {
  func makeMessageRow<M>(_ slot: MessageSlot<M>, _ parts: MessageParts<HTML>) -> HTML { replacement }
}

private struct OwnHeader: Replacing {
  func makeMessageHeader<M>(_ slot: MessageSlot<M>) -> HTML { replacement }
}

private struct OwnFooter: Replacing {
  func makeMessageFooter<M>(_ slot: MessageSlot<M>) -> HTML { replacement }
}

private struct OwnAvatar: Replacing {
  func makeAvatar<M>(_ slot: MessageSlot<M>) -> HTML { replacement }
}

private struct OwnContextMenu: Replacing {
  func makeContextMenu<M>(_ slot: MessageSlot<M>) -> HTML { replacement }
}

private struct OwnTimestamp: Replacing {
  func makeTimestamp<M>(_ slot: MessageSlot<M>) -> HTML { replacement }
}

private struct OwnStatus: Replacing {
  func makeStatus<M>(_ slot: MessageSlot<M>) -> HTML { replacement }
}

private struct OwnQuote: Replacing {
  func makeQuote<M>(_ quote: MessageQuote, _ slot: MessageSlot<M>) -> HTML { replacement }
}

private struct OwnReactions: Replacing {
  func makeReactions<M>(_ slot: MessageSlot<M>) -> HTML { replacement }
}

private struct OwnPoll: Replacing {
  func makePoll<M>(_ poll: MessagePoll, _ slot: MessageSlot<M>) -> HTML { replacement }
}

private struct OwnThreadLine: Replacing {
  func makeThreadLine<M>(_ thread: MessageThread, _ slot: MessageSlot<M>) -> HTML { replacement }
}

private struct OwnTextBubble: Replacing {
  func makeTextBubble<M>(_ text: TextItem, _ slot: MessageSlot<M>) -> HTML { replacement }
}

private struct OwnJumboEmojiBubble: Replacing {
  func makeJumboEmojiBubble<M>(_ text: TextItem, _ slot: MessageSlot<M>) -> HTML { replacement }
}

private struct OwnImageBubble: Replacing {
  func makeImageBubble<M>(_ image: ImageItem, placeholder: HTML, _ slot: MessageSlot<M>) -> HTML { replacement }
}

private struct OwnMediaBubble: Replacing {
  func makeMediaBubble<M>(
    _ media: [Attachment], _ text: TextItem?, placeholder: HTML?, _ slot: MessageSlot<M>
  ) -> HTML { replacement }
}

private struct OwnFileBubble: Replacing {
  func makeFileBubble<M>(_ files: [Attachment], _ text: TextItem?, _ slot: MessageSlot<M>) -> HTML { replacement }
}

private struct OwnLinkBubble: Replacing {
  func makeLinkBubble<M>(_ links: [Attachment], _ text: TextItem?, _ slot: MessageSlot<M>) -> HTML { replacement }
}

private struct OwnGiphyBubble: Replacing {
  func makeGiphyBubble<M>(_ pictures: [Attachment], _ text: TextItem?, _ slot: MessageSlot<M>) -> HTML { replacement }
}

private struct OwnEphemeralBubble: Replacing {
  func makeEphemeralBubble<M>(_ shown: [Attachment], _ text: TextItem?, _ slot: MessageSlot<M>) -> HTML { replacement }
}

private struct OwnSystemMessage: Replacing {
  func makeSystemMessage<M>(_ text: TextItem, _ slot: MessageSlot<M>) -> HTML { replacement }
}

private struct OwnDeletedMessage: Replacing {
  func makeDeletedMessage<M>(_ slot: MessageSlot<M>) -> HTML { replacement }
}

private struct OwnCustomItem: Replacing {
  func makeCustomItem<M>(_ item: any CustomItem, _ info: CustomRendererInfo, _ slot: MessageSlot<M>) -> HTML {
    replacement
  }
}

private struct OwnImagePlaceholder: Replacing {
  func makeImagePlaceholder<M>(_ slot: MessageSlot<M>) -> HTML { replacement }
}

private struct OwnDateSeparator: Replacing {
  func makeDateSeparator(_ row: MessageRow) -> HTML { replacement }
}

private struct OwnUnreadSeparator: Replacing {
  func makeUnreadSeparator(_ row: MessageRow) -> HTML { replacement }
}

private struct OwnThreadSeparator: Replacing {
  func makeThreadSeparator(_ row: MessageRow) -> HTML { replacement }
}

private struct OwnConversationStart: Replacing {
  func makeConversationStart() -> HTML { replacement }
}

private struct OwnLoadOlder: Replacing {
  func makeLoadOlder() -> HTML { replacement }
}

private struct OwnLoadNewer: Replacing {
  func makeLoadNewer() -> HTML { replacement }
}

private struct OwnTyping: Replacing {
  func makeTyping(_ row: MessageRow) -> HTML { replacement }
}

private struct OwnNotice: Replacing {
  func makeNotice(_ row: MessageRow) -> HTML { replacement }
}
