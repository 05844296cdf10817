// Composers: the state of writing a message on one device.

// MARK: Identity

extension Composer {
  /// The primary key of a composer: user, device, channel and thread.
  public struct Key: Hashable, Codable, Sendable {
    /// The user of the composer.
    public let user: User.ID
    /// The device of the composer.
    public let device: Device.ID
    /// The channel of the composer.
    public let channel: Channel.ID
    /// The parent message of the thread; nil for the channel itself.
    public let thread: Message.ID?

    /// Creates the key of a user's composer on a device, for a channel or a thread in it.
    public init(of user: User.ID, on device: Device.ID, in channel: Channel.ID, thread: Message.ID? = nil) {
      (self.user, self.device, self.channel, self.thread) = (user, device, channel, thread)
    }

    /// The key of the draft that fills the composer.
    public var draft: Draft.Key { Draft.Key(by: user, in: channel, thread: thread) }
  }

  /// The id of an app's own composer action.
  public typealias ActionName = ID<ActionNames>

  /// The phantom type of ``ActionName``.
  public enum ActionNames: Sendable {}

  /// The id of an app's own picker.
  public typealias PickerName = ID<PickerNames>

  /// The phantom type of ``PickerName``.
  public enum PickerNames: Sendable {}
}

/// The mode of a composer: new message, edit, quote, or an app's own.
public typealias ComposerState = ID<ComposerStates>

/// The phantom type of ``ComposerState``.
public enum ComposerStates: Sendable {}

extension ID where Named == ComposerStates {
  /// The composer writes a new message.
  public static var new: ComposerState { "new" }
  /// The composer edits a sent message.
  public static var edit: ComposerState { "edit" }
  /// The composer writes a message that quotes another.
  public static var quote: ComposerState { "quote" }
}

// MARK: State

/// The state of writing a message on one device.
public struct Composer: Hashable, Sendable {
  /// The key of the composer.
  public let key: Key
  /// The mode of the composer.
  public var state = ComposerState.new
  /// The unsent content.
  public var content = Composition()
  /// The selected range of the text; empty for a caret.
  public var selection: UTF16Range = .start ..< .start
  /// The message that is being edited.
  public var editing: Message.ID?
  /// The content that an edit set aside when it began.
  public var aside: Composition?
  /// The mode of the composer before the edit began.
  public var asideState = ComposerState.new
  /// The open picker.
  public var picker = Picker.collapsed
  /// Whether all commands are listed without one being typed.
  public var showsCommands = false
  /// The running command.
  public var execution: CommandExecution?
  /// Whether the content was changed since it was filled.
  public var isTouched = false
  /// Whether a user has the composer open.
  public var isOpen = false
  /// The time of the last change to the text; nil once sent, cleared or left.
  public var typed: Timestamp?

  /// Creates an empty composer.
  public init(_ key: Key) { self.key = key }

  /// The quoted message; nil while a message is being edited.
  public var quoting: Message.ID? { editing == nil ? content.quoted : nil }

  /// The content that becomes the draft: during an edit, the content that it set aside.
  package var draftContent: Composition { editing == nil ? content : aside ?? Composition() }

  /// The state of the picker beside the text.
  public enum Picker: Hashable, Sendable {
    /// No picker is open.
    case collapsed
    /// A picker is open.
    case expanded(AttachmentPickerType)
  }

  /// The type of an open picker.
  public enum AttachmentPickerType: Hashable, Sendable {
    /// No picker is chosen: the sources are shown.
    case none
    /// The picker of pictures, videos and files.
    case media
    /// The picker of animated pictures.
    case giphy
    /// A picker of the app.
    case custom(PickerName)
  }
}

/// A running command, which ends exactly once.
public struct CommandExecution: Hashable, Sendable {
  /// The id of an execution.
  public typealias ID = Chat.ID<CommandExecution>

  /// The id of the execution.
  public let id: ID
  /// The executed command, with its target.
  public let command: ComposedCommand
  /// The text written after the command.
  public let arguments: UserText

  /// Creates an execution of a command.
  public init(_ id: ID, of command: ComposedCommand, arguments: UserText) {
    (self.id, self.command, self.arguments) = (id, command, arguments)
  }
}

// MARK: Invariants

extension Composer {
  /// The first violated invariant of the row, in words; nil when the row is valid.
  public var defect: String? {
    if selection.upperBound > content.text.end {
      return "the selection ends at \(selection.upperBound.rawValue) of \(content.text.end.rawValue)"
    }
    if content.mentions != content.text.valid(content.mentions) {
      return "mentions are empty, outside the text or out of order: \(content.mentions)"
    }
    if (editing == nil) == (state == .edit) { return "the state is \(state), editing \(editing?.text ?? "nothing")" }
    if (quoting == nil) == (state == .quote) { return "the state is \(state), quoting \(quoting?.text ?? "nothing")" }
    return (editing == nil) != (aside == nil)
      ? "content is set aside without an edit, or an edit is without content set aside" : nil
  }
}
