// Items of lists that share one slot, and their parts, which are the same in every form.
public import Chat
internal import ChatMessageList
public import ChatProjections

/// An item of a list that is drawn by the slot `makeListItem`.
public enum ListItem: Hashable, Sendable {
  /// A found message, with the name of its channel; nil if it is not shown.
  case found(Message, channelName: UserText?)
  /// A flagged message for moderators, with its flags and the claim of its review.
  case flagged(Message, ReviewItem)
  /// A mute, with the name of the muted channel; nil for a muted user.
  case mute(Mute, channelName: UserText?)
  /// A channel to which the user is invited.
  case invitation(ChannelPreview)
  /// A public channel, which the user can join.
  case publicChannel(ChannelPreview)
  /// A saved message, with the name of its channel; nil if it is not shown.
  case saved(SavedItem, channelName: UserText?)
  /// A scheduled message, with the name of its channel.
  case scheduled(ScheduledMessage, channelName: UserText?)
  /// A user whom the user blocks.
  case blocked(User.ID)
}

/// The parts of a list item: texts and actions.
public struct ListItemParts: Sendable {
  /// The title: the author of a message, or the name of a user or channel.
  public var title: String
  /// The text of the message.
  public var line = ""
  /// The time.
  public var time: Timestamp?
  /// The other texts about the item.
  public var about: [String] = []
  /// The action of the title; nil if it has none.
  public var open: SlotAction?
  /// The actions with a label.
  public var actions: [(action: SlotAction, label: String)] = []
}

extension RenderingContext {
  /// Returns the texts and actions of a list item.
  public func parts(of item: ListItem) -> ListItemParts {
    switch item {
    case .found(let message, let channelName): found(message, channelName)
    case .flagged(let message, let item): flagged(message, item)
    case .mute(let mute, let channelName):
      ListItemParts(
        title: title(mute.key.target, channelName), actions: [(.unmute(mute.key.target), words.unmute)])
    case .invitation(let channel): invitation(channel)
    case .publicChannel(let channel): publicChannel(channel)
    case .saved(let item, let channelName): saved(item, channelName)
    case .scheduled(let message, let channelName): scheduled(message, channelName)
    case .blocked(let user): ListItemParts(title: name(user.text), actions: [(.unblock(user), words.unblock)])
    }
  }

  // MARK: Messages

  private func found(_ message: Message, _ channelName: UserText?) -> ListItemParts {
    var parts = parts(of: message)
    if let channelName { parts.about = [title(message.key.channel, channelName)] }
    return parts
  }

  private func flagged(_ message: Message, _ item: ReviewItem) -> ListItemParts {
    var parts = parts(of: message)
    (parts.about, parts.actions) = (reports(of: item), reviewActions(of: item, on: message.key))
    return parts
  }

  private func saved(_ item: SavedItem, _ channelName: UserText?) -> ListItemParts {
    let (saved, key) = (item.saved, item.saved.key.message)
    let reminder = saved.reminder.map { words.reminder(time($0.date, withDay: true)) }
    let channel = channelName.map { title(key.channel, $0) }
    var drawn = item.message.map { parts(of: $0) } ?? ListItemParts(title: words.messageGone)
    drawn.about = [channel, saved.note?.string, reminder].compactMap(\.self).filter { !$0.isEmpty }
    drawn.actions = [(.unsave(key), words.unsave)]
    return drawn
  }

  private func scheduled(_ message: ScheduledMessage, _ channelName: UserText?) -> ListItemParts {
    let key = message.key.message
    return ListItemParts(
      title: title(key.channel, channelName), line: words(for: message.content), time: message.at,
      about: message.failure.map { ["\(words.notSent): \(words(for: $0))"] } ?? [], open: .openChannel(key.channel),
      actions: [(.cancelScheduled(key), words.cancelScheduled)])
  }

  private func parts(of message: Message) -> ListItemParts {
    let (text, author) = (words(for: message), message.author.map { name($0.text) })
    return ListItemParts(
      title: author ?? text, line: author == nil ? "" : text, time: message.sent, open: .openMessage(message.key))
  }

  // MARK: Channels and users

  private func invitation(_ channel: ChannelPreview) -> ListItemParts {
    let invitation = channel.invitation
    let author = invitation?.by.user.map { words.invited(name($0.text)) }
    let decline: [(SlotAction, String)] =
      invitation?.declined == nil ? [(.decline(channel.id), words.decline)] : []
    return ListItemParts(
      title: title(channel.id, channel.profile.name), time: invitation?.at,
      about: [author, words.members(Int(channel.memberCount))].compactMap(\.self),
      actions: [(.join(channel.id), words.join)] + decline)
  }

  private func publicChannel(_ channel: ChannelPreview) -> ListItemParts {
    ListItemParts(
      title: title(channel.id, channel.profile.name), about: [words.members(Int(channel.memberCount))],
      open: channel.isMember ? .openChannel(channel.id) : nil,
      actions: channel.isMember ? [] : [(.join(channel.id), words.join)])
  }

  private func title(_ target: Mute.Target, _ channelName: UserText?) -> String {
    switch target {
    case .user(let user): name(user.text)
    case .channel(let channel): title(channel, channelName)
    }
  }

  // MARK: Reviews

  /// Returns the people who reported a message with their reasons, and the user who claimed the review.
  private func reports(of item: ReviewItem) -> [String] {
    let reports = item.openFlags.map { flag in
      let reason = flag.reason.map { $0.isEmpty ? "" : " (\($0.string))" } ?? ""
      return name(flag.key.user.text) + reason
    }
    let claim = item.review.claim?.actor.user.map { words.claimed(name($0.text)) }
    return [words.flagged(reports)] + [claim].compactMap(\.self)
  }

  private func reviewActions(of item: ReviewItem, on key: Message.Key) -> [(action: SlotAction, label: String)] {
    let claim: (SlotAction, String) =
      item.review.claim == nil
      ? (.review(.claim, of: key), words.claim) : (.review(.release, of: key), words.release)
    let outcomes = words.outcomes.sorted { $0.key.text < $1.key.text }
    return [claim] + outcomes.map { (.review(.resolve($0.key, note: nil), of: key), $0.value) }
  }
}
