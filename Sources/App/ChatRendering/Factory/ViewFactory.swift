// The protocol of factories: a method for every slot.
public import Chat
public import ChatComposer
public import ChatMessageList
public import ChatProjections

/// A factory with a method for every slot of composers and lists; each has a default, so that an app replaces single
/// slots.
///
/// An app with its own form of output conforms to this protocol and gets plain text in every slot that it does not
/// implement. For text and HTML there are `TextFactory` and `HTMLFactory` with complete designs, to which an app
/// conforms to replace single slots.
public protocol ViewFactory<Output> {
  /// The type of the output.
  associatedtype Output: DrawnOutput
  /// The texts, names and calendar.
  var context: RenderingContext { get }

  // MARK: Composer

  /// Combines the parts of a composer.
  func makeComposer(_ slot: ComposerSlot, _ parts: ComposerParts<Output>) -> Output
  /// Modifies a composer as a whole.
  func makeComposerModifier(_ composer: Output) -> Output
  /// Returns the notice for the user: the reason of a failure, or the effect of an executed command.
  func makeComposerNotice(_ notice: ComposerNotice) -> Output
  /// Returns the items before the input: the buttons that open pickers.
  func makeLeadingComposer(_ items: [ComposerItem], picker: Composer.Picker, config: ChannelConfig) -> Output
  /// Returns the input: the text with its attachments.
  func makeComposerInput(_ slot: ComposerSlot) -> Output
  /// Returns the items after the input: the send button, and the remaining seconds of its cooldown; given whether the
  /// content can be sent now, and whether there is any.
  func makeTrailingComposer(_ items: [ComposerItem], isEnabled: Bool, hasContent: Bool, cooldown: Int) -> Output
  /// Returns the open picker with its items: attachment sources, animated pictures, or those of the app.
  func makeAttachmentPicker(_ picker: Composer.Picker, sources: [ComposerItem]) -> Output
  /// Returns a picker of the app, with the items that it offers.
  func makeCustomPicker(_ name: Composer.PickerName, items: [ComposerItem]) -> Output
  /// Returns one item of a picker.
  func makePickerSource(_ item: ComposerItem, isOpen: Bool) -> Output
  /// Returns the list of suggestions.
  func makeCommandsContainer(_ list: SuggestionList) -> Output
  /// Returns a suggested user.
  func makeUserSuggestion(_ suggestion: Suggestion) -> Output
  /// Returns a suggested command.
  func makeCommandSuggestion(_ suggestion: Suggestion) -> Output
  /// Returns a suggestion of a kind of the app's own, or the notice of a failed request.
  func makeCustomSuggestion(_ suggestion: Suggestion, of kind: SuggestionInfo.Key) -> Output
  /// Returns the quoted message above the input.
  func makeQuotedMessage(_ quote: MessageQuote, _ item: ComposerItem) -> Output
  /// Returns the banner above the input while a message is edited.
  func makeEditBanner(_ edited: MessageQuote?, _ item: ComposerItem) -> Output
  /// Returns an attachment in the input.
  func makeInputAttachment(_ attachment: ComposedAttachment, _ item: ComposerItem) -> Output
  /// Returns an attachment of a custom kind in the input.
  func makeCustomAttachment(_ attachment: ComposedAttachment, _ item: ComposerItem) -> Output

  // MARK: Lists

  /// Returns a channel in a list.
  func makeChannelListItem(_ item: ChannelItem) -> Output
  /// Returns a thread in a list.
  func makeThreadListItem(_ item: ThreadItem) -> Output
  /// Returns a draft in a list.
  func makeDraftListItem(_ item: DraftItem) -> Output
  /// Returns an item of another list: a message, a mute, a channel to join or a blocked user.
  func makeListItem(_ item: ListItem) -> Output
  /// Combines the items of a list.
  func makeItemList(_ slot: ItemListSlot<Output>) -> Output
  /// Returns the output in place of items if there are none.
  func makeEmptyItemList(_ kind: ItemListKind) -> Output
  /// Returns the control that loads more items.
  func makeLoadMore(_ kind: ItemListKind) -> Output
  /// Combines the rows of a list.
  func makeMessageList(_ slot: ListSlot<Output>) -> Output
  /// Returns the input bar below a list without a composer.
  func makeInputBar(_ bar: BasicInputBar) -> Output
  /// Returns the output in place of messages if there are none.
  func makeEmptyList() -> Output
  /// Returns the loading indicator.
  func makeLoading() -> Output

  // MARK: Rows of messages

