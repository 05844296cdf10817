// The permissions of an author in a channel: the facts on which they depend, and the rules over these facts.

/// The permissions of an author in a channel at an instant.
///
/// It holds the facts on which permissions depend, and its functions are the rules: pure, and written nowhere else. The
/// decider, the queries of a client, the check whether a composer's content can be sent, and the actions offered on a
/// message all call them.
package struct ChannelPermissions: Sendable {
  /// The id of the channel.
  package let channel: Channel.ID
  /// The user; nil for the app itself, which may do everything.
  package let user: User.ID?
  /// The instant at which the permissions are evaluated.
  package let instant: Timestamp
  /// Whether the user is a member. Others learn nothing about the channel from a refusal.
  package var isMember = true
  /// Whether the author is the app or an administrator.
  package var isAdministrator = false
  /// The capabilities of the author, bans aside.
  package var capabilities = Capabilities.all
  /// The ban in effect that limits the author to reading, if any.
  package var ban: Ban?
  /// The block between the author and the other user of a direct channel of two, if any.
  package var block: UserBlock?
  /// The configuration of the channel.
  package var config = ChannelConfig()
  /// Whether the channel is frozen.
  package var isFrozen = false
  /// The time of the author's last message in the channel.
  package var lastSent: Timestamp?

  /// Creates the permissions of an author whose facts are set afterwards: by default, all is permitted.
  package init(of user: User.ID?, in channel: Channel.ID, at instant: Timestamp) {
    (self.user, self.channel, self.instant) = (user, channel, instant)
  }

  /// Creates the permissions of a user from the rows of the user and the member.
  package init(
    of user: User.ID, _ row: User?, as member: Member?, in channel: Channel.ID, under rules: Rules,
    at instant: Timestamp
  ) {
    self.init(of: user, in: channel, at: instant)
    isMember = member?.isMember == true
    isAdministrator = rules.isAdministrator(row)
    capabilities = rules.capabilities(of: row, as: member)
    lastSent = member?.lastSent
  }

  /// Sets the facts about the channel.
  package mutating func apply(_ channel: Channel) { (config, isFrozen) = (channel.config, channel.isFrozen) }
}

// MARK: Capabilities and bans

extension Capability {
  /// Whether a banned user keeps the capability.
  package var withstandsBan: Bool { self == .read }
}

extension Capabilities {
  /// Returns the capability needed to change a message: for one's own, either of two suffices.
  package func needed(own: Capability, any: Capability, isOwn: Bool) -> Capability {
    isOwn && !contains(any) ? own : any
  }
}

extension ChannelPermissions {
  /// Throws unless the author has a capability; the app has all.
  package func needs(_ capability: Capability) throws(Refusal) {
    guard let user else { return }
    if !capability.withstandsBan { try needsNoBan() }
    guard !capabilities.contains(capability) else { return }
    throw isMember ? .notAllowed(capability, in: channel) : .notMember(Member.Key(channel, user))
  }

  /// Throws unless the author may change a message: their own with one capability, and any with the other.
  func needs(own: Capability, any: Capability, forMessageOf author: User.ID?) throws(Refusal) {
    try needs(capabilities.needed(own: own, any: any, isOwn: author == user))
  }

  /// Throws if the author is banned and may only read.
  package func needsNoBan() throws(Refusal) {
    if let ban { throw .banned(ban) }
  }

  /// Throws if the channel is a direct one of two users, one of whom blocks the other.
  package func needsNoBlock() throws(Refusal) {
    guard let block else { return }
    throw block.key.user == user ? .blocking(block.key.blocked) : .blocked(by: block.key.user)
  }

  /// Throws if the author has no capability and is not a member: outsiders learn nothing about the channel.
  func needsEntry() throws(Refusal) {
    guard let user, capabilities.isEmpty, !isMember else { return }
    throw .notMember(Member.Key(channel, user))
  }
}

// MARK: The state of the channel

extension ChannelPermissions {
  /// Throws if a feature is off in the channel, for all but the app.
  func needsFlag(_ flag: ChannelFlag) throws(Refusal) {
    if user == nil || config.has(flag) { return }
    try needsEntry()
    throw .off(flag, in: channel)
  }

  /// Throws if the channel is frozen, for all but the app.
  func needsThaw() throws(Refusal) {
    if user == nil || !isFrozen { return }
    try needsEntry()
    throw .channelFrozen(channel)
  }

  /// Throws if the author has to wait in slow mode.
  private func needsCooldown() throws(Refusal) {
    let end = config.cooldownEnd(after: lastSent, with: capabilities, at: instant)
    if let end { throw .coolingDown(until: end) }
  }
}

// MARK: Messages

extension ChannelPermissions {
  /// Throws unless the author may send a message.
  package func needsRight(toSend content: Message.Content) throws(Refusal) {
    try needsRight(toPostInThread: content.parent != nil, quoting: content.quoted != nil, as: content.kind)
    try needsRight(toShow: Message.Edits(content))
    if content.kind != .ephemeral { try needsCooldown() }
  }

