// The actions of a composer.
public import Chat

extension Composer {
  /// An action in a composer, by its user or by a component on the user's behalf.
  ///
  /// Offsets are counted in UTF-16 units; one within a grapheme cluster is moved to the start of that cluster.
  public enum Action: Hashable, Sendable {
    /// Types text in place of the selection.
    case type(String)
    /// Replaces a range by text.
    case replace(Range<Int>, with: String)
    /// Sets the whole text, as the binding of a text view does; only the diff is recorded.
    case setText(String)
    /// Deletes the selection or the character before the caret; at the start of the text, removes the command's target,
    /// or else turns the command back into its word.
    case backspace
    /// Moves the selection; a caret is an empty selection.
    case moveSelection(Range<Int>)
    /// Pastes text in place of the selection.
    case paste(String)
    /// Undoes the last text change.
    case undo
    /// Redoes the last undone text change.
    case redo
    /// Shows or hides the list of all commands without typing one.
    case showCommands(Bool)
    /// Activates a command, as picking it does.
    case activate(ComposedCommand.ID)
    /// Sets or removes the target of the active command.
    case target(User.ID?)
    /// Clears the active command; its word is not restored.
    case clearCommand
    /// Attaches a local file, a remote resource, or a custom attachment.
    case attach(Attachment)
    /// Removes an attachment.
    case detach(Attachment.ID)
    /// Changes the properties of an attachment, such as caption or size.
    case changeAttachment(Attachment)
    /// Reports a step of an upload.
    case upload(Attachment.ID, UploadStep)
    /// Dismisses the preview of a page.
    case dismissPreview(url: String)
    /// Quotes a message.
    case quote(Message.ID)
    /// Removes the quote.
    case stopQuoting
    /// Begins to edit a sent message.
    case beginEdit(Message)
    /// Cancels the edit.
    case cancelEdit
    /// Enters a custom state, keeping these parts of the content; or returns to the new state.
    case enter(ComposerState, keeping: SmallSet<Part>)
    /// Opens another picker beside the text, or closes it.
    case showPicker(Picker)
    /// Sets whether a reply in a thread is also shown in the channel.
    case setShowsInChannel(Bool)
    /// Sets whether the message is sent without notifications.
    case setSilent(Bool)
    /// Sets the custom data of the app.
    case setExtra(Extra)
    /// Clears the content.
    case clear
    /// Performs an app's custom action; the composer records it, and the app executes it.
    case custom(ActionName, payload: [UInt8] = [])
  }

  /// A step of an upload.
  public enum UploadStep: Hashable, Sendable {
    /// The upload progressed to this fraction, from 0 to 1.
    case progressed(Double)
    /// The upload finished at this URL.
    case finished(url: String)
    /// The upload failed.
    case failed(RecordedFailure)
    /// The upload is retried.
    case retried
  }
}

/// The reason why an action is refused; nothing has changed.
public enum ComposerRefusal: CodedError, Hashable, Sendable {
  /// The message already has the maximum number of attachments.
  case tooManyAttachments(file: UserText, max: Int)
  /// The file has more bytes than allowed.
  case fileTooLarge(file: UserText, byteCount: UInt64, max: UInt64)
  /// Files with this extension are not allowed.
  case fileExtension(file: UserText, extension: UserText)
  /// Files of this MIME type are not allowed.
  case mimeType(file: UserText, type: UserText)
  /// The message already has an attachment with this id.
  case attachmentTwice(Attachment.ID, file: UserText)
  /// The user may not edit the message, or it cannot be edited.
  case notEditable(Message.ID)
  /// The edit and quote states need a message; use the actions that take one.
  case needsMessage(ComposerState)
  /// The command does not exist, or the channel has it switched off.
  case unknownCommand(UserText)
  /// Commands are not available while a message is being edited.
  case noCommandInEdit
  /// A value was picked while nothing is being suggested.
  case nothingSuggested
  /// The content is being sent and cannot be replaced until the send ends.
  case busy
  /// The picked suggestion is not offered any more.
  case suggestionGone(Suggestion.ID)
}

extension ComposerRefusal: CustomStringConvertible {
  /// One sentence: what failed, on what, what to do.
  public var description: String {
    switch self {
    case .tooManyAttachments(let file, let max):
      "\(file) was not attached, since the message has \(max) attachments already: remove one first."
    case .fileTooLarge(let file, let byteCount, let max):
      "\(file) was not attached, since it has \(byteCount) bytes and \(max) are allowed: choose a smaller file."
    case .fileExtension(let file, let end):
      "\(file) was not attached, since files ending in “.\(end)” are not accepted here: choose another kind of file."
    case .mimeType(let file, let type):
      "\(file) was not attached, since files of the type \(type) are not accepted here: choose another kind of file."
    case .attachmentTwice(let id, let file):
      "\(file) was not attached, since the message has an attachment with the id \(id) already: use another id."
    case .notEditable(let id):
      "The message \(id) cannot be edited: choose an existing one that you may edit."
    case .needsMessage(let state):
      "The state “\(state)” needs a message: quote one, or begin to edit one."
    case .unknownCommand(let word):
      "There is no command \(word) here: choose a listed one."
    case .noCommandInEdit:
      "Commands are not available during an edit: save or cancel the edit first."
    case .nothingSuggested:
      "Nothing was picked, since nothing is being suggested: move the caret to the text that asks for it first."
    case .busy: "The content is being sent: wait until the send ends."
    case .suggestionGone(let id): "“\(id)” is not suggested any more: pick one of the present suggestions."
    }
  }
}
