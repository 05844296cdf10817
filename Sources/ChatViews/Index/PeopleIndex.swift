// What finds people: the channels of a user, and who was active in a channel.
internal import Chat
internal import Views

/// The rows that follow from the rows of members.
struct PeopleIndex {
  private let memberships: ChatTable<Entry<MembershipKey>>

  init(_ tables: ViewTables, _ reads: TableReads) {
    memberships = ChatTable(tables(ChatState.memberships), reads)
  }

  /// Folds an event of a member.
  func fold(_ event: ChatEvent, on key: Member.Key, into state: inout ChatTables) {
    Chat.fold(event, into: &state)
    guard case .member(_, let change) = event.change, change.changesMembership else { return }
    let membership = MembershipKey(key.user, key.channel)
    memberships[membership] = state[key]?.isMember == true ? Entry(membership) : nil
  }
}

extension Member.Event {
  /// Whether it can make somebody a member, or no member any more.
  fileprivate var changesMembership: Bool {
    switch self {
    case .added, .removed, .left: true
    case .roleChanged, .read, .received, .markedUnread, .hidden, .shown: false
    }
  }
}