  /// Combines the parts of a message, with its annotations above: each message has its own, at any position in its
  /// group.
  func makeMessageRow<M>(_ slot: MessageSlot<M>, _ parts: MessageParts<Output>) -> Output
  /// Returns the header above a message or its group: the author.
  func makeMessageHeader<M>(_ slot: MessageSlot<M>) -> Output
  /// Returns the footer below a message or its group.
  func makeMessageFooter<M>(_ slot: MessageSlot<M>) -> Output
  /// Returns the author's picture, or a spacer of its size.
  func makeAvatar<M>(_ slot: MessageSlot<M>) -> Output
  /// Returns the menu of actions on a message: those of the row and those of the app.
  func makeContextMenu<M>(_ slot: MessageSlot<M>) -> Output
  /// Returns the actions on an ephemeral message.
  func makeEphemeralActions<M>(_ slot: MessageSlot<M>) -> Output
  /// Returns the time of sending.
  func makeTimestamp<M>(_ slot: MessageSlot<M>) -> Output
  /// Returns the delivery state, the edit mark and the visibility.
  func makeStatus<M>(_ slot: MessageSlot<M>) -> Output
  /// Returns the quoted message.
  func makeQuote<M>(_ quote: MessageQuote, _ slot: MessageSlot<M>) -> Output
  /// Returns the poll in a message.
  func makePoll<M>(_ poll: MessagePoll, _ slot: MessageSlot<M>) -> Output
  /// Returns the reactions to a message.
  func makeReactions<M>(_ slot: MessageSlot<M>) -> Output
  /// Returns the line of a message's thread.
  func makeThreadLine<M>(_ thread: MessageThread, _ slot: MessageSlot<M>) -> Output

  // MARK: Bubbles

  /// Returns a text.
  func makeTextBubble<M>(_ text: TextItem, _ slot: MessageSlot<M>) -> Output
  /// Returns a text of a few emoji only.
  func makeJumboEmojiBubble<M>(_ text: TextItem, _ slot: MessageSlot<M>) -> Output
  /// Returns a picture.
  func makeImageBubble<M>(_ image: ImageItem, placeholder: Output, _ slot: MessageSlot<M>) -> Output
  /// Returns pictures and videos with a text; the placeholder, if the app gives one, replaces each picture that is not
  /// shown.
  func makeMediaBubble<M>(
    _ media: [Attachment], _ text: TextItem?, placeholder: Output?, _ slot: MessageSlot<M>
  ) -> Output
  /// Returns files and recordings with a text.
  func makeFileBubble<M>(_ files: [Attachment], _ text: TextItem?, _ slot: MessageSlot<M>) -> Output
  /// Returns links to web pages with a text.
  func makeLinkBubble<M>(_ links: [Attachment], _ text: TextItem?, _ slot: MessageSlot<M>) -> Output
  /// Returns animated pictures with a text.
  func makeGiphyBubble<M>(_ pictures: [Attachment], _ text: TextItem?, _ slot: MessageSlot<M>) -> Output
  /// Returns a message that only its author sees.
  func makeEphemeralBubble<M>(_ attachments: [Attachment], _ text: TextItem?, _ slot: MessageSlot<M>) -> Output
  /// Returns a system message.
  func makeSystemMessage<M>(_ text: TextItem, _ slot: MessageSlot<M>) -> Output
  /// Returns the placeholder of a deleted message.
  func makeDeletedMessage<M>(_ slot: MessageSlot<M>) -> Output
  /// Returns content of a custom kind without a renderer; by default a text that says so.
  func makeCustomItem<M>(_ item: any CustomItem, _ info: CustomRendererInfo, _ slot: MessageSlot<M>) -> Output
  /// Returns the placeholder of a picture that is not available.
  func makeImagePlaceholder<M>(_ slot: MessageSlot<M>) -> Output

  // MARK: Other rows

  /// Returns the separator above a new day.
  func makeDateSeparator(_ row: MessageRow) -> Output
  /// Returns the separator above unread messages.
  func makeUnreadSeparator(_ row: MessageRow) -> Output
  /// Returns the separator above the replies of a thread.
  func makeThreadSeparator(_ row: MessageRow) -> Output
  /// Returns the mark of the conversation's start.
  func makeConversationStart() -> Output
  /// Returns the control that loads earlier messages.
  func makeLoadOlder() -> Output
  /// Returns the control that loads later messages.
  func makeLoadNewer() -> Output
  /// Returns the typing indicator of a user.
  func makeTyping(_ row: MessageRow) -> Output
  /// Returns a notice about messages that are not shown normally.
  func makeNotice(_ row: MessageRow) -> Output
}
