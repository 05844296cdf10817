// The index of people: the channels of a user, the activity of members, and the names of users.
internal import Chat
internal import TextFolding
internal import Projections

/// The rows derived from the rows of users and members.
struct PeopleIndex {
  private let memberships: ChatTable<Entry<MembershipKey>>
  private let invitations: ChatTable<Entry<MembershipKey>>
  private let publicChannels: ChatTable<Entry<PublicChannelKey>>
  private let activity: ChatTable<Entry<ActivityKey>>
  private let names: ChatTable<NameEntry>

  init(_ tables: ProjectionTables, _ reads: TableReads) {
    memberships = ChatTable(tables(ChatState.memberships), reads)
    invitations = ChatTable(tables(ChatState.invitations), reads)
    publicChannels = ChatTable(tables(ChatState.publicChannels), reads)
    activity = ChatTable(tables(ChatState.activity), reads)
    names = ChatTable(tables(ChatState.names), reads)
  }

  /// Folds an event of a member.
  func fold(_ event: ChatEvent, on key: Member.Key, into state: inout ChatTables) {
    guard case .member(_, let change) = event.change, change.changesMembership else {
      return Chat.fold(event, into: &state)
    }
    follow(key, in: &state) { Chat.fold(event, into: &$0) }
    let membership = MembershipKey(key.user, key.channel)
    let member = state[key]
    memberships[membership] = member?.isMember == true ? Entry(membership) : nil
    let isInvited = member?.invitation != nil
    if isInvited || invitations[membership] != nil { invitations[membership] = isInvited ? Entry(membership) : nil }
  }

  /// Folds an event of a channel.
  func fold(_ event: ChatEvent, on id: Channel.ID, into state: inout ChatTables) {
    let wasPublic = state[id]?.isListed ?? false
    Chat.fold(event, into: &state)
    let isPublic = state[id]?.isListed ?? false
    let key = PublicChannelKey(id)
    if wasPublic != isPublic { publicChannels[key] = isPublic ? Entry(key) : nil }
  }

  /// Calls the closure, which folds an event of a message, and updates the activity of its sender.
  func follow(
    _ event: Message.Event, of key: Message.Key, by actor: Author, in state: inout ChatTables,
    _ body: (inout ChatTables) -> Void
  ) {
    let sender: User.ID?
    switch event {
    case .sent: sender = actor.user
    case .ephemeralSent: sender = state[key]?.author
    default: sender = nil
    }
    guard let sender else { return body(&state) }
    follow(Member.Key(key.channel, sender), in: &state, body)
  }

  /// Calls the closure and updates the activity of a member.
  private func follow(_ key: Member.Key, in state: inout ChatTables, _ body: (inout ChatTables) -> Void) {
    let before = state.rows.members.look(at: key) { $0.activity } ?? nil
    body(&state)
    let after = state.rows.members.look(at: key) { $0.activity } ?? nil
    if before == after { return }
    if let before { activity[ActivityKey(key.channel, before, key.user)] = nil }
    if let after {
      let key = ActivityKey(key.channel, after, key.user)
      activity[key] = Entry(key)
    }
  }

  /// Folds an event of a user.
  func fold(_ event: ChatEvent, on id: User.ID, into state: inout ChatTables) {
    let before = state[id].flatMap { $0.isDeactivated ? nil : $0 }
    Chat.fold(event, into: &state)
    let after = state[id].flatMap { $0.isDeactivated ? nil : $0 }
    if before?.profile.name == after?.profile.name { return }
    for row in before?.nameRows ?? [] { names[row.key] = nil }
    for row in after?.nameRows ?? [] { names[row.key] = row }
  }
}

extension Channel {
  /// Whether every user can find the channel.
  package var isListed: Bool { config.isPublic && deleted == nil }
}

extension Member? {
  /// The instant of their last message; nil for a non-member or a member who sent none.
  fileprivate var activity: Timestamp? {
    // Mutating, so that the row is not copied.
    mutating get {
      guard self?.isMember == true else { return nil }
      return self?.lastSent
    }
  }
}

extension User {
  /// The rows by which the user is found: their id, their name, and each word suffix of the name with which the name
  /// does not also begin.
  fileprivate var nameRows: [NameEntry] {
    let name = FoldedText(profile.name)
    let order = NameKey.cut(name.bytes)
    var rows = [NameKey(.id, FoldedText(id).bytes, of: id), NameKey(.name, name.bytes, of: id)]
    name.forEachWord { word in
      let rest = name.bytes[word.lowerBound...]
      if !name.bytes.starts(with: rest) { rows.append(NameKey(.word, NameKey.cut(rest), of: id)) }
    }
    return rows.map { NameEntry($0, name: order) }
  }
}

extension Member.Event {
  /// Whether the event can begin or end a membership.
  fileprivate var changesMembership: Bool {
    switch self {
    case .added, .removed, .left, .invited: true
    case .roleChanged, .read, .received, .markedUnread, .hidden, .shown, .declined, .pinned, .unpinned, .archived,
      .unarchived:
      false
    }
  }
}
