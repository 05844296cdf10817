// What deciding reads and folding writes: rows, each by its key.

/// The rows of a conversation's state.
///
/// Single rows are given and taken, so that nothing is loaded that a decision does not ask for; drafts alone are also
/// looked for, by where they would be sent. A state that cannot read what it is asked for answers nil, or none, and has
/// to tell its owner, who then drops what was decided or folded.
public protocol ChatStateStore {
  /// What the app chose; read by deciding, never by folding.
  var rules: Rules { get }

  /// A user.
  subscript(id: User.ID) -> User? { get set }
  /// A device of a user.
  subscript(key: Device.Key) -> Device? { get set }
  /// What somebody muted.
  subscript(key: Mute.Key) -> Mute? { get set }
  /// Who is banned.
  subscript(key: Ban.Key) -> Ban? { get set }
  /// What somebody flagged.
  subscript(key: Flag.Key) -> Flag? { get set }
  /// A channel.
  subscript(id: Channel.ID) -> Channel? { get set }
  /// Somebody who is or was a member of a channel.
  subscript(key: Member.Key) -> Member? { get set }
  /// A message.
  subscript(key: Message.Key) -> Message? { get set }
  /// The message that an author sent under an id of their own.
  subscript(key: Message.ClientKey) -> Message.Key? { get set }
  /// How a user reacted to a message.
  subscript(key: Reaction.Key) -> Reaction? { get set }
  /// A draft, or what is left of a deleted one.
  subscript(key: Draft.Key) -> Draft? { get set }
  /// A composer.
  subscript(key: Composer.Key) -> Composer? { get set }

  /// Which drafts are stored for a place, not those that were deleted; in the order of their keys.
  func drafts(in scope: Draft.Scope) -> [Draft.Key]
}
