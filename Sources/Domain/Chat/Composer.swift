// Composers: a message while it is being written, on one device.

// MARK: Identity

extension Composer {
  /// Whose composer for where.
  public struct Key: Hashable, Sendable {
    /// Whose.
    public let user: User.ID
    /// On which of their devices.
    public let device: Device.ID
    /// For which channel.
    public let channel: Channel.ID
    /// For a reply in the thread of which message, if for a thread.
    public let thread: Message.ID?

    /// The composer of a user on a device, for a channel or a thread in it.
    public init(of user: User.ID, on device: Device.ID, in channel: Channel.ID, thread: Message.ID? = nil) {
      (self.user, self.device, self.channel, self.thread) = (user, device, channel, thread)
    }

    /// The draft that it is filled from.
    public var draft: Draft.Key { Draft.Key(by: user, in: channel, thread: thread) }
  }

  /// What an app calls an action of its own.
  public typealias ActionName = ID<ActionNames>

  /// What the ids of an app's own actions name.
  public enum ActionNames: Sendable {}

  /// What an app calls a picker of its own.
  public typealias PickerName = ID<PickerNames>

  /// What the ids of an app's own pickers name.
  public enum PickerNames: Sendable {}

  /// What a reason for not sending is called, for programs to tell apart.
  public typealias RefusalName = ID<RefusalNames>

  /// What the ids of reasons name.
  public enum RefusalNames: Sendable {}
}

/// What a composer is about: a new message, an edit, a quote, or an app's own.
public typealias ComposerState = ID<ComposerStates>

/// What the ids of composer states name.
public enum ComposerStates: Sendable {}

extension ID where Named == ComposerStates {
  /// Writing a message.
  public static var new: ComposerState { "new" }
  /// Changing a message that was sent.
  public static var edit: ComposerState { "edit" }
  /// Writing a message that quotes another.
  public static var quote: ComposerState { "quote" }
}

// MARK: State

/// A message while it is being written.
public struct Composer: Hashable, Sendable {
  /// Whose composer for where.
  public let key: Key
  /// What it is about.
  public var state = ComposerState.new
  /// What has been written.
  public var content = Composition()
  /// What is selected in the text; a caret is an empty selection.
  public var selection: UTF16Range = .start ..< .start
  /// The message that is being edited.
  public var editing: Message.ID?
  /// What was being written when an edit began.
  public var aside: Composition?
  /// What the composer was about when an edit began.
  public var asideState = ComposerState.new
  /// What is open beside the text.
  public var picker = Picker.collapsed
  /// Whether all commands are shown without one being typed.
  public var showsCommands = false
  /// The command that is at work.
  public var execution: CommandExecution?
  /// Whether the content was changed since it was filled.
  public var isTouched = false
  /// Whether somebody is in front of it.
  public var isOpen = false
  /// When its text changed last; nil when it was sent, cleared or left since.
  public var typed: Instant?

  /// A composer with nothing in it.
  public init(_ key: Key) { self.key = key }

  /// The message that is quoted, unless a message is being edited.
  public var quoting: Message.ID? { editing == nil ? content.quoted : nil }

  /// What is open beside the text.
  public enum Picker: Hashable, Sendable {
    /// Nothing.
    case collapsed
    /// The room for a picker, and none in it.
    case expanded
    /// Pictures, videos and files.
    case media
    /// Animated pictures.
    case giphy
    /// An app's own.
    case custom(PickerName)
  }
}

/// A command at work: it has begun, and will end exactly once.
public struct CommandExecution: Hashable, Sendable {
  /// What an execution is called.
  public typealias ID = Chat.ID<CommandExecution>

  /// What it is called.
  public let id: ID
  /// Which command, with which target.
  public let command: ComposedCommand
  /// What was written behind it.
  public let arguments: UserText

  /// An execution of a command.
  public init(_ id: ID, of command: ComposedCommand, arguments: UserText) {
    (self.id, self.command, self.arguments) = (id, command, arguments)
  }
}

// MARK: Invariants

extension Composer {
  /// What is wrong with the row, in words; nil when nothing is.
  public var defect: String? {
    if selection.upperBound > content.text.end {
      return "the selection ends at \(selection.upperBound.rawValue) of \(content.text.end.rawValue)"
    }
    if content.mentions != content.text.standing(content.mentions) {
      return "mentions stand for nothing in the text, or not in their order: \(content.mentions)"
    }
    if (editing == nil) == (state == .edit) { return "the state is \(state), editing \(editing?.text ?? "nothing")" }
    if (quoting == nil) == (state == .quote) { return "the state is \(state), quoting \(quoting?.text ?? "nothing")" }
    return (editing == nil) != (aside == nil) ? "something is set aside for no edit, or nothing for one" : nil
  }
}
