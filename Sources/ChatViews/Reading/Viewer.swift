// Who looks at a conversation, where it counts what they may see.
package import Chat

/// Somebody who looks, and the rules by which they may.
package struct Viewer: Hashable, Sendable {
  /// Who.
  package let user: User
  /// The rules.
  package let rules: Rules

  /// A user under some rules.
  package init(_ user: User, under rules: Rules) { (self.user, self.rules) = (user, rules) }

  /// What they may do in a channel, were they not banned.
  package func capabilities(as member: Member?) -> Capabilities { rules.capabilities(of: user, as: member) }

  /// Whether they may read in a channel.
  package func sees(as member: Member?) -> Bool { capabilities(as: member).contains(.read) }
}
