// The expected visibility for a user, computed from a whole conversation's state, and a check of results against it.
import Chat
import ChatProjections
import EventLog

/// The viewpoint: a user, a state and an instant.
struct Sight {
  let user: User.ID
  let state: InMemoryChatState
  let instant: Timestamp
  /// The state at the head of the log and the present instant, if the other state is a past one: these decide what may
  /// be seen of it.
  var today: (state: InMemoryChatState, now: Timestamp)?

  /// The state that decides what may be seen.
  private var deciding: InMemoryChatState { today?.state ?? state }
  private var now: Timestamp { today?.now ?? instant }
}

// MARK: What they may see

extension Sight {
  /// Returns whether the user's roles permit a capability in a channel.
  private func allows(_ capability: Capability, in id: Channel.ID) -> Bool {
    let asUser = deciding[user].flatMap { state.rules.userCapabilities[$0.role] }
    if asUser?.contains(capability) == true { return true }
    guard let member = deciding[Member.Key(id, user)], member.isMember else { return false }
    return state.rules.memberCapabilities[member.role]?.contains(capability) == true
  }

  /// Returns the ban that limits the user to reading in a channel.
  func ban(in id: Channel.ID) -> Ban? {
    let scopes: [Ban.Scope] = [.everywhere, .channel(id)]
    return scopes.compactMap { deciding[Ban.Key(of: user, from: $0)] }.first { $0.holds(at: now) }
  }

  /// Returns why the user does not see a channel; nil if they do.
  func refusal(in id: Channel.ID) -> Refusal? {
    guard let channel = state[id] else { return .unknownChannel(id) }
    if channel.deleted != nil || deciding[id]?.deleted != nil { return .channelDeleted(id) }
    if allows(.read, in: id) { return nil }
    let key = Member.Key(id, user)
    return deciding[key]?.isMember == true ? .notAllowed(.read, in: id) : .notMember(key)
  }

  /// Returns why the user may not do more in a channel; nil if they may.
  func refusal(of capability: Capability, in id: Channel.ID) -> Refusal? {
    if let refusal = refusal(in: id) { return refusal }
    if let ban = ban(in: id) { return .banned(ban) }
    return allows(capability, in: id) ? nil : .notAllowed(capability, in: id)
  }

  /// Returns why the user may not know of a message, possibly a deleted one; nil if they may.
  func refusal(knowing key: Message.Key) -> Refusal? {
    if let refusal = refusal(in: key.channel) { return refusal }
    let truncated = [state, deciding].compactMap { $0[key.channel]?.truncated }.max() ?? .zero
    guard let message = state[key], message.number > truncated,
      message.content.kind != .ephemeral || message.author == user
    else { return .unknownMessage(key) }
    return nil
  }

  /// Returns why the user does not see that a message exists; nil if they do.
  func refusal(of key: Message.Key) -> Refusal? {
    let isGone = state[key]?.presence == .gone || deciding[key]?.presence == .gone
    return refusal(knowing: key) ?? (isGone ? .unknownMessage(key) : nil)
  }

  /// Returns why the user does not see a message's content; nil if it exists or they can restore it.
  func refusal(reading key: Message.Key) -> Refusal? {
    if let refusal = refusal(of: key) { return refusal }
    if state[key]?.presence == .present, deciding[key]?.presence == .present { return nil }
    var deciding = deciding
    // A message that was deleted then stays deleted in the past, even if it was restored since.
    if let message = state[key], message.presence != .present { deciding[key]?.presence = message.presence }
    let restoring = Result { () throws(Refusal) in
      try decide(.message(key, .restore), by: .user(user), at: now, given: deciding)
    }
    if case .success = restoring { return nil }
    return .messageDeleted(key)
  }

  /// Returns why the user does not see a message's biography; nil if they do.
  func refusal(biographyOf key: Message.Key) -> Refusal? {
    if let refusal = refusal(reading: key) { return refusal }
    if state[key]?.author == user || refusal(of: .deleteAny, in: key.channel) == nil { return nil }
    return refusal(of: .editAny, in: key.channel)
  }

  /// Returns why the user does not see the bans; nil if they do.
  func refusal(bansFrom scope: Ban.Scope) -> Refusal? {
    switch scope {
    case .channel(let id): refusal(of: .ban, in: id)
    case .everywhere:
      deciding[user].map { state.rules.administrators.contains($0.role) } == true ? nil : .notAdministrator
    }
  }

  /// Returns why the user may not review a message or user; nil if they may.
  func refusal(reviewing target: Flag.Target) -> Refusal? {
    switch target {
    case .message(let key): refusal(of: .moderate, in: key.channel)
    case .user: refusal(bansFrom: .everywhere)
    }
  }

  /// Returns whether the user may read the word of a row.
  func mayRead(_ secret: Secret) -> Bool {
    switch secret {
    case .message(let key): refusal(reading: key) == nil
    case .draft(let key): key.user == user
    case .composer(let key): key.user == user
    case .channel(let id): refusal(in: id) == nil || isPreviewed(id)
    case .ban(let key): key.user == user || refusal(bansFrom: key.scope) == nil
    case .flag(let key): refusal(reviewing: key.target) == nil
    case .device: false
    case .saved(let key): key.user == user
    case .scheduled(let key): key.author == user
    case .review(let target): refusal(reviewing: target) == nil
    }
  }

  /// The users whom the user blocks, in the order of their ids.
  var blockedUsers: [User.ID] { state.rows.blocks.keys.filter { $0.user == user }.map(\.blocked).sorted() }
}

// MARK: What they are told

