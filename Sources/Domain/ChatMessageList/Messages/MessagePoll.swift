// The poll in a message as seen by a viewer.

/// The poll in a message.
public struct MessagePoll: Hashable, Sendable {
  /// The options, in order.
  public var options: [Option]
  /// Whether votes are accepted.
  public var isOpen: Bool
  /// The maximum number of options that the viewer votes for.
  public var votesMax: Int

  /// Creates a poll from its options.
  public init(_ options: [Option], isOpen: Bool = true, votesMax: Int = 1) {
    (self.options, self.isOpen, self.votesMax) = (options, isOpen, votesMax)
  }

  /// An option of a poll.
  public struct Option: Hashable, Sendable {
    /// The id of the option.
    public var id: String
    /// The text of the option.
    public var text: String
    /// The number of users who voted for it.
    public var votes: Int
    /// Whether the viewer is one of them.
    public var mine: Bool

    /// Creates an option.
    public init(_ id: String, _ text: String, votes: Int = 0, mine: Bool = false) {
      (self.id, self.text, self.votes, self.mine) = (id, text, votes, mine)
    }
  }

  /// Returns the ids of the options for which the viewer votes after pressing one: it is added or taken back, and takes
  /// the place of the others where only one vote is allowed.
  public func votes(pressing id: String) -> [String] {
    let own = options.filter(\.mine).map(\.id)
    if own.contains(id) { return own.filter { $0 != id } }
    return votesMax == 1 ? [id] : own + [id]
  }
}
