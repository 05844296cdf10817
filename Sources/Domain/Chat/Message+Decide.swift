// The decider of messages: who may send, edit, delete and pin.

// MARK: Decide

extension Decision {
  func decide(_ intent: Message.Intent, on key: Message.Key) throws(Refusal) -> [Message.Event] {
    let channel = try known(key.channel)
    let permissions = permissions(in: channel)
    switch intent {
    case .send(let content):
      if content.forwarded != nil, actor.user != nil { throw .messageIsForwarded(key) }
      return try send(content, as: key, in: channel, permissions)
    case .forward(let source): return try forward(source, as: key, in: channel, permissions)
    default: break
    }
    if isOver(key, as: intent, in: channel, permissions) { return [] }
    let message = try reachable(key, in: channel, permissions)
    switch intent {
    case .send, .forward: return []
    case .edit(let edits): return try edit(message, edits, permissions)
    case .delete(let forGood):
      try permissions.needsRight(toDeleteMessageOf: message.author)
      return forGood || deletionHasEffect(on: message) ? [.deleted(forGood: forGood)] : []
    case .restore:
      guard case .deleted(let origin) = message.presence else {
        try permissions.needsRight(toDeleteMessageOf: message.author)
        return []
      }
      try permissions.needsRight(toRestoreMessageOf: message.author, deletedBy: origin.actor)
      try permissions.needsNoBlock()
      return [.restored]
    case .pin(let expiry):
      try permissions.needs(.pin)
      try needsPresence(of: message)
      try needsVisibleToAll(message)
      try check(expiry)
      return message.isPinned(at: instant) && message.pin?.term == expiry ? [] : [.pinned(expiry)]
    case .unpin:
      try permissions.needs(.pin)
      return message.isPinned(at: instant) ? [.unpinned] : []
    case .acknowledge, .fail, .retry: return try deliver(intent, message, permissions)
    case .sendEphemeral, .shuffleEphemeral, .cancelEphemeral:
      return try act(intent, on: message, in: channel, permissions)
    case .openPoll, .addPollOption, .closePoll:
      try needsPresence(of: message)
      return try decidePoll(intent, in: message, permissions)
    }
  }

  private func decidePoll(
    _ intent: Message.Intent, in message: Message, _ permissions: ChannelPermissions
  ) throws(Refusal) -> [Message.Event] {
    switch intent {
    case .openPoll(let options, let rules):
      try needsRight(toActForAuthorOf: message)
      return try openPoll(options, rules, in: message, permissions)
    case .addPollOption(let option): return try addOption(option, in: message, permissions)
    default: return try closePoll(of: message, permissions)
    }
  }

  /// Returns whether the intent is a no-op: an author with the right to delete an erased message.
  private func isOver(
    _ key: Message.Key, as intent: Message.Intent, in channel: Channel, _ permissions: ChannelPermissions
  ) -> Bool {
    guard let message = shown(key, in: channel), message.presence == .gone else { return false }
    switch intent {
    case .delete: return (try? permissions.needsRight(toDeleteMessageOf: message.author)) != nil
    case .cancelEphemeral:
      return message.content.kind == .ephemeral && (try? needsRight(toActForAuthorOf: message)) != nil
    default: return false
    }
  }

  /// Returns whether a restorable deletion has an effect: on a present message, and on one that its author deleted and
  /// could restore, which another user's deletion prevents.
  private func deletionHasEffect(on message: Message) -> Bool {
    switch message.presence {
    case .present: return true
    case .deleted(let origin):
      guard let author = message.author else { return false }
      return origin.actor.user == author && actor.user != author
    case .gone, .erased: return false
    }
  }

  private func edit(
    _ message: Message, _ edits: Message.Edits, _ permissions: ChannelPermissions
  ) throws(Refusal) -> [Message.Event] {
    try permissions.needsEntry()
    try needsPresence(of: message)
    let changes = edits.without(message.content)
    if !changes.isEmpty {
      try checkShape(of: message.content.with(changes), new: changes, under: permissions.config)
    }
    try permissions.needsRight(toEdit: message, changes)
    return changes.isEmpty ? [] : [.edited(changes)]
  }

  /// Decides a report of a delivery, which an author may make after leaving; a ban and a block refuse it, since a
  /// failure has a text, and an acknowledgement notifies.
  private func deliver(
    _ intent: Message.Intent, _ message: Message, _ permissions: ChannelPermissions
  ) throws(Refusal) -> [Message.Event] {
    try needsRight(toActForAuthorOf: message)
    let events = try report(intent, message)
    if !events.isEmpty {
      try permissions.needsNoBlock()
      try permissions.needsNoBan()
    }
    return events
  }

