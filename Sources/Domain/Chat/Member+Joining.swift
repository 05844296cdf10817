// Invitations, and joining: who invites, withdraws and accepts, and in which role.

extension Decision {
  /// Returns the events of inviting a user; the open invitation of another author is replaced only by a user who could
  /// withdraw it.
  func invite(
    _ row: Member?, to channel: Channel, as role: Role, _ permissions: ChannelPermissions
  ) throws(Refusal) -> [Member.Event] {
    if let invitation = row?.invitation, invitation.declined == nil {
      if invitation.role == role { return [] }
      if invitation.by.user != actor.user {
        let isOffered = capabilities(of: role).isSubset(of: capabilities(of: invitation.role))
        if isOffered, !permissions.capabilities.contains(.ban) { return [] }
        try permissions.needs(.ban)
      }
    }
    try needsRight(toOffer: role, to: row, in: channel, permissions)
    return [.invited(role)]
  }

  /// Throws unless the author may add or invite a user in a role: one with fewer capabilities than another author's
  /// invitation, or than joining a public channel, is given only by users who may remove members.
  func needsRight(
    toOffer role: Role, to row: Member?, in channel: Channel, _ permissions: ChannelPermissions
  ) throws(Refusal) {
    var others: [Role] = channel.config.isPublic ? [roleOfJoining(row)] : []
    if let invitation = row?.invitation, invitation.by.user != actor.user { others.append(invitation.role) }
    let offered = capabilities(of: role)
    if others.allSatisfy({ capabilities(of: $0).isSubset(of: offered) }) { return }
    try permissions.needs(.ban)
  }

  /// Withdraws an invitation, which its author can do without the capability to remove members.
  func withdraw(
    _ invitation: Member.Invitation?, _ permissions: ChannelPermissions
  ) throws(Refusal) -> [Member.Event] {
    let isOwn = invitation.map { $0.by.user == actor.user } ?? true
    try permissions.needs(isOwn && !permissions.capabilities.contains(.ban) ? .invite : .ban)
    return invitation == nil ? [] : [.removed]
  }

  func decideByInvited(
    _ intent: Member.Intent, on key: Member.Key, in channel: Channel
  ) throws(Refusal) -> [Member.Event] {
    let row = state[key]
    if row?.isMember == true {
      if case .join = intent { return [] }
      throw .notInvited(key)
    }
    let invitation = row?.invitation
    guard case .join = intent else {
      guard let invitation else { throw .notInvited(key) }
      return invitation.declined == nil ? [.declined] : []
    }
    try permissions(in: channel).needsNoBan()
    if let invitation {
      let usual = channel.config.isPublic ? roleOfJoining(row) : invitation.role
      return [.added(isLower(invitation.role, than: usual) ? usual : invitation.role)]
    }
    guard channel.config.isPublic else { throw .notMember(key) }
    try needsOpenMembership(of: channel)
    return [.added(roleOfJoining(row))]
  }

  /// Returns the role in which a user joins a public channel: leaving it and joining again gives back no capability. A
  /// user who was invited and never a member has no former role.
  private func roleOfJoining(_ row: Member?) -> Role {
    guard let row, row.invitation?.at != row.joined else { return .member }
    return isLower(row.role, than: .member) ? row.role : .member
  }

  /// Returns whether a role has fewer capabilities than another, and none besides.
  private func isLower(_ role: Role, than other: Role) -> Bool {
    let (own, others) = (capabilities(of: role), capabilities(of: other))
    return own != others && own.isSubset(of: others)
  }

  private func capabilities(of role: Role) -> Capabilities { rules.memberCapabilities[role] ?? [] }
}
