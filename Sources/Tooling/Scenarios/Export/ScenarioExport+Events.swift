// The lines of what was done outside of composers.
internal import Chat
internal import JSONLines

extension ScenarioExport {
  /// Writes an event.
  mutating func write(_ event: ChatEvent) {
    let (user, instant) = (event.origin.actor.user, event.origin.at)
    switch event.change {
    case .composer(let key, let event): write(event, at: key, instant)
    case .message(let key, let event): write(event, of: key.id, by: user, instant)
    case .channel(_, let event): write(event, by: user)
    case .member(let key, let event): write(event, of: key.user, by: user)
    case .reaction(let key, .added(let kind, let score)):
      if score != 1 { noteLoss(of: "the reaction") }
      act("react", kind.text, [("to", key.message.id)], by: user)
    case .reaction(let key, .removed(let kind)): act("unreact", kind.text, [("to", key.message.id)], by: user)
    case .mute(let key, let event): write(event, of: key.target, by: user, instant)
    case .ban(let key, let event): write(event, of: key, by: user, instant)
    case .flag(let key, .raised(let reason)):
      let why: [(String, JSON)] = reason.map { [("reason", .string($0.string))] } ?? []
      if let id = key.target.message { line("flag", .string(id.text), why, by: user) }
    case .review(let target, let event): if let id = target.message { write(event, of: id, by: user) }
    case .block(let key, let event):
      line(event == .began ? "block" : "unblock", .string(key.blocked.text), by: user)
    case .saved(let key, let event): write(event, of: key.message.id, by: user, instant)
    case .scheduled(let key, let event): write(event, of: key.message.id, by: user, instant)
    case .thread(let key, .read(let reply)): act("readThread", reply.text, [("of", key.parent.id)], by: user)
    case .thread(let key, .markedUnread(let reply)):
      act("unreadThread", reply.text, [("of", key.parent.id)], by: user)
    case .vote(let key, .cast(let options)):
      let numbers = options.map { optionNumbers[$0].map(String.init) ?? $0.text }
      line("vote", .texts(numbers), [("of", .string(key.message.id.text))], by: user)
    case .user(let id, .changed(let profile)):
      line("rename", .string(profile.name.string), by: id)
    case .draft(let key, let event): write(event, of: key, instant)
    default: note("\(event.change.kind) cannot be expressed.")
    }
  }

  private mutating func act(_ verb: String, _ message: Message.ID, by user: User.ID?) {
    line(verb, .string(message.text), by: user)
  }

  private mutating func act(_ verb: String, _ value: String, _ messages: [(String, Message.ID)], by user: User.ID?) {
    line(verb, .string(value), messages.map { ($0.0, .string($0.1.text)) }, by: user)
  }

  private mutating func set(_ verb: String, by user: User.ID?, _ value: Bool = true) {
    line(verb, .bool(value), by: user)
  }

  private func span(of term: Expiry, from instant: Timestamp) -> [(String, JSON)] {
    term.end.map { [("for", .string(Microseconds(rawValue: $0.rawValue - instant.rawValue).words))] } ?? []
  }

  // MARK: Messages

  private mutating func write(_ event: Message.Event, of id: Message.ID, by user: User.ID?, _ instant: Timestamp) {
    switch event {
    case .sent(let content):
      if let poll {
        ask(id, content, poll, by: user, instant)
      } else if let source = source(of: content), user != nil {
        line("forward", .string(source.text), [("id", .string(id.text))], by: user)
      } else {
        say(id, content, by: user)
      }
    case .edited(let edits):
      if edits.attachments != nil || edits.mentions != nil { noteLoss(of: "the edit of \(id)") }
      let text: [(String, JSON)] = edits.text.map { [("text", .string($0.string))] } ?? []
      let extra: [(String, JSON)] = edits.extra.map { [("extra", JSON($0))] } ?? []
      if edits.text != nil || edits.extra != nil { line("edit", .string(id.text), text + extra, by: user) }
    case .deleted(let isForGood):
      line("delete", .string(id.text), isForGood ? [("forGood", .bool(true))] : [], by: user)
    case .restored: act("restore", id, by: user)
    case .pinned(let term): line("pin", .string(id.text), span(of: term, from: instant), by: user)
    case .unpinned: act("unpin", id, by: user)
    case .acknowledged: act("acknowledge", id, by: user)
    case .failed(let reason): line("fail", .string(id.text), [("reason", .string(reason.string))], by: user)
    case .retried: act("retry", id, by: user)
    // The id of an ephemeral message is another one when the scenario is played: it is the newest.
    case .ephemeralSent: line("act", .string("send"), by: user)
    case .ephemeralShuffled: line("act", .string("shuffle"), by: user)
    case .ephemeralCancelled: line("act", .string("cancel"), by: user)
    case .pollClosed: act("closePoll", id, by: user)
    case .pollOpened: if poll == nil { note("A poll of a message that was sent before cannot be expressed.") }
    case .pollOptionAdded(let option):
      line(
        "addOption", .string(option.text.string),
        [("of", .string(id.text)), ("option", .string(option.id.text))], by: user)
    }
  }