  private func report(_ intent: Message.Intent, _ message: Message) throws(Refusal) -> [Message.Event] {
    switch (intent, message.delivery) {
    case (.acknowledge, .settled), (.retry, .pending): return []
    // A server may accept a failed message: its response arrived late.
    case (.acknowledge, .pending), (.acknowledge, .failed): return [.acknowledged]
    case (.fail(let reason), .pending):
      try check(line: reason)
      return [.failed(reason: reason)]
    case (.fail(let reason), .failed(let existing)) where reason == existing: return []
    case (.retry, .failed): return [.retried]
    default: throw .notAwaited(message.key, message.delivery)
    }
  }

  private func act(
    _ intent: Message.Intent, on message: Message, in channel: Channel, _ permissions: ChannelPermissions
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
      try check(content, in: channel, permissions)
      return [.ephemeralSent]
    case .shuffleEphemeral(let attachments):
      try needsPresence(of: message)
      try check(attachments)
      try permissions.needsThaw()
      return attachments == message.content.attachments ? [] : [.ephemeralShuffled(attachments)]
    default: return [.ephemeralCancelled]
    }
  }

  // MARK: Sending

  private func send(
    _ content: Message.Content, as key: Message.Key, in channel: Channel, _ permissions: ChannelPermissions
  ) throws(Refusal) -> [Message.Event] {
    if let client = content.client, let author = actor.user, let sent = state[Message.ClientKey(author, client)] {
      // A message to another channel must not be dropped silently.
      guard sent.channel == key.channel else { throw .clientIDTaken(client, by: sent) }
      return []
    }
    let existing = state[key]
    if let existing, existing.author == actor.user, existing.content == content { return [] }
    try permissions.needsEntry()
    if existing != nil { throw .messageExists(key) }
    try check(content, in: channel, permissions)
    return [.sent(content)]
  }

  /// Returns the event of a message that is scheduled: slow mode counts when it is sent.
  func schedule(_ content: Message.Content, as key: Message.Key) throws(Refusal) -> [Message.Event] {
    if content.forwarded != nil, actor.user != nil { throw .messageIsForwarded(key) }
    let channel = try known(key.channel)
    var permissions = permissions(in: channel)
    permissions.lastSent = nil
    return try send(content, as: key, in: channel, permissions)
  }

  private func forward(
    _ source: Message.Key, as key: Message.Key, in channel: Channel, _ permissions: ChannelPermissions
  ) throws(Refusal) -> [Message.Event] {
    let origin = try known(source.channel)
    let originPermissions = self.permissions(in: origin)
    try originPermissions.needs(.read)
    let message = try reachable(source, in: origin, originPermissions)
    try needsPresence(of: message)
    try needsVisibleToAll(message)
    let first = message.content.forwarded ?? Message.Forwarded(source, by: message.author)
    // A retry is a no-op, whether or not the source was edited since.
    if let existing = state[key], existing.author == actor.user, existing.content.forwarded == first { return [] }
    var content = Message.Content(message.content.text, attachments: message.content.attachments)
    content.forwarded = first
    return try send(content, as: key, in: channel, permissions)
  }

  private func check(
    _ content: Message.Content, in channel: Channel, _ permissions: ChannelPermissions
  ) throws(Refusal) {
    try checkShape(of: content, new: Message.Edits(content), under: channel.config)
    try permissions.needsRight(toSend: content)
    try checkReferences(of: content, in: channel, permissions)
  }

  /// Throws for content that is refused from every author; composers report these refusals first.
  private func checkShape(
    of content: Message.Content, new: Message.Edits, under config: ChannelConfig
  ) throws(Refusal) {
    let isBlank = content.text.isBlank && content.attachments.isEmpty
    switch content.kind {
    case .regular, .system: if isBlank { throw .emptyMessage }
    case .ephemeral, .custom: break
    }
    if let text = new.text {
      try check(text.byteCount, by: .textByteCount, max: rules.limits.textByteCountMax)
      let lengthMax = Int(config.messageLengthMax)
      // Counting characters is slow, and a text has at most as many as bytes.
      if text.byteCount > lengthMax { try check(text.string.count, by: .messageLength, max: lengthMax) }
    }
    if let attachments = new.attachments { try check(attachments) }
    if new.text != nil || new.mentions != nil { try check(content.mentions, in: content.text) }
    if let extra = new.extra { try check(extra) }
  }

  private func checkReferences(
    of content: Message.Content, in channel: Channel, _ permissions: ChannelPermissions
  ) throws(Refusal) {
    if let id = content.parent {
      let parent = try reachable(Message.Key(channel.id, id), in: channel, permissions)
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

extension UserText {
  /// Whether the text is empty or only white space.
  public var isBlank: Bool { string.unicodeScalars.allSatisfy { TypedText.isWhiteSpace($0) } }
}