  /// Throws unless the author may send a message of a kind, whatever its content and whenever the last one was sent.
  package func needsRight(
    toPostInThread isReply: Bool, quoting hasQuote: Bool, as kind: Message.Kind = .regular
  ) throws(Refusal) {
    try needsThaw()
    try needsNoBlock()
    try needsNoBan()
    if kind == .system, !isAdministrator { throw .notAdministrator }
    if isReply {
      try needsFlag(.replies)
      try needs(.reply)
    } else {
      try needs(.send)
    }
    if hasQuote {
      try needsFlag(.quotes)
      try needs(.quote)
    }
  }

  /// Throws unless the author may make changes to an existing message; nobody changes what was forwarded.
  package func needsRight(toEdit message: Message, _ changes: Message.Edits) throws(Refusal) {
    if message.content.forwarded != nil { throw .messageIsForwarded(message.key) }
    try needsRight(toEditMessageOf: message.author, changes, besides: Message.Edits(message.content))
  }

  /// Throws unless the author may make changes to a message; without changes, a frozen channel or a block refuses
  /// nothing.
  package func needsRight(
    toEditMessageOf author: User.ID?, _ changes: Message.Edits, besides existing: Message.Edits = Message.Edits()
  ) throws(Refusal) {
    if !changes.isEmpty {
      try needsThaw()
      try needsNoBlock()
    }
    try needs(own: .editOwn, any: .editAny, forMessageOf: author)
    try needsRight(toShow: changes, besides: existing)
  }

  /// Throws unless the author may add new parts; existing attachments and mentioned groups stay, whatever the current
  /// rules allow.
  private func needsRight(
    toShow new: Message.Edits, besides existing: Message.Edits = Message.Edits()
  ) throws(Refusal) {
    let attachments = (new.attachments ?? []).filter { existing.attachments?.contains($0) != true }
    if attachments.contains(where: \.isUpload) {
      try needsFlag(.uploads)
      try needs(.upload)
    }
    let groups = Set((existing.mentions ?? []).compactMap(\.group))
    if !groups.isSuperset(of: (new.mentions ?? []).compactMap(\.group)) { try needs(.mentionGroups) }
    let hasPreview = attachments.contains { $0.kind == .link }
    if hasPreview { try needsFlag(.urlEnrichment) }
    if !sendsLinks, hasPreview { try needs(.sendLinks) }
    if let text = new.text { try needsRight(toLinkIn: text) }
  }

  /// Throws unless the author may send the links of a text, if it has any.
  func needsRight(toLinkIn text: UserText) throws(Refusal) {
    if !sendsLinks, text.hasLink { try needs(.sendLinks) }
  }

  /// Whether the author may send links, so that a text is not searched for any.
  private var sendsLinks: Bool { user == nil || ban == nil && capabilities.contains(.sendLinks) }

  /// Throws unless the author may delete a message.
  package func needsRight(toDeleteMessageOf author: User.ID?) throws(Refusal) {
    try needs(own: .deleteOwn, any: .deleteAny, forMessageOf: author)
  }

  /// Throws unless the author may restore a deleted message, and so read its content: authors may not restore messages
  /// that another user deleted.
  package func needsRight(toRestoreMessageOf author: User.ID?, deletedBy deleter: Author) throws(Refusal) {
    try needsRight(toDeleteMessageOf: author)
    if deleter.user != user { try needs(.deleteAny) }
  }

  /// Throws unless the author may add reactions.
  package func needsRightToReact() throws(Refusal) {
    try needsThaw()
    try needsNoBlock()
    try needsFlag(.reactions)
    try needs(.react)
  }

  /// Throws unless the author may vote in polls; while one of two users blocks the other, they may only retract votes.
  package func needsRightToVote(retracting: Bool = false) throws(Refusal) {
    try needsThaw()
    if !retracting { try needsNoBlock() }
    try needs(.react)
  }

  /// Throws unless the author may read the history of a message's changes.
  package func needsRight(toReadHistoryOfMessageOf author: User.ID?) throws(Refusal) {
    if author == user || (try? needs(.deleteAny)) != nil { return }
    try needs(.editAny)
  }
}

extension ChannelConfig {
  /// Returns the end of the wait in slow mode after an author's last message; nil if the author need not wait.
  package func cooldownEnd(
    after lastSent: Timestamp?, with capabilities: Capabilities, at instant: Timestamp
  ) -> Timestamp? {
    guard slowMode > 0, let lastSent, !capabilities.contains(.skipSlowMode) else { return nil }
    let end = lastSent + .seconds(Int64(slowMode))
    return instant < end ? end : nil
  }
}

extension Message.Edits {
  /// Creates the edits of a new message, all parts of which are new.
  init(_ content: Message.Content) {
    self.init(
      text: content.text, mentions: content.mentions, attachments: content.attachments, extra: content.extra)
  }
}

extension Message {
  /// Returns whether a viewer sees the message: an ephemeral one is visible to its author only.
  package func isVisible(to viewer: User.ID?) -> Bool {
    content.kind != .ephemeral || viewer != nil && author == viewer
  }
}
