// A composer to draw: everything that its slots receive, with the actions that they carry.
public import Chat
public import ChatComposer
public import ChatMessageList

/// A composer to draw, with its content.
///
/// Values are plain values. What a view would change through a binding or a closure is a ``SlotAction`` that the output
/// carries, and that `press` performs.
public struct ComposerSlot {
  /// The presentation: the items and their states.
  public var presentation: ComposerPresentation
  /// The content.
  public var content: Composition
  /// The selection in the text.
  public var selection: UTF16Range
  /// The quoted message; nil for none.
  public var quotedMessage: MessageQuote?
  /// The edited message; nil for none.
  public var editedMessage: MessageQuote?
  /// The notice for the user; nil for none.
  public var notice: ComposerNotice?

  /// Creates a slot for a composer.
  public init(
    _ presentation: ComposerPresentation, _ content: Composition, selection: UTF16Range, quoted: MessageQuote? = nil,
    edited: MessageQuote? = nil, notice: ComposerNotice? = nil
  ) {
    (self.presentation, self.content, self.selection) = (presentation, content, selection)
    (quotedMessage, editedMessage, self.notice) = (quoted, edited, notice)
  }
}

// MARK: Values

extension ComposerSlot {
  /// Whether the content can be sent now.
  public var enabled: Bool { presentation.canSend }
  /// Whether there is content to send, regardless of other obstacles.
  public var hasContent: Bool { presentation.hasContent }
  /// The number of seconds until the user may send again; 0 without a slow mode.
  public var cooldownDuration: Int { presentation.cooldown }
  /// The state of the picker.
  public var pickerTypeState: Composer.Picker { presentation.picker }
  /// The configuration of the channel.
  public var channelConfig: ChannelConfig { presentation.channelConfig }
  /// The typed text.
  public var text: String { content.text.userText.string }
  /// The location of the caret, or the start of the selection, in UTF-16 units.
  public var selectedRangeLocation: Int { selection.lowerBound.rawValue }
  /// The active command with its target; nil for none.
  public var command: ComposedCommand? { content.command }
  /// The added pictures and videos.
  public var addedAssets: [ComposedAttachment] { content.attachments.filter { $0.attachment.isAsset } }
  /// The locations of the added files and recordings.
  public var addedFileURLs: [String] { content.attachments.compactMap(\.attachment.fileLocation) }
  /// The added custom attachments.
  public var addedCustomAttachments: [ComposedAttachment] { content.attachments.filter { $0.attachment.isCustom } }
  /// The maximum number of characters of a message.
  public var maxMessageLength: Int { presentation.maxMessageLength }
  /// Whether the input should scroll.
  public var shouldScroll: Bool { presentation.shouldScroll }
}

// MARK: Actions

extension ComposerSlot {
  /// The action that sends the content.
  public var onTap: SlotAction { .send }

  /// The action that clears the command.
  public var onCommandClear: SlotAction { .perform(.clearCommand, id: "command") }

  /// The action that removes the quote.
  public var onQuoteRemove: SlotAction { .perform(.stopQuoting, id: "quote") }

  /// Returns the action that sets the text.
  public func onTextChange(to text: String) -> SlotAction { .perform(.setText(text), id: "text") }

  /// Returns the action that moves the caret.
  public func onCaretMove(to location: Int) -> SlotAction {
    .perform(.moveSelection(location..<location), id: "caret:\(location)")
  }

  /// Returns the action that opens a picker or closes it.
  public func onPickerChange(to picker: Composer.Picker) -> SlotAction {
    .perform(.showPicker(picker), id: "picker:\(picker)")
  }

  /// Returns the action that calls the app with a custom attachment.
  public func onCustomAttachmentTap(_ id: Attachment.ID) -> SlotAction { .tapAttachment(id) }

  /// Returns the action that removes an attachment.
  public func removeAttachmentWithId(_ id: Attachment.ID) -> SlotAction {
    let attachment = content.attachments.first { $0.attachment.id == id }?.attachment
    return .perform(attachment?.removal ?? .detach(id), id: "remove:\(id)")
  }
}

extension Attachment {
  fileprivate var isAsset: Bool { kind == .image || kind == .video }

  fileprivate var isCustom: Bool { if case .custom = kind { true } else { false } }

  fileprivate var fileLocation: String? {
    guard kind == .file || kind == .audio else { return nil }
    switch location {
    case .none: return nil
    case .device(let path): return path.string
    case .url(let url): return url.string
    }
  }
}

// MARK: Live composers

extension LiveComposer {
  /// The composer as slots receive it, at the present instant.
  public var slot: ComposerSlot {
    ComposerSlot(
      presentation, composer.content, selection: composer.selection,
      quoted: composer.content.quoted.map { quote($0) }, edited: composer.editing.map { quote($0) },
      notice: notice ?? stopped)
  }

  /// Returns a message as it is shown above the input.
  private func quote(_ id: Message.ID) -> MessageQuote {
    let context = reducer.composerContext
    switch context.messages[id] {
    case nil: return MessageQuote(id.text, state: .notLoaded)
    case .gone: return MessageQuote(id.text, state: .deleted)
    case .present(let message):
      let sender = message.author.map { MessageSender(id: $0.text, name: context.names[$0]?.string ?? "") }
      let content = ChatMessage(message, seenBy: key.user).content ?? .text
      return MessageQuote(id.text, by: sender, content: content, text: message.content.text.string)
    }
  }
}
