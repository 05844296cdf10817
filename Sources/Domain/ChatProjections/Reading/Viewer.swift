// Who looks at a conversation, where it counts what they may see.
package import Chat
package import Projections

/// Somebody who looks, and the rules by which they may.
package struct Viewer: Hashable, Sendable {
  /// Who.
  package let user: User
  /// The rules.
  package let rules: Rules
  /// The channels in which they may read, where that is decided by another state than the one they look at.
  private let channels: Set<Channel.ID>?

  /// A user under some rules; who sees some channels, whatever they are in them.
  package init(_ user: User, under rules: Rules, seeing channels: Set<Channel.ID>? = nil) {
    (self.user, self.rules, self.channels) = (user, rules, channels)
  }

  /// What they may do in a channel, were they not banned.
  package func capabilities(as member: Member?) -> Capabilities { rules.capabilities(of: user, as: member) }

  /// Whether they may read in a channel.
  package func sees(_ channel: Channel.ID, as member: Member?) -> Bool {
    channels?.contains(channel) ?? capabilities(as: member).contains(.read)
  }
}

extension ChatReading {
  /// The channels in which a user may read.
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
