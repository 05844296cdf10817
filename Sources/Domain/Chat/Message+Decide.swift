// The decider of messages: who may send, edit, delete and pin.

// MARK: Decide

extension Decision {
  func decide(_ intent: Message.Intent, on key: Message.Key) throws(Refusal) -> [Message.Event] {
    let channel = try known(key.channel)
    if case .send(let content) = intent { return try send(content, as: key, in: channel) }
    if isOver(key, as: intent, in: channel) { return [] }
    let message = try reachable(key, in: channel)
    switch intent {
    case .send: return []
    case .edit(let edits): return try edit(message, edits, in: channel)
    case .delete(let forGood):
      try needs(own: .deleteOwn, any: .deleteAny, for: message, in: channel)
      return message.presence == .present || forGood ? [.deleted(forGood: forGood)] : []
    case .restore:
      try needs(own: .deleteOwn, any: .deleteAny, for: message, in: channel)
      guard case .deleted(let stamp) = message.presence else { return [] }
      // Authors cannot restore messages that another user deleted.
      if stamp.actor.user != actor.user { try needs(.deleteAny, in: channel) }
      return [.restored]
    case .pin(let term):
      try needs(.pin, in: channel)
      try needsPresence(of: message)
      try needsVisibleToAll(message)
      try check(term)
      return message.isPinned(at: instant) && message.pin?.term == term ? [] : [.pinned(term)]
    case .unpin:
      try needs(.pin, in: channel)
      return message.isPinned(at: instant) ? [.unpinned] : []
    case .acknowledge, .fail, .retry: return try deliver(intent, message)
    case .sendEphemeral, .shuffleEphemeral, .cancelEphemeral: return try act(intent, on: message, in: channel)
    }
  }

  /// Returns whether the intent is a no-op: an author with the right to delete an erased message.
  private func isOver(_ key: Message.Key, as intent: Message.Intent, in channel: Channel) -> Bool {
    guard let message = shown(key, in: channel), message.presence == .gone else { return false }
    switch intent {
    case .delete: return (try? needs(own: .deleteOwn, any: .deleteAny, for: message, in: channel)) != nil
    case .cancelEphemeral:
      return message.content.kind == .ephemeral && (try? needsRight(toActForAuthorOf: message)) != nil
    default: return false
    }
  }

  private func edit(
    _ message: Message, _ edits: Message.Edits, in channel: Channel
  ) throws(Refusal) -> [Message.Event] {
    try needsEntry(to: channel)
    try needsPresence(of: message)
    let changes = edits.without(message.content)
    if !changes.isEmpty {
      try checkShape(of: message.content.with(changes), new: changes, in: channel)
      try needsThaw(of: channel)
    }
    try needs(own: .editOwn, any: .editAny, for: message, in: channel)
    if changes.isEmpty { return [] }
    try needsRight(toShow: changes, besides: message.content.attachments, in: channel)
    return [.edited(changes)]
  }

  private func deliver(_ intent: Message.Intent, _ message: Message) throws(Refusal) -> [Message.Event] {
    try needsRight(toActForAuthorOf: message)
    switch (intent, message.delivery) {
    case (.acknowledge, .settled), (.retry, .pending): return []
    // A server may accept a failed message: its response arrived late.
    case (.acknowledge, .pending), (.acknowledge, .failed): return [.acknowledged]
    case (.fail(let reason), .pending):
      try check(line: reason)
      return [.failed(reason: reason)]
    case (.fail(let reason), .failed(let standing)) where reason == standing: return []
    case (.retry, .failed): return [.retried]
    default: throw .notAwaited(message.key, message.delivery)
    }
  }

  private func act(
    _ intent: Message.Intent, on message: Message, in channel: Channel
  ) throws(Refusal) -> [Message.Event] {
    try needsRight(toActForAuthorOf: message)
    guard message.content.kind == .ephemeral else {
      // A repeated “send” is a no-op: the message is sent already.
      if case .sendEphemeral = intent { return [] }
      throw .notEphemeral(message.key)
    }
    switch intent {
    case .sendEphemeral:
      try needsPresence(of: message)
      var content = message.content
      content.kind = .regular
      try check(content, in: channel)
      return [.ephemeralSent]
    case .shuffleEphemeral(let attachments):
      try needsPresence(of: message)
      try check(attachments)
      try needsThaw(of: channel)
      return attachments == message.content.attachments ? [] : [.ephemeralShuffled(attachments)]
    default: return [.ephemeralCancelled]
    }
  }

  // MARK: Sending