extension Sight {
  /// Returns descriptions of what a result contains although the user may not see it.
  func leaks(in answer: Any, _ secrets: Secrets, read: inout Set<Secret>) -> [String] {
    var leaks: [String] = []
    look(at: answer) { part in
      for secret in secrets.named(in: Sight.text(of: part)) {
        read.insert(secret)
        if !mayRead(secret) { leaks.append("the word of \(secret)") }
      }
      if let leak = leak(of: part) { leaks.append(leak) }
    }
    return leaks
  }

  /// Visits a value and everything that it contains.
  private func look(at value: Any, _ body: (Any) -> Void) {
    body(value)
    if value is Timestamp || value is UserText || value is TypedText || value is Message.Number { return }
    // Who forwards a message tells its readers where it is from, and one's own saved or scheduled messages have keys.
    if value is Message.Forwarded || value is SavedMessage.Key || value is ScheduledMessage.Key { return }
    // Moderators decide about flags on messages that are truncated since, too.
    if value is Flag.Target || value is Flag.Key { return }
    for child in Mirror(reflecting: value).children { look(at: child.value, body) }
  }

  private static func text(of value: Any) -> String {
    switch value {
    case let text as String: text
    case let text as UserText: text.string
    case let text as TypedText: text.userText.string
    default: ""
    }
  }

  private func leak(of value: Any) -> String? {
    switch value {
    case let message as Message: refusal(knowing: message.key) == nil ? nil : "the message \(message.key)"
    case let channel as Channel: refusal(in: channel.id) == nil ? nil : "the channel \(channel.id)"
    case let draft as Draft: draft.key.user == user ? nil : "a draft of \(draft.key)"
    case let draft as DraftItem: draft.key.user == user ? nil : "a draft of \(draft.key)"
    case let composer as Composer: composer.key.user == user ? nil : "a composer of \(composer.key)"
    case let run as CommandRun: run.composer.user == user ? nil : "a command of \(run.composer)"
    case let mute as Mute: mute.key.user == user ? nil : "a mute of \(mute.key)"
    case let consumer as Consumer:
      consumer.owner == user || refusal(bansFrom: .everywhere) == nil ? nil : "the consumer \(consumer.id)"
    case let preview as ChannelPreview: leak(of: preview)
    case let item as ReviewItem: refusal(reviewing: item.review.target) == nil ? nil : "\(item.review.target)"
    case let saved as SavedMessage: saved.key.user == user ? nil : "a message saved by \(saved.key.user)"
    case let message as ScheduledMessage: message.key.author == user ? nil : "a message scheduled by \(message.key)"
    case let marker as ThreadMarker: marker.key.user == user ? nil : "how far \(marker.key.user) has read a thread"
    case let vote as Vote: leak(of: vote)
    case let member as Member: leak(of: member)
    case let item as ChannelItem: leak(in: item.channel.id, failed: item.failed, typing: item.typing)
    case let item as ThreadItem:
      leak(in: item.parent.key.channel, thread: item.parent.key.id, failed: item.failed, typing: item.typing)
    case let key as Message.Key: refusal(knowing: key) == nil ? nil : "that there is \(key)"
    case let reaction as Reaction: refusal(reading: reaction.key.message) == nil ? nil : "a reaction, \(reaction)"
    default: nil
    }
  }

  /// Returns what the line of a channel or a thread reveals wrongly: another's failed message, or a user who is not
  /// typing there.
  private func leak(
    in channel: Channel.ID, thread: Message.ID? = nil, failed: Message?, typing: [User.ID]
  ) -> String? {
    if let failed, failed.author != user { return "that \(failed.key) was not delivered" }
    if typing.isEmpty { return nil }
    if state[channel]?.config.has(.typingEvents) != true { return "that somebody types in \(channel)" }
    let writers = state.rows.composers.values.filter { composer in
      guard let typed = composer.typed else { return false }
      return composer.key.channel == channel && composer.key.thread == thread && typed <= instant
        && instant < typed + .seconds(7)
    }
    let others = Set(writers.map(\.key.user)).subtracting([user])
    return typing.first { !others.contains($0) }.map { "that \($0) types in \(channel)" }
  }

  private func leak(of preview: ChannelPreview) -> String? {
    let invitation = state[Member.Key(preview.id, user)]?.invitation
    return isPreviewed(preview.id) && invitation == preview.invitation ? nil : "the channel \(preview.id)"
  }

  /// Returns whether the user may see the profile of a channel that is public, or to which they are invited.
  private func isPreviewed(_ id: Channel.ID) -> Bool {
    if state[id]?.deleted != nil || deciding[id]?.deleted != nil { return false }
    let isPublic = state[id]?.config.isPublic == true && deciding[id]?.config.isPublic == true
    let isInvited = [state, deciding].allSatisfy { $0[Member.Key(id, user)]?.invitation != nil }
    return isPublic || isInvited
  }

  private func leak(of vote: Vote) -> String? {
    if refusal(reading: vote.key.message) != nil { return "a vote in \(vote.key.message)" }
    let isAnonymous = state[vote.key.message]?.poll?.rules.isAnonymous == true
    return isAnonymous && vote.key.user != user ? "the vote of \(vote.key.user)" : nil
  }

  private func leak(of member: Member) -> String? {
    if refusal(in: member.key.channel) != nil { return "the member \(member.key)" }
    guard member.key.user != user, let config = state[member.key.channel]?.config else { return nil }
    if member.hidden != nil { return "that \(member.key) hides the channel" }
    if member.pinned != nil { return "that \(member.key) pins the channel" }
    if member.archived != nil { return "that \(member.key) archives the channel" }
    if !config.has(.readEvents), member.read != .zero { return "how far \(member.key) has read" }
    if !config.has(.deliveryEvents), member.received != .zero { return "what reached \(member.key)" }
    return nil
  }
}
