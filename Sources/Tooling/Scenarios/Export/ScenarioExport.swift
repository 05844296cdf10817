// Writes a scenario of what happened in a channel.
package import Chat
internal import ChatComposer
package import EventLog
internal import JSONLines

/// A scenario of what happened in a channel, written from its events: what users did, not what followed from it.
///
/// Events are added in the order of the log. Those of other channels are left out, as are those that follow from an
/// action: the message of a sent composer, the draft of one that was left. Keys typed one after the other become one
/// line. What a scenario cannot express becomes a note.
package struct ScenarioExport: Sendable {
  let channel: Channel.ID
  private(set) var lines: ScenarioLines
  /// The composers of the channel, as far as their events were added.
  var composers: [Composer.Key: Composer] = [:]
  /// The users who act, are members, or are mentioned.
  private(set) var people: Set<User.ID> = []
  /// The users who act as administrators.
  var administrators: Set<User.ID> = []
  /// The members of the channel at the start, the owner first.
  private var members: [User.ID] = []
  /// The messages that were sent or existed at the start, by their numbers.
  private(set) var messages: [Message.Number: Message.ID] = [:]
  private var newest = Message.Number.zero
  /// The content of the messages that are there and can be forwarded.
  var contents: [Message.ID: Message.Content] = [:]
  /// The messages that the scenario schedules.
  var scheduled: Set<Message.ID> = []
  private var commands: [ComposedCommand.ID] = []
  private var start: Timestamp?
  /// Whether the append that is being added creates the channel.
  private var isCreating = false
  /// The poll that the append opens.
  private(set) var poll: (options: [Poll.Option], rules: Poll.Rules)?
  /// Whether the lines so far make the channel public.
  var isPublic = false
  /// The numbers of the options of polls.
  var optionNumbers: [Poll.Option.ID: Int] = [:]
  /// The composers that the scenario has open.
  private var open: Set<Composer.Key> = []
  /// The composers whose command has ended, which then clears them.
  var executed: Set<Composer.Key> = []
  /// The append that is being added, with its events.
  private var pending: (id: AppendID, events: [ChatEvent])?

  /// Creates the scenario of a channel from its creation.
  package init(of channel: Channel.ID) { (self.channel, lines) = (channel, ScenarioLines(in: channel)) }

  /// Adds an event; those that do not concern the channel are left out.
  package mutating func add(_ event: ChatEvent, of append: AppendID) {
    if pending?.id != append { flush() }
    pending = (append, (pending?.events ?? []) + [event])
  }

  /// Adds the state of the channel before the first event that is added: its members, messages and composers, and the
  /// number of its newest message, which need not be among the messages.
  package mutating func begin(
    at instant: Timestamp, members: [Member], messages: [Message], newest: Message.Number, composers: [Composer]
  ) {
    start = instant
    lines.begin(at: instant)
    let owners = members.filter { $0.role == .owner } + members.filter { $0.role != .owner }
    self.members = owners.map(\.key.user)
    people.formUnion(self.members)
    for member in owners.dropFirst() where member.role != .member {
      lines.add("role", .string(member.role.text), [("of", .string(member.key.user.text))], by: self.members.first)
    }
    for message in messages { addStart(message) }
    self.newest = newest
    for composer in composers where composer.isOpen || composer.content.hasContent { addStart(composer) }
  }

  private mutating func addStart(_ message: Message) {
    var content = message.content
    guard message.presence == .present, content.kind != .ephemeral, content.parent.map(has) ?? true else { return }
    if let quoted = content.quoted, !has(quoted) { content.quoted = nil }
    messages[message.number] = message.key.id
    contents[message.key.id] = content
    say(message.key.id, content, by: message.author)
  }

  /// Whether a message is in the scenario.
  private func has(_ message: Message.ID) -> Bool { messages.values.contains(message) }

  private mutating func addStart(_ composer: Composer) {
    people.insert(composer.key.user)
    lines.add("setText", .string(composer.content.text.userText.string), at: composer.key)
    var copy = Composer(composer.key)
    copy.content.text = composer.content.text
    copy.selection = composer.selection
    if composer.selection != composer.content.text.end..<composer.content.text.end {
      lines.add("caret", JSON(composer.selection), at: composer.key)
    }
    copy.isOpen = true
    composers[composer.key] = copy
  }

  /// Writes the scenario, which ends with what the user saw: the texts of messages and composers.
  ///
  /// - Parameters:
  ///   - name: Returns the name of a user; one without a name is named by the id.
  ///   - seen: The messages that the user saw; nil if they saw none, since the channel was not theirs to see.
  package mutating func text(
    title: String, keepsDrafts: Bool, seen: [Message]?, by user: User.ID, name: (User.ID) throws -> String?
  ) rethrows -> String {
    flush()
    expect(seen, by: user)
    var writer = JSONWriter()
    writer.value(try header(title, keepsDrafts, name))
    writer.endLine()
    for user in administrators.sorted() {
      let known = try name(user) ?? user.text
      writer.value(.members(["user": .string(user.text), "name": .string(known), "role": .string(Role.admin.text)]))
      writer.endLine()
    }
    for line in lines.all {
      writer.value(.object(line))
      writer.endLine()
    }
    return writer.text
  }

  private func header(
    _ title: String, _ keepsDrafts: Bool, _ name: (User.ID) throws -> String?
  ) rethrows -> JSON {
    let users = try people.union(members).sorted().map { user in
      JSON.Member(key: user.text, value: .string(try name(user) ?? user.text))
    }
    let channels = [JSON.Member(key: channel.text, value: .texts(members.map(\.text)))]
    var first = [
      JSON.Member(key: "scenario", value: .count(Settings.version)), JSON.Member(key: "title", value: .string(title)),
    ]
    if let start { first.append(JSON.Member(key: "clock", value: .string(start.description))) }
    first += [JSON.Member(key: "users", value: .object(users)), JSON.Member(key: "channels", value: .object(channels))]
    if keepsDrafts { first.append(JSON.Member(key: "drafts", value: .bool(true))) }
    if !commands.isEmpty { first.append(JSON.Member(key: "commands", value: .array(commands.map(\.inFirstLine)))) }
    return .object(first)
  }

  private mutating func expect(_ seen: [Message]?, by user: User.ID) {
    if let seen {
      let known = Set(messages.values)
      let texts = seen.filter { known.contains($0.key.id) }.map { JSON.string($0.content.text.string) }
      lines.expect("messages", .array(texts), by: user)
    }
    for key in open.sorted(by: { $0.isOrdered(before: $1) }) {
      lines.expect("text", .string(composers[key]?.content.text.userText.string ?? ""), at: key)
    }
  }

  // MARK: Appends

  private mutating func flush() {
    let events = pending?.events ?? []
    pending = nil
    // What follows from an action of a composer, or from a delivery, is in its append.
    let isConsequence = events.contains { $0.change.hasConsequences }
    isCreating = events.contains { $0.change.creates(channel) }
    poll = events.lazy.compactMap { $0.change.openedPoll }.first
    for event in events {
      if case .message(let key, let event) = event.change, key.channel == channel { know(event, of: key.id) }
      if !isConsequence || event.change.isOfComposer { add(event) }
    }
    if let delivery = events.first(where: { $0.change.isDelivery }) { deliver(delivery, of: events) }
  }

  private mutating func deliver(_ event: ChatEvent, of events: [ChatEvent]) {
    guard concerns(event.change) else { return }
    if case .scheduled(let key, _) = event.change, !scheduled.contains(key.message.id) {
      for event in events where event.change.isOfMessage { add(event) }
      return
    }
    lines.pass(to: event.origin.at)
    lines.add("deliver", .bool(true))
  }

  private mutating func add(_ event: ChatEvent) {
    guard concerns(event.change) else { return }
    if case .channel(_, .created) = event.change { return begin(event) }
    // The owner and the first members are in the first line.
    if isCreating, case .member(let key, .added(let role)) = event.change, role == .owner || role == .member {
      if !members.contains(key.user) { members.append(key.user) }
      return know(key.user)
    }
    if start == nil { begin(event) }
    lines.pass(to: event.origin.at)
    if let user = event.origin.actor.user { people.insert(user) }
    if let message = event.change.message, !has(message) {
      return note("What was done with the earlier message \(message) is left out.")
    }
    write(event)
  }

  private mutating func begin(_ event: ChatEvent) {
    start = event.origin.at
    lines.begin(at: event.origin.at)
    if let owner = event.origin.actor.user { (members, people) = ([owner], people.union([owner])) }
  }

  /// Records that a message was sent, and which content it has.
  private mutating func know(_ event: Message.Event, of id: Message.ID) {
    switch event {
    case .sent(let content):
      newest = newest.next
      messages[newest] = id
      contents[id] = content.kind == .ephemeral ? nil : content
    case .edited(let edits): contents[id] = contents[id]?.with(edits)
    case .deleted: contents[id] = nil
    default: return
    }
  }

  /// Records that a user is needed.
  mutating func know(_ user: User.ID) { people.insert(user) }

  /// Records that a command is used.
  mutating func know(_ command: ComposedCommand.ID) { if !commands.contains(command) { commands.append(command) } }

  mutating func line(
    _ verb: String, _ value: JSON, _ others: [(String, JSON)] = [], by user: User.ID?, thread: Message.ID? = nil
  ) {
    lines.add(verb, value, others, by: user, thread: thread)
  }

  mutating func line(_ verb: String, _ value: JSON, _ others: [(String, JSON)] = [], at key: Composer.Key) {
    if verb == "leave" { open.remove(key) } else { open.insert(key) }
    lines.add(verb, value, others, at: key)
  }

  /// Extends the typed text of the last line, if that line typed at the place; returns false if it did not.
  mutating func extendTyped(_ text: String, at key: Composer.Key) -> Bool { lines.extendTyped(text, at: key) }

  mutating func note(_ words: String) { lines.add("note", .string(words)) }

  /// Notes that parts of something cannot be expressed by the next line.
  mutating func noteLoss(of what: String) { note("Parts of \(what) cannot be expressed.") }
}

