// Queries for messages with their details: senders, delivery, quotes, threads.
public import Chat
internal import ChatMessageList
public import ChatProjections
internal import Projections
public import Verbatim

extension ClientReading {
  /// Returns messages of a channel or a thread with everything that a message list shows.
  ///
  /// Read counts are included in channels of at most ``readCountMembersMax`` members.
  public func conversation(
    in channel: Channel.ID, thread: Message.ID? = nil, _ span: MessageSpan = .latest, limit: Int
  ) throws(ReadError) -> Conversation {
    try conversation(in: channel, thread: thread, page(of: channel, thread, span, limit: limit))
  }

  /// The largest number of members for which read counts are included; counting reads every member's marker.
  public static var readCountMembersMax: Int { 1000 }

  /// Returns the same for messages that were already read.
  internal func conversation(
    in id: Channel.ID, thread: Message.ID?, _ page: MessagePage
  ) throws(ReadError) -> Conversation {
    let channel = try seen(id)
    let parent = try thread.map { thread throws(ReadError) in try shown(known(Message.Key(id, thread))) }
    let all = (parent.map { [$0] } ?? []) + page.messages
    let user = user
    let hasOwn = all.contains { $0.author == user }
    let mutes = try mutes()
    let silenced = Set(try mutes.compactMap(\.key.target.user) + blockedUsers())
    var details = try MessageDetails(
      of: channel, thread: thread, readBy: self, silenced: silenced, needsMarkers: hasOwn)
    let messages = try all.map { message throws(ReadError) in try details.chatMessage(message) }
    let typing = try typing(in: id, thread: thread)
    let typists = try typing.map(\.user).sorted().map { user throws(ReadError) in try details.sender(user) }
    // Counting reads a row for 512 messages; where none is unread, looking for one would read all since the read mark.
    let count = thread == nil ? try unread(in: id).messages : 0
    let firstUnread = count > 0 ? try firstUnread(in: id) : nil
    let ends = [
      typing.map(\.end).min(), mutes.compactMap(\.term.end).min(), try ban(in: id)?.term.end,
      all.compactMap { $0.isPinned(at: instant) ? $0.pin?.term.end : nil }.min(),
      all.compactMap { $0.poll?.isOpen(at: instant) == true ? $0.poll?.rules.expiry.end : nil }.min(),
    ]
    return Conversation(
      channel: channel, thread: thread, messages: messages, older: page.older, newer: page.newer,
      typing: typists, muted: Set(silenced.map(\.text)),
      unread: firstUnread.map { UnreadMark(from: MessageSortKey(ChatMessage($0, seenBy: user)), count: count) },
      until: ends.compactMap(\.self).min(), users: Set(details.senders.keys).union(channel.participants))
  }
}

extension Mute.Target {
  fileprivate var user: User.ID? {
    if case .user(let user) = self { user } else { nil }
  }
}

/// A reader of the details of a channel's messages, which reads each user once.
private struct MessageDetails: ~Escapable {
  private let reading: ClientReading
  private let channel: Channel
  private let thread: Message.ID?
  private let permissions: ChannelPermissions
  private let member: Member?
  /// The users whose messages do not count as unread: those whom the reader mutes or blocks.
  private let silenced: Set<User.ID>
  /// The read and delivery markers of other members; nil if they are not needed.
  private let markers: [Marker]?
  private(set) var senders: [User.ID: MessageSender] = [:]

  @_lifetime(copy reading)
  init(
    of channel: Channel, thread: Message.ID?, readBy reading: ClientReading, silenced: Set<User.ID>, needsMarkers: Bool
  ) throws(ReadError) {
    (self.reading, self.channel, self.thread, self.silenced) = (reading, channel, thread, silenced)
    var permissions = try reading.permissions(in: channel.id)
    permissions.apply(channel)
    permissions.block = try reading.block(in: channel)
    self.permissions = permissions
    member = try reading.member(Member.Key(channel.id, reading.user))
    let tells = needsMarkers && channel.memberCount <= ClientReading.readCountMembersMax
    let all = tells ? try reading.markers(in: channel.id, limit: ClientReading.readCountMembersMax).markers : []
    markers = tells ? all.filter { $0.user != reading.user } : nil
  }

  mutating func chatMessage(_ message: Message) throws(ReadError) -> ChatMessage {
    var shown = ChatMessage.Details()
    shown.sender = try message.author.map { user throws(ReadError) in try sender(user) }
    shown.isPinned = message.isPinned(at: reading.instant)
    shown.isInThread = thread != nil
    shown.delivery = delivery(of: message)
    if !message.reactions.isEmpty { shown.ownReactions = try ownReactions(to: message) }
    if let quoted = message.content.quoted { shown.quote = try quote(quoted) }
    if let author = message.content.forwarded?.author { shown.forwardedFrom = try sender(author) }
    if let poll = message.poll {
      shown.isPollOpen = poll.isOpen(at: reading.instant)
      shown.ownVotes = Set(try ReadError.unlessRefused(reading.vote(in: message.key))??.options ?? [])
    }
    shown.thread = try thread(of: message)
    shown.actions = actions(for: message)
    return ChatMessage(message, seenBy: reading.user, shown)
  }