  private mutating func ask(
    _ id: Message.ID, _ content: Message.Content, _ poll: (options: [Poll.Option], rules: Poll.Rules),
    by user: User.ID?, _ instant: Timestamp
  ) {
    for (number, option) in poll.options.enumerated() { optionNumbers[option.id] = number + 1 }
    if content != Message.Content(content.text, parent: content.parent) { noteLoss(of: "the message \(id)") }
    let keys: [(String, JSON)] = [
      ("options", .texts(poll.options.map(\.text.string))), ("id", .string(id.text)),
      ("votes", .count(poll.rules.votesPerUserMax)), ("anonymous", .bool(poll.rules.isAnonymous)),
      ("extensible", .bool(poll.rules.isExtensible)),
    ]
    let term = span(of: poll.rules.expiry, from: instant)
    line("poll", .string(content.text.string), keys + term, by: user, thread: content.parent)
  }

  /// Adds the line that sends a message without a composer.
  mutating func say(_ id: Message.ID, _ content: Message.Content, by user: User.ID?) {
    if let user { know(user) }
    for mention in content.mentions { know(mention.user) }
    let isWhole =
      content.forwarded == nil && content.kind != .ephemeral && content.attachments.allSatisfy(\.isExpressed)
    if !isWhole { noteLoss(of: "the message \(id)") }
    var keys: [(String, JSON)] = [("id", .string(id.text))]
    func add(_ key: String, _ isOn: Bool) { if isOn { keys.append((key, .bool(true))) } }
    if let quoted = content.quoted { keys.append(("quote", .string(quoted.text))) }
    if !content.attachments.isEmpty {
      let attachments = content.attachments.map { attachment in
        JSON.object(
          [JSON.Member(key: "id", value: .string(attachment.id.text))]
            + attachment.arguments.map { JSON.Member(key: $0.0, value: $0.1) })
      }
      keys.append(("attachments", .array(attachments)))
    }
    if !content.mentions.isEmpty {
      keys.append(
        (
          "mentions",
          .array(content.mentions.map { .members(["user": .string($0.user.text), "range": JSON($0.range)]) })
        ))
    }
    add("showsInChannel", content.showsInChannel)
    add("silent", content.isSilent)
    add("pending", content.isPending)
    if !content.extra.isEmpty { keys.append(("extra", JSON(content.extra))) }
    if let client = content.client { keys.append(("client", .string(client.text))) }
    if case .custom(let kind) = content.kind { keys.append(("kind", .string(kind.text))) }
    if content.kind == .system, user != nil { keys.append(("kind", .string("system"))) }
    line(user == nil ? "tell" : "say", .string(content.text.string), keys, by: user, thread: content.parent)
  }

  /// Returns the message of the scenario that is forwarded; nil if it is not in the scenario, or has changed since.
  private func source(of content: Message.Content) -> Message.ID? {
    guard let source = content.forwarded?.source, source.channel == channel, let known = contents[source.id],
      known.forwarded == nil, known.text == content.text, known.attachments == content.attachments
    else { return nil }
    return source.id
  }

  /// Writes an event of a scheduled message. One that is more than a text is sent by the line of its delivery.
  private mutating func write(
    _ event: ScheduledMessage.Event, of id: Message.ID, by user: User.ID?, _ instant: Timestamp
  ) {
    switch event {
    case .scheduled(let content, let at) where content == Message.Content(content.text):
      let span = Microseconds(rawValue: at.rawValue - instant.rawValue).words
      line("schedule", .string(content.text.string), [("for", .string(span)), ("id", .string(id.text))], by: user)
      scheduled.insert(id)
    case .scheduled(_, let at):
      note("The message \(id) is scheduled for \(at) with more than a text, which cannot be expressed.")
      if scheduled.remove(id) != nil { act("cancelScheduled", id, by: user) }
    case .cancelled: if scheduled.remove(id) != nil { act("cancelScheduled", id, by: user) }
    case .delivered, .failed: return
    }
  }

  // MARK: The channel and its members

  private mutating func write(_ event: Channel.Event, by user: User.ID?) {
    switch event {
    case .frozen: set("freeze", by: user)
    case .unfrozen: set("unfreeze", by: user)
    case .deleted: set("deleteChannel", by: user)
    case .configured(let config): configure(config, by: user)
    case .slowModeSet(let seconds): line("configure", .object([]), [("slowMode", .count(seconds))], by: user)
    case .created: return
    case .truncated(let number):
      let gone = messages.filter { $0.key <= number }
      for id in gone.values { contents[id] = nil }
      if let last = gone.max(by: { $0.key < $1.key }) { act("truncate", last.value, by: user) }
    case .changed: note("A change of the channel's name cannot be expressed.")
    }
  }

