// An item of each kind that shares the slot `makeListItem`.
import Chat
import ChatRendering
@testable import ChatProjections

extension ListItem {
  /// Items of every kind of list, with a text in every place.
  static func all(_ text: UserText = "words") -> [(kind: ItemListKind, items: [ListItem])] {
    let start = Timestamp(rawValue: 0)
    return [
      (.found, [.found(message("found", text), channelName: text), .found(message("here", text), channelName: nil)]),
      (
        .flagged,
        [
          .flagged(message("flagged", text), review(of: "flagged", reason: text)),
          .flagged(message("claimed", text), review(of: "claimed", reason: nil, claimedBy: "me")),
        ]
      ),
      (
        .mutes,
        [
          .mute(Mute(key: Mute.Key(by: "me", of: .user("bo")), since: start, term: .endless), channelName: nil),
          .mute(Mute(key: Mute.Key(by: "me", of: .channel("loud")), since: start, term: .endless), channelName: text),
        ]
      ),
      (.invitations, [.invitation(preview("invited", text, invitedBy: "ann"))]),
      (.publicChannels, [.publicChannel(preview("open", text)), .publicChannel(preview("own", text, isMember: true))]),
      (
        .saved,
        [
          .saved(saved("kept", message("kept", text), note: text, remindAt: start), channelName: text),
          .saved(saved("gone", nil, note: nil, remindAt: nil), channelName: nil),
        ]
      ),
      (.scheduled, [.scheduled(scheduled("later", text), channelName: text)]),
      (.blocks, [.blocked("bo")]),
    ]
  }

  static func message(_ id: Message.ID, by author: User.ID? = "ann", _ text: UserText) -> Message {
    Message(
      key: Message.Key("general", id), author: author, content: Message.Content(text),
      number: Message.Number(rawValue: 1), sent: Timestamp(rawValue: 1_790_000_000_000_000), delivery: .settled)
  }

  static func preview(
    _ id: Channel.ID, _ name: UserText, isMember: Bool = false, invitedBy author: User.ID? = nil
  ) -> ChannelPreview {
    let start = Timestamp(rawValue: 0)
    var channel = Channel(
      id: id, kind: "team", profile: Channel.Profile(name: name), config: ChannelConfig(), creator: .system,
      created: start, changed: start)
    channel.memberCount = 3
    var member = Member(
      key: Member.Key(id, "me"), role: .member, joined: start, lastSent: nil, read: .zero, readAt: start,
      received: .zero)
    member.isMember = isMember
    member.invitation = author.map { Member.Invitation(by: .user($0), at: start, as: .member) }
    return ChannelPreview(channel, for: member)
  }

  static func saved(_ id: Message.ID, _ message: Message?, note: UserText?, remindAt instant: Timestamp?) -> SavedItem {
    let key = SavedMessage.Key(by: "me", Message.Key("general", id))
    let saved = SavedMessage(key: key, saved: Timestamp(rawValue: 0), note: note, remindAt: instant)
    return SavedItem(saved: saved, message: message)
  }

  static func scheduled(
    _ id: Message.ID, _ text: UserText, at instant: Timestamp = Timestamp(rawValue: 0), failure: RecordedFailure? = nil
  ) -> ScheduledMessage {
    let key = ScheduledMessage.Key(by: "me", Message.Key("general", id))
    return ScheduledMessage(key: key, content: Message.Content(text), at: instant, failure: failure)
  }

  static func review(of id: Message.ID, reason: UserText?, claimedBy moderator: User.ID? = nil) -> ReviewItem {
    let target = Flag.Target.message(Message.Key("general", id))
    let start = Timestamp(rawValue: 0)
    let claim = moderator.map { EventOrigin(by: .user($0), at: start) }
    let flags = ["bo", "cy"].map { Flag(key: Flag.Key(by: $0, on: target), reason: reason, raised: start) }
    return ReviewItem(review: Review(of: target, flagCount: 2, opened: start, claim: claim), flags: flags)
  }
}

extension ViewFactory {
  /// Draws each of the lists of all items.
  func drawItemLists(_ text: UserText = "words") -> [ItemListKind: Output] {
    Dictionary(uniqueKeysWithValues: ListItem.all(text).map { ($0.kind, draw($0.kind, $0.items)) })
  }
}