  mutating func sender(_ id: User.ID) throws(ReadError) -> MessageSender {
    if let known = senders[id] { return known }
    let profile = try reading.user(id)?.profile
    let name = profile?.name.string ?? ""
    let sender = MessageSender(id: id.text, name: name.isEmpty ? id.text : name, image: profile?.image?.string)
    senders[id] = sender
    return sender
  }

  // MARK: Parts

  private func delivery(of message: Message) -> MessageDelivery? {
    guard message.author == reading.user, ![.ephemeral, .system].contains(message.content.kind) else { return nil }
    switch message.delivery {
    case .pending: return .pending
    case .failed(let reason): return .failed(reason: reason.string)
    case .settled: break
    }
    let readers = markers?.filter { $0.read.map { $0 >= message.number } ?? false }.count ?? 0
    if readers > 0 { return .read(readers) }
    let hasArrived = markers?.contains { $0.received.map { $0 >= message.number } ?? false } ?? false
    return hasArrived ? .delivered : .sent
  }

  private func ownReactions(to message: Message) throws(ReadError) -> Set<String> {
    let key = Reaction.Key(to: message.key, by: reading.user)
    let own = try reading.read(reading.chat.reaction(key))
    return Set(own?.scores.map(\.kind.text) ?? [])
  }

  private mutating func quote(_ id: Message.ID) throws(ReadError) -> MessageQuote {
    guard let target = try ReadError.unlessRefused(reading.known(Message.Key(channel.id, id))) else {
      return MessageQuote(id.text, state: .notLoaded)
    }
    let author = try target.author.map { user throws(ReadError) in try sender(user) }
    if target.presence != .present { return MessageQuote(id.text, by: author, state: .deleted) }
    let content = ChatMessage(target, seenBy: reading.user).content ?? .text
    return MessageQuote(id.text, by: author, content: content, text: target.content.text.string)
  }

  private mutating func thread(of message: Message) throws(ReadError) -> MessageThread? {
    let isElsewhere = message.content.parent != nil
    let hasDraft = isElsewhere ? false : try reading.draft(in: channel.id, thread: message.key.id) != nil
    let alsoInChannel = isElsewhere && message.content.showsInChannel
    if message.replyCount == 0 {
      // The separator of a shown thread has the count of its parent message.
      if !hasDraft, !alsoInChannel, message.key.id != thread { return nil }
      return MessageThread(replyCount: 0, hasDraft: hasDraft, alsoInChannel: alsoInChannel)
    }
    let newest = try reading.replies(to: message.key, limit: repliesRead).messages.reversed()
    var participants: [User.ID] = []
    for reply in newest where reply.presence == .present && reply.isVisible(to: nil) {
      if let author = reply.author, !participants.contains(author) { participants.append(author) }
    }
    let read = try newestRead(inThreadOf: message.key)
    let unread = newest.filter { reply in
      reply.author != reading.user && reply.presence == .present && !reply.content.isSilent
        && !(reply.author.map(silenced.contains) ?? false) && read.map { reply.number > $0 } ?? false
    }
    let shown = participants.prefix(MessageThread.participantsMax)
    return MessageThread(
      replyCount: Int(message.replyCount),
      participants: try shown.map { user throws(ReadError) in try sender(user) }, unread: unread.count,
      hasDraft: hasDraft, alsoInChannel: alsoInChannel)
  }

  /// Returns the number through which the member has read a thread; nil where nothing counts as unread.
  private func newestRead(inThreadOf parent: Message.Key) throws(ReadError) -> Message.Number? {
    guard let member, channel.config.has(.readEvents) else { return nil }
    return try reading.read(reading.chat.newestRead(by: member, inThreadOf: parent))
  }

  /// Returns the actions on a message that deciding grants, slow mode aside; the row limits them further.
  private func actions(for message: Message) -> MessageActions {
    let (author, thread, permissions) = (message.author, thread, permissions)
    let edits = Message.Edits(text: "")
    func may(_ rule: () throws(Refusal) -> Void) -> Bool { (try? rule()) != nil }
    let granted = MessageAction.allCases.filter { action in
      switch action {
      case .reply:
        may { () throws(Refusal) in try permissions.needsRight(toPostInThread: thread != nil, quoting: true) }
      case .edit: may { () throws(Refusal) in try permissions.needsRight(toEdit: message, edits) }
      case .delete: may { () throws(Refusal) in try permissions.needsRight(toDeleteMessageOf: author) }
      case .pin: may { () throws(Refusal) in try permissions.needs(.pin) }
      case .react: may { () throws(Refusal) in try permissions.needsRightToReact() }
      case .flag: may { () throws(Refusal) in try permissions.needs(.flag) }
      case .retry:
        author == reading.user
          && may { () throws(Refusal) in
            try permissions.needsNoBlock()
            try permissions.needsNoBan()
          }
      case .copy: true
      case .mute: author != nil
      // A reply has no thread of its own; existing replies can be read even if replying is not allowed.
      case .thread: message.content.parent == nil && (channel.config.has(.replies) || message.replyCount > 0)
      }
    }
    return MessageActions(granted)
  }
}

/// The number of newest replies that are read for the participants and the unread count.
private let repliesRead = 30
