// Queries for mention suggestions: users whose name matches typed text.
public import Chat
public import Projections

extension ChatReading {
  /// Returns the members of a channel whose id or name, or the name from one of its words on, begins with the typed
  /// text, ignoring case, marks on letters and width; the best first.
  ///
  /// Exact matches of id or name are first, then names that begin with the text, then names that do so from a word on,
  /// then ids. Equal matches are sorted by their last message to the channel, latest first, members without one last;
  /// then by name, folded and then by its bytes, and by id. An empty text matches all equally. Deactivated users are
  /// not suggested.
  public func members(
    of channel: Channel.ID, matching typed: UserText, limit: Int = 10, except user: User.ID? = nil
  ) throws(ProjectionError) -> [User] {
    try members(of: channel, matching: typed, limit: limit, except: user, within: SuggestionBounds())
  }

  /// Returns the users, members or not, whose id or name, or the name from one of its words on, begins with a text.
  ///
  /// They are in the order of ``members(of:matching:limit:except:)``, where only members have sent messages; without a
  /// channel, or with one that does not exist, no user has.
  public func users(
    matching typed: UserText, in channel: Channel.ID? = nil, limit: Int = 10, except user: User.ID? = nil
  ) throws(ProjectionError) -> [User] {
    try users(matching: typed, in: channel, limit: limit, except: user, within: SuggestionBounds())
  }
}

/// The bounds of each search strategy before the next one is tried; the result is the same.
package struct SuggestionBounds: Hashable, Sendable {
  /// The maximum number of matching names that are looked at one by one.
  package var names: Int
  /// The maximum number of members of a channel that are looked at one by one.
  package var members: Int
  /// The maximum number of rows of a sorted table that are searched for matches.
  package var steps: Int

  /// Creates bounds with which a query among 100,000 members takes about a millisecond at most.
  package init(names: Int = 1024, members: Int = 1000, steps: Int = 4096) {
    (self.names, self.members, self.steps) = (names, members, steps)
  }
}

extension ChatReading {
  /// Returns the users of ``members(of:matching:limit:except:)``, within bounds.
  package func members(
    of channel: Channel.ID, matching typed: UserText, limit: Int, except user: User.ID?, within bounds: SuggestionBounds
  ) throws(ProjectionError) -> [User] {
    guard let row = try self.channel(channel) else { return [] }
    return try suggestions(
      UserSuggester(
        NameQuery(typed), in: channel, memberCount: Int(row.memberCount), limit: limit, except: user, within: bounds))
  }

  /// Returns the users of ``users(matching:in:limit:except:)``, within bounds.
  package func users(
    matching typed: UserText, in channel: Channel.ID?, limit: Int, except user: User.ID?,
    within bounds: SuggestionBounds
  ) throws(ProjectionError) -> [User] {
    var present: Channel.ID?
    if let channel, try self.channel(channel) != nil { present = channel }
    return try suggestions(
      UserSuggester(NameQuery(typed), in: present, memberCount: nil, limit: limit, except: user, within: bounds))
  }
}
