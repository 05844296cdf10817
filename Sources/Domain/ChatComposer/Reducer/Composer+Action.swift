// What can be done in a composer.
public import Chat

extension Composer {
  /// Something that is done in a composer, by whoever writes in it or by what works for them.
  ///
  /// Places are counted in UTF-16 units; one within a character is taken for the place where the character begins.
  public enum Action: Hashable, Sendable {
    /// Types something in the place of what is selected.
    case type(TypedText)
    /// Puts something where something else stands.
    case replace(UTF16Range, with: TypedText)
    /// Makes the text this one, as the binding of a text view does: what differs is what changes.
    case setText(TypedText)
    /// Takes away what is selected, or the character before the caret; at the start of the text, the command's user,
    /// or else makes the command's word text again.
    case backspace
    /// Selects something else; a caret is an empty selection.
    case moveSelection(UTF16Range)
    /// Puts what was copied elsewhere in the place of what is selected.
    case paste(TypedText)
    /// Takes the last change of the text back.
    case undo
    /// Makes the change again that was taken back last.
    case redo
    /// Shows all commands without one being typed, or shows them no more.
    case showCommands(Bool)
    /// Makes a command active, as picking it does.
    case activate(ComposedCommand.ID)
    /// Gives the active command a user, or takes the user away.
    case target(User.ID?)
    /// Has no command active; its word does not come back.
    case clearCommand
    /// Attaches something that is on the device, reached elsewhere already, or an app's own.
    case attach(Attachment)
    /// Takes an attachment off.
    case detach(Attachment.ID)
    /// Says something else of an attachment: a caption, how large it is.
    case changeAttachment(Attachment)
    /// Something came of an upload.
    case upload(Attachment.ID, UploadStep)
    /// Does not want what is shown of a page.
    case dismissPreview(url: UserText)
    /// Quotes a message.
    case quote(Message.ID)
    /// Quotes none.
    case stopQuoting
    /// Changes a message that was sent.
    case beginEdit(Message)
    /// Leaves it as it was.
    case cancelEdit
    /// Goes into a state of an app's own, and takes these parts of the content along; or back to new.
    case enter(ComposerState, keeping: SmallSet<Part>)
    /// Opens something else beside the text, or nothing.
    case showPicker(Picker)
    /// Shows a reply in a thread in the channel too, or not.
    case setShowsInChannel(Bool)
    /// Notifies nobody, or does.
    case setSilent(Bool)
    /// Adds something else of an app's own.
    case setExtra(Extra)
    /// Throws away what is written.
    case clear
    /// What an app's own button does; the composer records it, and the app does it.
    case custom(ActionName, payload: [UInt8] = [])
  }

  /// Something that comes of an upload.
  public enum UploadStep: Hashable, Sendable {
    /// So much of it is done, from 0 to 1.
    case progressed(Double)
    /// It is done, and reached at an address.
    case finished(url: UserText)
    /// It did not succeed.
    case failed(reason: UserText)
    /// It begins again.
    case retried
  }
}

/// Why something cannot be done in a composer; nothing has changed.
public enum ComposerRefusal: Error, Hashable, Sendable {
  /// So many things hang on the message, and no more may.
  case tooManyAttachments(file: UserText, max: Int)
  /// A file has more bytes than may be.
  case fileTooLarge(file: UserText, byteCount: UInt64, max: UInt64)
  /// Files whose names end like this are not taken.
  case fileExtension(file: UserText, extension: UserText)
  /// Files of this MIME type are not taken.
  case mimeType(file: UserText, type: UserText)
  /// Something with this id hangs on the message already.
  case attachmentTwice(Attachment.ID, file: UserText)
  /// Only who wrote a message may change it.
  case notEditable(Message.ID)
  /// A message can be edited, and can be quoted; it takes a message to enter these states.
  case needsMessage(ComposerState)
  /// There is no such command, or the channel does without it.
  case unknownCommand(UserText)
  /// While a message is edited, no command is.
  case noCommandInEdit
  /// What is written is on its way, and something else cannot take its place before it has arrived.
  case busy
}

extension ComposerRefusal: CustomStringConvertible {
  /// One sentence: what happened, to what, what to do.
  public var description: String {
    switch self {
    case .tooManyAttachments(let file, let max):
      "\(file) was not attached, for \(max) things hang on the message: take one off first."
    case .fileTooLarge(let file, let byteCount, let max):
      "\(file) was not attached, for it has \(byteCount) bytes and \(max) are allowed: take a smaller one."
    case .fileExtension(let file, let end):
      "\(file) was not attached, for files ending in “.\(end)” are not taken here: take one of another kind."
    case .mimeType(let file, let type):
      "\(file) was not attached, for files of the type \(type) are not taken here: take one of another kind."
    case .attachmentTwice(let id, let file):
      "\(file) was not attached, for something with the id \(id) hangs on the message: give it another id."
    case .notEditable(let id):
      "The message \(id) cannot be edited: take one that is there and that you may change."
    case .needsMessage(let state):
      "The state “\(state)” needs a message: quote one, or begin to edit one."
    case .unknownCommand(let word):
      "There is no command \(word) here: take one of those that are listed."
    case .noCommandInEdit:
      "A message that is being edited takes no command: save or cancel the edit first."
    case .busy: "What is written is on its way: wait until it has arrived."
    }
  }
}
