// The user for whom a conversation is read, where permissions matter.
package import Chat
package import Projections

/// A user who reads a conversation, and the rules that grant permissions.
package struct Viewer: Hashable, Sendable {
  /// The user who reads.
  package let user: User
  /// The rules that grant permissions.
  package let rules: Rules
  /// The channels that they may read, where another state than the one being read decides that.
  private let channels: Set<Channel.ID>?

  /// Creates a viewer under some rules, or with a fixed set of channels, whatever their role in them.
  package init(_ user: User, under rules: Rules, seeing channels: Set<Channel.ID>? = nil) {
    (self.user, self.rules, self.channels) = (user, rules, channels)
  }

  /// Returns the user's capabilities in a channel, bans disregarded.
  package func capabilities(as member: Member?) -> Capabilities { rules.capabilities(of: user, as: member) }

  /// Returns the user's permissions in a channel, without its ban and the state of the channel.
  package func permissions(as member: Member?, in channel: Channel.ID, at instant: Timestamp) -> ChannelPermissions {
    ChannelPermissions(of: user.id, user, as: member, in: channel, under: rules, at: instant)
  }

  /// Returns whether the user may read a channel.
  package func sees(_ channel: Channel.ID, as member: Member?) -> Bool {
    channels?.contains(channel) ?? capabilities(as: member).contains(.read)
  }
}

extension ChatReading {
  /// Returns the channels that a viewer may read.
  package func channels(seenBy viewer: Viewer) throws(ProjectionError) -> Set<Channel.ID> {
    var channels: Set<Channel.ID> = []
    if viewer.capabilities(as: nil).contains(.read) {
      try reading.forEachRow(of: ChatState.channels) { (_, channel: Channel) in
        if channel.deleted == nil { channels.insert(channel.id) }
        return true
      }
    } else {
      try forEachChannel(of: viewer.user.id) { channel, member throws(ProjectionError) in
        if viewer.sees(channel.id, as: member) { channels.insert(channel.id) }
      }
    }
    return channels
  }
}
