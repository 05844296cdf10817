// The reference's queries for composers, commands, drafts and histories of messages.
import Chat
import ChatProjections
import EventLog

// MARK: Composers

extension Reference {
  func typing(
    in id: Channel.ID, thread: Message.ID?, at instant: Timestamp, except user: User.ID?
  ) -> [TypingUser] {
    guard let channel = channel(id), !channel.config.off.contains(.typingEvents) else { return [] }
    let writers = members.filter { member in
      member.key.channel == id && member.isMember && member.key.user != user
        && !users.contains { $0.id == member.key.user && $0.isDeactivated }
        && !bans.contains {
          $0.key.user == member.key.user && ($0.key.scope == .everywhere || $0.key.scope == .channel(id))
            && $0.term.lasts(at: instant)
        }
    }
    let typing = writers.compactMap { writer in
      composers.filter { $0.key.channel == id && $0.key.thread == thread && $0.key.user == writer.key.user }
        .compactMap(\.typed).filter { $0 <= instant && (instant - $0).rawValue < 7_000_000 }.max()
        .map { TypingUser(writer.key.user, typed: $0) }
    }
    return typing.sorted { ($1.typed, $0.user) < ($0.typed, $1.user) }
  }

  func composers(of user: User.ID, in channel: Channel.ID?) -> [Composer] {
    composers(of: user).filter { composer in
      let isFull = composer.content.hasContent || composer.aside.map(\.hasContent) == true
      return (isFull || composer.isOpen || composer.execution != nil)
        && (channel == nil || composer.key.channel == channel)
    }
  }

  func openComposers(of user: User.ID) -> [Composer] { composers(of: user).filter(\.isOpen) }

  private func composers(of user: User.ID) -> [Composer] {
    composers.filter { $0.key.user == user }
      .sorted { (one, other) in
        (one.key.device, one.key.channel, one.key.thread?.text ?? "")
          < (other.key.device, other.key.channel, other.key.thread?.text ?? "")
      }
  }
}

// MARK: Commands

extension Reference {
  func commands(of user: User.ID, in channel: Channel.ID?) -> [CommandRun] {
    events.enumerated().reversed().compactMap { place, item in
      guard case .composer(let key, .commandStarted(let execution)) = item.event.change, key.user == user,
        channel == nil || key.channel == channel
      else { return nil }
      return CommandRun(
        execution, in: key, began: item.event.origin.at, at: item.position,
        end: end(of: execution, in: key, events[(place + 1)...].map(\.event)))
    }
  }

  /// Returns how an execution ended in the events after its begin.
  private func end(
    of execution: CommandExecution, in key: Composer.Key, _ events: [ChatEvent]
  ) -> CommandRun.End? {
    for event in events {
      guard case .composer(key, let change) = event.change else { continue }
      switch change {
      case .commandExecuted(execution.id): return CommandRun.End(.executed, at: event.origin.at)
      case .commandFailed(execution.id, let failure): return CommandRun.End(.failed(failure), at: event.origin.at)
      case .commandInterrupted(execution.id), .commandStarted: return CommandRun.End(.interrupted, at: event.origin.at)
      default: continue
      }
    }
    return nil
  }
}

// MARK: Drafts

extension Reference {
  func draft(_ key: Draft.Key) -> Draft? { drafts.first { $0.key == key && $0.content != nil } }

  /// Returns the reference with some drafts replaced by the given ones.
  func standing(_ drafts: [Draft.Key: Draft?]) -> Reference {
    var reference = self
    for (key, draft) in drafts { reference[key] = draft }
    return reference
  }

  func drafts(of user: User.ID, sorting: [DraftSort]) -> [DraftItem] {
    var items = drafts.filter { $0.key.user == user && $0.content != nil }
      .sorted { ($0.key.channel, $0.key.thread?.text ?? "") < ($1.key.channel, $1.key.thread?.text ?? "") }
    // Sorting is stable: the most significant criterion is sorted by last.
    for sort in sorting.reversed() {
      items.sort { one, other in
        let (one, other) = sort.isAscending ? (one, other) : (other, one)
        return switch sort.key {
        case .createdAt: one.created < other.created
        case .updatedAt: one.updated < other.updated
        case .channel: one.key.channel < other.key.channel
        }
      }
    }
    return items.map { draft in
      let parent = messages.first { message in
        message.key.channel == draft.key.channel && message.key.id == draft.key.thread && message.presence != .gone
          && channel(message.key.channel).map { $0.truncated < message.number } == true
          && (message.content.kind != .ephemeral || message.author == user)
      }
      return DraftItem(
        draft.key, draft.content ?? Composition(), channelName: channel(draft.key.channel)?.profile.name,
        parent: parent, created: draft.created, updated: draft.updated, edit: draft.edit)
    }
  }
}

// MARK: Biographies

extension Reference {
  func biography(of key: Message.Key) -> [Position] {
    events.filter { item in
      switch item.event.change {
      case .message(key, _): true
      case .reaction(let reaction, _): reaction.message == key
      case .flag(let flag, _): flag.target == .message(key)
      case .review(let target, _): target == .message(key)
      default: false
      }
    }.map(\.position)
  }

  func history(of key: Message.Key) -> [MessageVersion] {
    var (content, presence) = (Message.Content(), Message.Presence.present)
    var versions: [MessageVersion] = []
    for (position, event) in events {
      guard case .message(key, let change) = event.change else { continue }
      switch change {
      case .sent(let new): (content, presence) = (new, .present)
      case .edited(let edits): content = content.with(edits)
      case .restored: presence = .present
      case .deleted(false): presence = .deleted(event.origin)
      case .deleted(true), .ephemeralCancelled:
        presence = .gone
        content = Message.Content(
          kind: content.kind, parent: content.parent, showsInChannel: content.showsInChannel,
          isSilent: content.isSilent, client: content.client)
      case .ephemeralSent: content.kind = .regular
      case .ephemeralShuffled(let attachments): content.attachments = attachments
      case .pinned, .unpinned, .acknowledged, .failed, .retried, .pollOpened, .pollOptionAdded, .pollClosed: continue
      }
      versions.append(MessageVersion(change, event.origin, at: position, content: content, presence: presence))
    }
    return versions
  }
}