extension ScenarioExport {
  /// Whether an event is of the channel, or a user's own of something in it.
  fileprivate func concerns(_ change: ChatEvent.Change) -> Bool {
    switch change {
    case .channel(let id, _): id == channel
    case .member(let key, _): key.channel == channel
    case .message(let key, _): key.channel == channel
    case .reaction(let key, _): key.message.channel == channel
    case .draft(let key, _): key.channel == channel
    case .composer(let key, _): key.channel == channel
    case .mute(let key, _):
      switch key.target {
      case .user(let user): people.contains(key.user) && people.contains(user)
      case .channel(let id): id == channel
      }
    case .ban(let key, _): key.scope == .channel(channel) || key.scope == .everywhere && people.contains(key.user)
    case .flag(let key, _): key.target.channel == channel
    case .review(let target, _): target.channel == channel
    case .block(let key, _): people.contains(key.user) && people.contains(key.blocked)
    case .saved(let key, _): key.message.channel == channel
    case .scheduled(let key, _): key.message.channel == channel
    case .thread(let key, _): key.parent.channel == channel
    case .vote(let key, _): key.message.channel == channel
    case .user(let id, .changed): people.contains(id)
    case .user, .device, .consumer, .app: false
    }
  }
}

extension Flag.Target {
  fileprivate var channel: Channel.ID? { if case .message(let key) = self { key.channel } else { nil } }
}

