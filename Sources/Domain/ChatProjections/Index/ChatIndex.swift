// The secondary index of the state's rows, folded with the state.
internal import Chat
internal import EventLog
internal import Projections

/// The index of a conversation: rows derived from those of the state and from the positions of its events in the log.
///
/// It sees each row before and after an event, so that the event is decoded once and no index row is ever older or
/// newer than its row. It is a class, since passing a value with as many tables is slow.
final class ChatIndex {
  private let messages: MessageIndex
  private let people: PeopleIndex
  private let composers: ComposerIndex
  private let drafts = DraftIndex()
  private let dues: DueIndex

  init(_ tables: ProjectionTables, _ reads: TableReads) {
    people = PeopleIndex(tables, reads)
    messages = MessageIndex(tables, reads)
    composers = ComposerIndex(tables, reads)
    dues = DueIndex(tables, reads)
  }

  /// Folds an event into the state and the index.
  func fold(_ event: ChatEvent, at position: Position, into state: inout ChatTables) {
    switch event.change {
    case .message(let key, let change):
      people.follow(change, of: key, by: event.origin.actor, in: &state) {
        messages.fold(event, on: key, at: position, into: &$0)
      }
    case .reaction(let key, _):
      Chat.fold(event, into: &state)
      messages.touch(key.message, at: position)
    case .flag(let key, _):
      dues.fold(event, on: key.target, into: &state)
      if case .message(let message) = key.target { messages.review(message, at: position) }
    case .review(let target, _):
      dues.fold(event, on: target, into: &state)
      if case .message(let message) = target { messages.review(message, at: position) }
    case .saved(let key, _): dues.fold(event, on: key, into: &state)
    case .scheduled(let key, _): dues.fold(event, on: key, into: &state)
    case .member(let key, _): people.fold(event, on: key, into: &state)
    case .user(let id, _): people.fold(event, on: id, into: &state)
    case .composer: composers.fold(event, at: position, into: &state)
    case .draft(let key, _): drafts.fold(event, on: key, into: &state)
    case .channel(let id, _): people.fold(event, on: id, into: &state)
    case .device, .mute, .ban, .block, .thread, .vote, .consumer, .app: Chat.fold(event, into: &state)
    }
  }
}

// MARK: Tables

extension ChatState {
  /// The channels of which a user is a member.
  static let memberships = ProjectionTable<ChatState, Entry<MembershipKey>>("memberships")
  /// The channels to which a user is invited.
  static let invitations = ProjectionTable<ChatState, Entry<MembershipKey>>("invitations")
  /// The channels that every user can find.
  static let publicChannels = ProjectionTable<ChatState, Entry<PublicChannelKey>>("publicChannels")
  /// The instants at which members of a channel sent their last messages.
  static let activity = ProjectionTable<ChatState, Entry<ActivityKey>>("activity")
  /// Users by their names, the words of their names, and their ids.
  static let names = ProjectionTable<ChatState, NameEntry>("names")
  /// Messages of channels in the order in which they were sent, without replies shown in their thread only.
  static let timeline = ProjectionTable<ChatState, TimelineEntry<TimelineKey>>("timeline")
  /// Replies in threads in the order in which they were sent.
  static let replies = ProjectionTable<ChatState, TimelineEntry<ReplyKey>>("replies")
  /// The threads in which a user takes part.
  static let threads = ProjectionTable<ChatState, Participation>("threads")
  /// Pinned messages of channels.
  static let pins = ProjectionTable<ChatState, Entry<PinKey>>("pins")
  /// Messages of a channel that mention a user.
  static let mentions = ProjectionTable<ChatState, ConcernEntry>("mentions")
  /// Messages of all channels that mention a user, by when they were sent.
  static let mentionTimes = ProjectionTable<ChatState, Entry<MentionTimeKey>>("mentionTimes")
  /// Bit sets of the messages that count as unread, per channel and per author in it.
  static let countable = ProjectionTable<ChatState, UnreadBits>("countable")
  /// The instant of the last message of a channel.
  static let lastSaid = ProjectionTable<ChatState, LastMessageTime>("lastSaid")
  /// Reviews with open flags, the first opened first.
  static let openReviews = ProjectionTable<ChatState, Entry<OpenReviewKey>>("openReviews")
  /// Saved messages of a user, the last saved first.
  static let savedTimes = ProjectionTable<ChatState, Entry<SavedTimeKey>>("savedTimes")
  /// Reminders that are ahead, and scheduled messages, by when they are due.
  static let dues = ProjectionTable<ChatState, Entry<DueKey>>("dues")
  /// The positions of events that touched a message, besides the one in its timeline or replies row.
  static let biographies = ProjectionTable<ChatState, Entry<BiographyKey>>("biographies")
  /// The positions of the flags and reviews of each message, which only users who moderate see.
  static let reviewed = ProjectionTable<ChatState, Entry<BiographyKey>>("reviewed")

  /// The names of the index tables.
  static let indexTableNames = [
    memberships.name, activity.name, names.name, timeline.name, replies.name, threads.name, pins.name, mentions.name,
    mentionTimes.name, countable.name, lastSaid.name, biographies.name, reviewed.name, composing.name, commands.name,
    runningCommands.name, failedSends.name, draftTargets.name, draftLists.name, invitations.name, publicChannels.name,
    openReviews.name, savedTimes.name, dues.name,
  ]
}
