// Items of lists that share one slot, and their parts, which are the same in every form.
public import Chat
public import ChatProjections

/// An item of a list that is drawn by the slot `makeListItem`.
public enum ListItem: Hashable, Sendable {
  /// A found message, with the name of its channel; nil if it is not shown.
  case found(Message, channelName: UserText?)
  /// A flagged message for moderators, with its flags and the claim of its review.
  case flagged(Message, ReviewItem)
  /// A mute, with the name of the muted channel; nil for a muted user.
  case mute(Mute, channelName: UserText?)
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
    case .found(let message, let channelName):
      var parts = parts(of: message)
      if let channelName { parts.about = [title(message.key.channel, channelName)] }
      return parts
    case .flagged(let message, let item):
      var parts = parts(of: message)
      (parts.about, parts.actions) = (reports(of: item), reviewActions(of: item, on: message.key))
      return parts
    case .mute(let mute, let channelName):
      let target = mute.key.target
      return ListItemParts(title: title(target, channelName), actions: [(.unmute(target), words.unmute)])
    }
  }

  private func parts(of message: Message) -> ListItemParts {
    let (text, author) = (words(for: message), message.author.map { name($0.text) })
    return ListItemParts(
      title: author ?? text, line: author == nil ? "" : text, time: message.sent, open: .openMessage(message.key))
  }

  private func title(_ target: Mute.Target, _ channelName: UserText?) -> String {
    switch target {
    case .user(let user): name(user.text)
    case .channel(let channel): title(channel, channelName)
    }
  }

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