extension ChatEvent.Change {
  fileprivate var isOfComposer: Bool { if case .composer = self { true } else { false } }

  fileprivate var isOfMessage: Bool { if case .message = self { true } else { false } }

  fileprivate func creates(_ channel: Channel.ID) -> Bool {
    if case .channel(channel, .created) = self { true } else { false }
  }

  fileprivate var openedPoll: (options: [Poll.Option], rules: Poll.Rules)? {
    if case .message(_, .pollOpened(let options, let rules)) = self { (options, rules) } else { nil }
  }

  fileprivate var isDelivery: Bool {
    switch self {
    case .scheduled(_, .delivered), .scheduled(_, .failed), .saved(_, .reminded): true
    default: false
    }
  }

  /// The message that the event changes or refers to, which must be there before it.
  fileprivate var message: Message.ID? {
    switch self {
    case .message(_, .sent(let content)): content.parent
    case .message(_, .ephemeralSent), .message(_, .ephemeralShuffled), .message(_, .ephemeralCancelled): nil
    case .message(let key, _): key.id
    case .reaction(let key, _): key.message.id
    case .flag(let key, _): if case .message(let key) = key.target { key.id } else { nil }
    case .review(.message(let key), _): key.id
    case .saved(let key, _): key.message.id
    case .vote(let key, _): key.message.id
    case .thread(let key, _): key.parent.id
    case .member(_, .read(let id)), .member(_, .received(let id)), .member(_, .markedUnread(let id)): id
    case .composer(_, .quoted(let id)), .composer(_, .editBegan(let id, _)): id
    default: nil
    }
  }

  /// Whether other events of the append follow from this one.
  fileprivate var hasConsequences: Bool {
    switch self {
    case .composer(_, .sent), .composer(_, .editEnded(.saved)), .composer(_, .commandExecuted), .composer(_, .left),
      .composer(_, .opened), .composer(_, .filled):
      true
    default: isDelivery
    }
  }
}

extension Composer.Key {
  fileprivate func isOrdered(before other: Composer.Key) -> Bool {
    (user.text, device.text, thread?.text ?? "") < (other.user.text, other.device.text, other.thread?.text ?? "")
  }
}

extension ComposedCommand.ID {
  /// The command in the first line: by its id, or as one of the app, of which no more is known.
  fileprivate var inFirstLine: JSON {
    let builtIn = DefaultCommandsConfig.readyMade.contains { $0.id == self }
    return builtIn ? .string(text) : .members(["id": .string(text), "format": .string("[text]")])
  }
}
