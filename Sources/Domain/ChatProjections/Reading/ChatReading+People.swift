// People who match what somebody typed of a name, as one suggests whom to mention.
public import Chat
public import Projections

extension ChatReading {
  /// Members of a channel whose id or name, be it from one of its words on, begins with what was typed, without case,
  /// marks on letters and width; the best first.
  ///
  /// First comes whose id or name is what was typed, then whose name begins with it, whose name does so from a word on,
  /// whose id does. Of those who match as well, first comes who sent a message to the channel last, and last who never
  /// sent one; then they stand in the order of their names, folded and then by their bytes, and of their ids. Where
  /// nothing was typed all match, and as well. Users who are deactivated are not suggested.
  public func members(
    of channel: Channel.ID, matching typed: UserText, limit: Int = 10, except user: User.ID? = nil
  ) throws(ProjectionError) -> [User] {
    try members(of: channel, matching: typed, limit: limit, except: user, within: SuggestionBounds())
  }

  /// Users, members or not, whose id or name, be it from one of its words on, begins with what was typed.
  ///
  /// They stand in the order of ``members(of:matching:limit:except:)``, where only members have sent anything; those of
  /// no channel, or of one that is not there, have not.
  public func users(
    matching typed: UserText, in channel: Channel.ID? = nil, limit: Int = 10, except user: User.ID? = nil
  ) throws(ProjectionError) -> [User] {
    try users(matching: typed, in: channel, limit: limit, except: user, within: SuggestionBounds())
  }
}

/// How far to look for people in one way before trying another; what is found is the same.
package struct SuggestionBounds: Hashable, Sendable {
  /// Of how many names that match each is looked at.
  package var names: Int
  /// Of how many members of a channel each is looked at.
  package var members: Int
  /// At how many people in the order of a table one looks for some who match.
  package var steps: Int

  /// Bounds with which a question to 100,000 members takes about a millisecond at most.
  package init(names: Int = 1024, members: Int = 1000, steps: Int = 4096) {
    (self.names, self.members, self.steps) = (names, members, steps)
  }
}

extension ChatReading {
  /// As ``members(of:matching:limit:except:)``, within bounds.
  package func members(
    of channel: Channel.ID, matching typed: UserText, limit: Int, except user: User.ID?, within bounds: SuggestionBounds
  ) throws(ProjectionError) -> [User] {
    guard let row = try self.channel(channel) else { return [] }
    return try suggestions(
      UserSuggester(
        NameQuery(typed), in: channel, memberCount: Int(row.memberCount), limit: limit, except: user, within: bounds))
  }

  /// As ``users(matching:in:limit:except:)``, within bounds.
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
