// Who draws: a method for every slot.
public import Chat
public import ChatComposer
public import ChatMessageList
public import ChatProjections

/// Who draws: a method for every slot of composers and lists, each with a default, so that an app replaces one and
/// leaves the others.
///
/// Whoever has a form of output of their own conforms to this, and has plain words in every slot until they say
/// otherwise. For text and HTML there are `TextFactory` and `HTMLFactory`, which draw all slots well; an app
/// conforms to one of them and replaces what it likes.
public protocol ViewFactory<Output> {
  /// What is drawn.
  associatedtype Output: DrawnOutput
  /// Words, names and calendars.
  var context: RenderingContext { get }

  // MARK: Composer

  /// Puts the parts of a composer together.
  func makeComposer(_ slot: ComposerSlot, _ parts: ComposerParts<Output>) -> Output
  /// Changes the look of a composer as a whole.
  func makeComposerModifier(_ composer: Output) -> Output
  /// Before the input: the buttons that open pickers.
  func makeLeadingComposer(_ items: [ComposerItem], picker: Composer.Picker, config: ChannelConfig) -> Output
  /// The input: what is written, with what hangs on it.
  func makeComposerInput(_ slot: ComposerSlot) -> Output
  /// Behind the input: the button that sends; how many seconds it waits yet.
  func makeTrailingComposer(_ items: [ComposerItem], isEnabled: Bool, cooldown: Int) -> Output
  /// From where one can attach something.
  func makeAttachmentPicker(_ picker: Composer.Picker, sources: [ComposerItem]) -> Output
  /// One place from where one can attach something.
  func makePickerSource(_ item: ComposerItem, isOpen: Bool) -> Output
  /// All that is suggested.
  func makeCommandsContainer(_ list: SuggestionList) -> Output
  /// A user that is suggested.
  func makeUserSuggestion(_ suggestion: Suggestion) -> Output
  /// A command that is suggested.
  func makeCommandSuggestion(_ suggestion: Suggestion) -> Output
  /// The message that is quoted, above the input.
  func makeQuotedMessage(_ quote: MessageQuote, _ item: ComposerItem) -> Output
  /// That a message is edited, above the input.
  func makeEditBanner(_ edited: MessageQuote?, _ item: ComposerItem) -> Output
  /// An attachment in the input.
  func makeInputAttachment(_ attachment: ComposedAttachment, _ item: ComposerItem) -> Output
  /// An attachment of an app's own kind in the input.
  func makeCustomAttachment(_ attachment: ComposedAttachment, _ item: ComposerItem) -> Output

  // MARK: Lists

  /// A channel in a list.
  func makeChannelListItem(_ item: ChannelItem) -> Output
  /// A thread in a list.
  func makeThreadListItem(_ item: ThreadItem) -> Output
  /// Something written and not sent, in a list.
  func makeDraftListItem(_ draft: Draft) -> Output
  /// Puts the rows of a list together.
  func makeMessageList(_ slot: ListSlot<Output>) -> Output
  /// What is below a list, where there is no composer.
  func makeInputBar(_ bar: BasicInputBar) -> Output
  /// What stands in a list without messages.
  func makeEmptyList() -> Output
  /// That something is being loaded.
  func makeLoading() -> Output

  // MARK: Rows of messages

  /// Puts the parts of a message together, with what is remarked above it: each message has its own remarks, wherever
  /// in its group it stands.
  func makeMessageRow<M>(_ slot: MessageSlot<M>, _ parts: MessageParts<Output>) -> Output
  /// Above a message or its group: who said it.
  func makeMessageHeader<M>(_ slot: MessageSlot<M>) -> Output
  /// Below a message or its group.
  func makeMessageFooter<M>(_ slot: MessageSlot<M>) -> Output
  /// The picture of who said it; or as much room.
  func makeAvatar<M>(_ slot: MessageSlot<M>) -> Output
  /// What one can do with a message.
  func makeContextMenu<M>(_ slot: MessageSlot<M>) -> Output
  /// What one can do with a message that only oneself sees.
  func makeEphemeralActions<M>(_ slot: MessageSlot<M>) -> Output
  /// When a message was sent.
  func makeTimestamp<M>(_ slot: MessageSlot<M>) -> Output
  /// How far it came, whether it was edited, who sees it.
  func makeStatus<M>(_ slot: MessageSlot<M>) -> Output
  /// What a message quotes.
  func makeQuote<M>(_ quote: MessageQuote, _ slot: MessageSlot<M>) -> Output
  /// How a message is reacted to.
  func makeReactions<M>(_ slot: MessageSlot<M>) -> Output
  /// The thread about a message.
  func makeThreadLine<M>(_ thread: MessageThread, _ slot: MessageSlot<M>) -> Output

  // MARK: Bubbles

  /// Words.
  func makeTextBubble<M>(_ text: TextItem, _ slot: MessageSlot<M>) -> Output
  /// Nothing but a few emoji.
  func makeJumboEmojiBubble<M>(_ text: TextItem, _ slot: MessageSlot<M>) -> Output
  /// A picture.
  func makeImageBubble<M>(_ image: ImageItem, placeholder: Output, _ slot: MessageSlot<M>) -> Output
  /// Pictures and videos, with words.
  func makeMediaBubble<M>(_ media: [Attachment], _ text: TextItem?, _ slot: MessageSlot<M>) -> Output
  /// Files and recordings, with words.
  func makeFileBubble<M>(_ files: [Attachment], _ text: TextItem?, _ slot: MessageSlot<M>) -> Output
  /// A page elsewhere, with words.
  func makeLinkBubble<M>(_ links: [Attachment], _ text: TextItem?, _ slot: MessageSlot<M>) -> Output
  /// An animated picture, with words.
  func makeGiphyBubble<M>(_ pictures: [Attachment], _ text: TextItem?, _ slot: MessageSlot<M>) -> Output
  /// What only its author sees.
  func makeEphemeralBubble<M>(_ attachments: [Attachment], _ text: TextItem?, _ slot: MessageSlot<M>) -> Output
  /// What the app said.
  func makeSystemMessage<M>(_ text: TextItem, _ slot: MessageSlot<M>) -> Output
  /// A message was here.
  func makeDeletedMessage<M>(_ slot: MessageSlot<M>) -> Output
  /// An app's own kind, for which no renderer was given; by default what says so.
  func makeCustomItem<M>(_ item: any CustomItem, _ info: CustomRendererInfo, _ slot: MessageSlot<M>) -> Output
  /// What stands for a picture that is not there.
  func makeImagePlaceholder<M>(_ slot: MessageSlot<M>) -> Output

  // MARK: Other rows

  /// A day begins.
  func makeDateSeparator(_ row: MessageRow) -> Output
  /// What is below was not read.
  func makeUnreadSeparator(_ row: MessageRow) -> Output
  /// Below are the replies.
  func makeThreadSeparator(_ row: MessageRow) -> Output
  /// The conversation begins.
  func makeConversationStart() -> Output
  /// There are earlier messages.
  func makeLoadOlder() -> Output
  /// There are later messages.
  func makeLoadNewer() -> Output
  /// Somebody types.
  func makeTyping(_ row: MessageRow) -> Output
  /// Something is not shown as it would be.
  func makeNotice(_ row: MessageRow) -> Output
}