  private func send(
    _ content: Message.Content, as key: Message.Key, in channel: Channel
  ) throws(Refusal) -> [Message.Event] {
    if let client = content.client, let author = actor.user, let sent = state[Message.ClientKey(author, client)] {
      // A message to another channel must not be dropped silently.
      guard sent.channel == key.channel else { throw .clientIDTaken(client, by: sent) }
      return []
    }
    let standing = state[key]
    if let standing, standing.author == actor.user, standing.content == content { return [] }
    try needsEntry(to: channel)
    if standing != nil { throw .messageExists(key) }
    try check(content, in: channel)
    return [.sent(content)]
  }

  private func check(_ content: Message.Content, in channel: Channel) throws(Refusal) {
    try checkShape(of: content, new: Message.Edits(content), in: channel)
    try needsRight(toSend: content, in: channel)
    try checkReferences(of: content, in: channel)
  }

  /// Throws for content that is refused from every author; composers report these refusals first.
  private func checkShape(of content: Message.Content, new: Message.Edits, in channel: Channel) throws(Refusal) {
    let isBlank = content.text.isBlank && content.attachments.isEmpty
    switch content.kind {
    case .regular, .system: if isBlank { throw .emptyMessage }
    case .ephemeral, .custom: break
    }
    if let text = new.text {
      try check(text.byteCount, by: .textByteCount, max: rules.limits.textByteCountMax)
      let lengthMax = Int(channel.config.messageLengthMax)
      // Counting characters is slow, and a text has at most as many as bytes.
      if text.byteCount > lengthMax { try check(text.string.count, by: .messageLength, max: lengthMax) }
    }
    if let attachments = new.attachments { try check(attachments) }
    if new.text != nil || new.mentions != nil { try check(content.mentions, in: content.text) }
    if let extra = new.extra { try check(extra) }
  }

  private func needsRight(toSend content: Message.Content, in channel: Channel) throws(Refusal) {
    try needsThaw(of: channel)
    try needsNoBan(in: channel)
    if content.kind == .system { try needsAdministrator() }
    if content.parent == nil {
      try needs(.send, in: channel)
    } else {
      try needsFlag(.replies, in: channel)
      try needs(.reply, in: channel)
    }
    if content.quoted != nil {
      try needsFlag(.quotes, in: channel)
      try needs(.quote, in: channel)
    }
    try needsRight(toShow: Message.Edits(content), in: channel)
    if content.kind != .ephemeral { try needsCooldown(in: channel) }
  }

  /// Throws unless the author may add new parts; existing attachments stay, whatever the current rules allow.
  private func needsRight(
    toShow new: Message.Edits, besides standing: [Attachment] = [], in channel: Channel
  ) throws(Refusal) {
    let attachments = (new.attachments ?? []).filter { !standing.contains($0) }
    if attachments.contains(where: \.isUpload) {
      try needsFlag(.uploads, in: channel)
      try needs(.upload, in: channel)
    }
    if attachments.contains(where: { $0.kind == .link }) { try needsFlag(.urlEnrichment, in: channel) }
    if new.text?.hasLink == true || attachments.contains(where: { $0.kind == .link }) {
      try needs(.sendLinks, in: channel)
    }
  }

  private func needsCooldown(in channel: Channel) throws(Refusal) {
    guard let author = actor.user, channel.config.slowMode > 0,
      let last = state[Member.Key(channel.id, author)]?.lastSent,
      !capabilities(of: author, in: channel).contains(.skipSlowMode)
    else { return }
    let end = last + .seconds(Int64(channel.config.slowMode))
    if instant < end { throw .coolingDown(until: end) }
  }

  private func checkReferences(of content: Message.Content, in channel: Channel) throws(Refusal) {
    if let id = content.parent {
      let parent = try reachable(Message.Key(channel.id, id), in: channel)
      if parent.content.parent != nil { throw .parentIsReply(parent.key) }
      try needsVisibleToAll(parent)
    }
    if let id = content.quoted {
      // The quoted message may have been deleted since; the reference stays.
      let key = Message.Key(channel.id, id)
      guard let quoted = state[key], isForActor(quoted) else { throw .unknownMessage(key) }
      try needsVisibleToAll(quoted)
    }
  }
}

extension Message.Edits {
  /// Creates the edits of a new message, all parts of which are new.
  fileprivate init(_ content: Message.Content) {
    self.init(
      text: content.text, mentions: content.mentions, attachments: content.attachments, extra: content.extra)
  }
}

extension UserText {
  /// Whether the text is empty or only white space.
  public var isBlank: Bool { string.unicodeScalars.allSatisfy { TypedText.isWhiteSpace($0) } }
}