  private mutating func configure(_ config: ChannelConfig, by user: User.ID?) {
    let flags = ChannelFlag.allCases.map { JSON.Member(key: "\($0)", value: .bool(!config.off.contains($0))) }
    var keys: [(String, JSON)] = [("maxMessageLength", .count(config.messageLengthMax))]
    if let commands = config.commands { keys.append(("commands", .texts(commands.map(\.text)))) }
    keys.append(("slowMode", .count(config.slowMode)))
    line("configure", .object(flags), keys, by: user)
    if config.isPublic != isPublic { set("publish", by: user, config.isPublic) }
    isPublic = config.isPublic
  }

  private mutating func write(_ event: Member.Event, of member: User.ID, by user: User.ID?) {
    know(member)
    let who = JSON.texts([member.text])
    switch event {
    case .added(let role): line("add", who, [("role", .string(role.text))], by: user)
    case .removed: line("remove", who, by: user)
    case .left: set("leaveChannel", by: member)
    case .roleChanged(let role): line("role", .string(role.text), [("of", .string(member.text))], by: user)
    case .read(let message): act("read", message, by: member)
    case .received(let message): act("receive", message, by: member)
    case .markedUnread(let message): act("unread", message, by: member)
    case .hidden: set("hide", by: member)
    case .invited(let role): line("invite", who, [("role", .string(role.text))], by: user)
    case .declined: set("decline", by: member)
    case .pinned: set("pinChannel", by: member)
    case .unpinned: set("pinChannel", by: member, false)
    case .archived: set("archive", by: member)
    case .unarchived: set("archive", by: member, false)
    // A hidden channel is shown again by its next message.
    case .shown: return
    }
  }

  private mutating func write(_ event: Mute.Event, of target: Mute.Target, by user: User.ID?, _ instant: Timestamp) {
    var term: [(String, JSON)] = []
    if case .began(let expiry) = event { term = span(of: expiry, from: instant) }
    switch target {
    case .user(let muted): line(event == .ended ? "unmute" : "mute", .string(muted.text), term, by: user)
    case .channel: line("muteChannel", .bool(event != .ended), term, by: user)
    }
  }

  private mutating func write(_ event: Ban.Event, of key: Ban.Key, by user: User.ID?, _ instant: Timestamp) {
    know(key.user)
    var keys: [(String, JSON)] = []
    if case .imposed(let term, let reason) = event {
      keys = span(of: term, from: instant)
      if let reason { keys.append(("reason", .string(reason.string))) }
    }
    if key.scope == .everywhere {
      // Lines are those of users: only an administrator bans everywhere.
      guard let user else { return note("A ban from everywhere by the app cannot be expressed.") }
      administrators.insert(user)
      keys.append(("everywhere", .bool(true)))
    }
    line(event == .lifted ? "unban" : "ban", .string(key.user.text), keys, by: user)
  }

  // MARK: A user's own

  private mutating func write(_ event: Review.Event, of message: Message.ID, by user: User.ID?) {
    switch event {
    case .claimed: act("claim", message, by: user)
    case .resolved(let outcome, let note):
      let why: [(String, JSON)] = note.map { [("note", .string($0.string))] } ?? []
      line("resolve", .string(message.text), [("outcome", .string(outcome.text))] + why, by: user)
    case .released: act("unclaim", message, by: user)
    }
  }

  private mutating func write(
    _ event: SavedMessage.Event, of message: Message.ID, by user: User.ID?, _ instant: Timestamp
  ) {
    switch event {
    case .saved(let note, let at):
      let words: [(String, JSON)] = note.map { [("note", .string($0.string))] } ?? []
      let span = at.map { Microseconds(rawValue: $0.rawValue - instant.rawValue).words }
      line("save", .string(message.text), words + (span.map { [("for", .string($0))] } ?? []), by: user)
    case .removed: act("unsave", message, by: user)
    case .reminded: return
    }
  }

  private mutating func write(_ event: Draft.Event, of key: Draft.Key, _ instant: Timestamp) {
    switch event {
    case .updated(let content, let edit), .superseded(let content?, let edit):
      if content != Composition(TypedText(content.text.userText)) { noteLoss(of: "the draft") }
      line(
        "saveDraft", .string(content.text.userText.string), [("editedAt", .string(edit.at.description))],
        by: key.user, thread: key.thread)
    case .deleted(.discarded, _): line("discardDraft", .bool(true), by: key.user, thread: key.thread)
    case .deleted, .superseded: return
    }
  }
}

extension Flag.Target {
  fileprivate var message: Message.ID? { if case .message(let key) = self { key.id } else { nil } }
}

extension Microseconds {
  /// The time span as a line of a scenario has it, in the largest unit that divides it.
  fileprivate var words: String {
    let milliseconds = max(0, rawValue) / 1000
    let units: [(String, Int64)] = [("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1000)]
    for (unit, size) in units where milliseconds > 0 && milliseconds.isMultiple(of: size) {
      return "\(milliseconds / size)\(unit)"
    }
    // A number of more than six digits is no span.
    return milliseconds < 1_000_000 ? "\(milliseconds)ms" : "\(milliseconds / 1000)s"
  }
}

extension ChatEvent.Change {
  /// The name of the kind of change.
  fileprivate var kind: String { Mirror(reflecting: self).children.first?.label ?? "The change" }
}
