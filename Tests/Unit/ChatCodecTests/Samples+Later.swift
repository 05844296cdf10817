// Samples of the events of joining, blocks, reviews, saved and scheduled messages, threads and polls.
import Chat

extension Sample {
  private static let key = Message.Key("general", "m1")

  static let joining = {
    let ada = Member.Key("general", "ada")
    return [
      Sample("memberInvited/1", .member(ada, .invited(.moderator)), by: user),
      Sample("invitationDeclined/1", .member(ada, .declined), by: user),
      Sample("channelPinned/1", .member(ada, .pinned), by: user),
      Sample("channelUnpinned/1", .member(ada, .unpinned), by: user),
      Sample("channelArchived/1", .member(ada, .archived), by: user),
      Sample("channelUnarchived/1", .member(ada, .unarchived), by: user),
      Sample("channelConfigured/1-public", .channel("general", .configured(ChannelConfig(isPublic: true))), by: user),
      Sample("messageSent/1-forwarded", .message(key, .sent(Part.forwarded)), by: user),
      Sample("messageSent/1-recording", .message(key, .sent(Message.Content(attachments: [Part.recording]))), by: user),
      Sample("reactionAdded/1-emoji", .reaction(Reaction.Key(to: key, by: "bob"), .added("👍🏽", score: 1)), by: user),
      Sample("pollOpened/1-full", .message(key, .pollOpened(Part.options, Part.pollRules)), by: user),
      Sample("pollOpened/1-bare", .message(key, .pollOpened([], Poll.Rules(votesPerUserMax: 0))), by: user),
      Sample("pollOptionAdded/1", .message(key, .pollOptionAdded(Part.options[0])), by: user),
      Sample("pollClosed/1", .message(key, .pollClosed), by: user),
      Sample("voteCast/1-full", .vote(Vote.Key(in: key, by: "bob"), .cast(["yes", "no"])), by: user),
      Sample("voteCast/1-bare", .vote(Vote.Key(in: key, by: "bob"), .cast([])), by: user),
    ]
  }()

  static let later = {
    let block = UserBlock.Key(by: "ada", of: "bob")
    let (saved, scheduled) = (SavedMessage.Key(by: "ada", key), ScheduledMessage.Key(by: "ada", key))
    let thread = ThreadMarker.Key(of: "ada", in: key)
    return [
      Sample("userBlocked/1", .block(block, .began), by: user),
      Sample("userUnblocked/1", .block(block, .ended), by: user),
      Sample("reviewClaimed/1-message", .review(.message(key), .claimed), by: user),
      Sample("reviewClaimed/1-user", .review(.user("bob"), .claimed)),
      Sample("reviewReleased/1-message", .review(.message(key), .released), by: user),
      Sample("reviewReleased/1-user", .review(.user("bob"), .released)),
      Sample("flagsResolved/1-full", .review(.message(key), .resolved(.acted, note: "spam")), by: user),
      Sample("flagsResolved/1-bare", .review(.user("bob"), .resolved(.dismissed, note: nil))),
      Sample("messageSaved/1-full", .saved(saved, .saved(note: "read", remindAt: Part.later)), by: user),
      Sample("messageSaved/1-bare", .saved(saved, .saved(note: nil, remindAt: nil)), by: user),
      Sample("messageUnsaved/1", .saved(saved, .removed), by: user),
      Sample("messageReminded/1", .saved(saved, .reminded)),
      Sample("messageScheduled/1-full", .scheduled(scheduled, .scheduled(Part.content, at: Part.later)), by: user),
      Sample(
        "messageScheduled/1-bare", .scheduled(scheduled, .scheduled(Message.Content(), at: Timestamp(rawValue: 0))),
        by: user),
      Sample("scheduleCancelled/1", .scheduled(scheduled, .cancelled), by: user),
      Sample("scheduledMessageSent/1", .scheduled(scheduled, .delivered), by: user),
      Sample("scheduledMessageFailed/1", .scheduled(scheduled, .failed(Part.failure)), by: user),
      Sample("threadRead/1", .thread(thread, .read(through: "m2")), by: user),
      Sample("threadMarkedUnread/1", .thread(thread, .markedUnread(from: "m2")), by: user),
    ]
  }()
}

extension Part {
  static let options = [Poll.Option("yes", "Yes"), Poll.Option("no", "")]
  static let pollRules = Poll.Rules(votesPerUserMax: 2, isAnonymous: true, isExtensible: true, expiry: .until(later))
  static let recording = Attachment(
    "a3", .audio, at: .url("https://example.org/a.ogg"), duration: Microseconds(rawValue: 1_500_000),
    waveform: [0, 128, 255])
  static let fullPicture = {
    var picture = Part.picture
    picture.waveform = recording.waveform
    return picture
  }()
  static let fullContent = {
    var full = Part.content
    full.forwarded = forwarded.forwarded
    return full
  }()
  static let forwarded = {
    var content = Message.Content("Hello")
    content.forwarded = Message.Forwarded(Message.Key("random", "m9"), by: "bob")
    return content
  }()
}
