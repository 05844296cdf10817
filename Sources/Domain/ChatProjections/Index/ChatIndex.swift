// What finds rows of the state by what they say, folded with the state.
internal import Chat
internal import EventLog
internal import Projections

/// The index of a conversation: rows that follow from those of the state, and from where its events stand in the log.
///
/// It sees each row before and after an event, so that the event is decoded once, and what finds a row is never older
/// or newer than the row. It is an object, since a value with as many tables takes its time to be lent.
final class ChatIndex {
  private let messages: MessageIndex
  private let people: PeopleIndex
  private let composers: ComposerIndex
  private let drafts = DraftIndex()

  init(_ tables: ProjectionTables, _ reads: TableReads) {
    people = PeopleIndex(tables, reads)
    messages = MessageIndex(tables, reads)
    composers = ComposerIndex(tables, reads)
  }

  /// Folds an event, and what it does to the index.
  func fold(_ event: ChatEvent, at position: Position, into state: inout ChatTables) {
    switch event.change {
    case .message(let key, let change):
      people.follow(change, of: key, by: event.stamp.actor, in: &state) {
        messages.fold(event, on: key, at: position, into: &$0)
      }
    case .reaction(let key, _):
      Chat.fold(event, into: &state)
      messages.touch(key.message, at: position)
    case .flag(let key, _):
      Chat.fold(event, into: &state)
      if case .message(let message) = key.target { messages.touch(message, at: position) }
    case .member(let key, _): people.fold(event, on: key, into: &state)
    case .user(let id, _): people.fold(event, on: id, into: &state)
    case .composer: composers.fold(event, at: position, into: &state)
    case .draft(let key, _): drafts.fold(event, on: key, into: &state)
    case .device, .mute, .ban, .channel, .app: Chat.fold(event, into: &state)
    }
  }
}

// MARK: Tables

extension ChatState {
  /// Of which channels somebody is a member.
  static let memberships = ProjectionTable<ChatState, Entry<MembershipKey>>("memberships")
  /// When members of a channel sent their last messages.
  static let activity = ProjectionTable<ChatState, Entry<ActivityKey>>("activity")
  /// Users by their names, the words of their names, and their ids.
  static let names = ProjectionTable<ChatState, NameEntry>("names")
  /// Messages of channels in the order in which they were sent; not those that stand in a thread alone.
  static let timeline = ProjectionTable<ChatState, TimelineEntry<TimelineKey>>("timeline")
  /// Replies in threads in the order in which they were sent.
  static let replies = ProjectionTable<ChatState, TimelineEntry<ReplyKey>>("replies")
  /// In which threads somebody takes part.
  static let threads = ProjectionTable<ChatState, Participation>("threads")
  /// Pinned messages of channels.
  static let pins = ProjectionTable<ChatState, Entry<PinKey>>("pins")
  /// Messages of a channel that mention somebody.
  static let mentions = ProjectionTable<ChatState, ConcernEntry>("mentions")
  /// Messages of all channels that mention somebody, by when they were sent.
  static let mentionTimes = ProjectionTable<ChatState, Entry<MentionTimeKey>>("mentionTimes")
  /// Which messages can wait to be read, of a channel and of each author in it.
  static let countable = ProjectionTable<ChatState, UnreadBits>("countable")
  /// When something was last said in a channel.
  static let lastSaid = ProjectionTable<ChatState, LastSaid>("lastSaid")
  /// Which events touched a message, besides the one that its place tells of.
  static let biographies = ProjectionTable<ChatState, Entry<BiographyKey>>("biographies")

  /// What the tables of the index are called.
  static let indexTableNames = [
    memberships.name, activity.name, names.name, timeline.name, replies.name, threads.name, pins.name, mentions.name,
    mentionTimes.name, countable.name, lastSaid.name, biographies.name, composing.name, commands.name,
    runningCommands.name, failedSends.name, draftTargets.name, draftLists.name,
  ]
}
