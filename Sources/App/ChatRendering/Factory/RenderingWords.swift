// The fixed texts of the user interface.
public import Chat
public import ChatComposer
public import ChatMessageList

/// The fixed texts of the user interface; an app replaces them for its language.
public struct RenderingWords: Sendable {
  /// The text above unread messages.
  public var unread: @Sendable (Int) -> String = { "\($0) unread \($0 == 1 ? "message" : "messages")" }
  /// The text above the replies in a thread.
  public var replies: @Sendable (Int) -> String = { "\($0) \($0 == 1 ? "reply" : "replies")" }
  /// The text for typing users.
  public var typing: @Sendable ([String]) -> String = { names in
    names.formatted(with: ", ", last: " and ") + (names.count == 1 ? " is typing" : " are typing")
  }
  /// The text at the start of the conversation.
  public var conversationStart = "This is where the conversation begins"
  /// The text of an empty conversation.
  public var empty = "No messages yet"
  /// The text while earlier messages are being loaded.
  public var loading = "Loading …"
  /// The label for loading earlier messages.
  public var loadOlder = "Load earlier messages"
  /// The label for loading later messages.
  public var loadNewer = "Load later messages"
  /// The label for loading more items of a list.
  public var loadMore = "Load more"
  /// The texts of empty lists of items.
  public var noItems: [ItemListKind: String] = [
    .channels: "No channels yet", .threads: "No threads yet", .drafts: "No drafts",
    .found: "No messages found", .flagged: "No reported messages", .mutes: "Nobody is muted",
    .invitations: "No invitations", .publicChannels: "No public channels", .saved: "No saved messages",
    .scheduled: "No scheduled messages", .blocks: "Nobody is blocked",
  ]
  /// The text for the people who reported a message.
  public var flagged: @Sendable ([String]) -> String = { "Reported by " + $0.formatted(with: ", ", last: " and ") }
  /// The text for a claimed review.
  public var claimed: @Sendable (String) -> String = { "Claimed by \($0)" }
  /// The label for claiming a review.
  public var claim = "Claim"
  /// The label for releasing a claimed review.
  public var release = "Release"
  /// The labels for resolving a review, by outcome, in the order of their ids.
  public var outcomes: [Review.Outcome: String] = [.acted: "Resolve", .dismissed: "Dismiss"]
  /// The label for ending a mute.
  public var unmute = "Unmute"
  /// The label for ending a block.
  public var unblock = "Unblock"
  /// The label for joining a channel.
  public var join = "Join"
  /// The label for declining an invitation.
  public var decline = "Decline"
  /// The text for the author of an invitation.
  public var invited: @Sendable (String) -> String = { "Invited by \($0)" }
  /// The text for the number of a channel's members.
  public var members: @Sendable (Int) -> String = { "\($0) \($0 == 1 ? "member" : "members")" }
  /// The label for removing a message from the saved ones.
  public var unsave = "Remove"
  /// The text for the time of a reminder.
  public var reminder: @Sendable (String) -> String = { "Reminder \($0)" }
  /// The text in place of a saved message that the user cannot see any more.
  public var messageGone = "Message not available"
  /// The label for cancelling a scheduled message.
  public var cancelScheduled = "Cancel"
  /// The text when earlier messages could not be loaded.
  public var olderFailed = "Earlier messages could not be loaded: try again."
  /// The text in place of messages of muted users.
  public var muted: @Sendable (Int) -> String = { "\($0) \($0 == 1 ? "message" : "messages") of people you muted" }
  /// The text in place of content without a renderer.
  public var noRenderer: @Sendable (String) -> String = { "No renderer for messages of the kind '\($0)'" }
  /// The text in place of a deleted message.
  public var deleted = "Message deleted"
  /// The text in place of a message whose content was erased from the log.
  public var erased = "Message erased"
  /// The text in place of a quoted message that is not loaded.
  public var quoteNotLoaded = "Message not loaded"
  /// The text beside an edited message.
  public var edited = "edited"
  /// The text beside an ephemeral message.
  public var onlyYou = "only you see this"
  /// The text above a pinned message.
  public var pinned = "Pinned"
  /// The text above a reply that is also shown in the channel.
  public var alsoInChannel = "Also sent to the channel"
  /// The text above a thread reply that is shown in the channel.
  public var repliedToThread = "Replied to a thread"
  /// The text above a forwarded message, whose author may be known.
  public var forwarded: @Sendable (String?) -> String = { $0.map { "Forwarded from \($0)" } ?? "Forwarded" }
  /// The text for the number of votes for an option.
  public var votes: @Sendable (Int) -> String = { "\($0) \($0 == 1 ? "vote" : "votes")" }
  /// The text below a closed poll.
  public var pollClosed = "Poll closed"
  /// The text for a channel that the user pinned.
  public var pinnedChannel = "Pinned"
  /// The text for a channel in the user's archive.
  public var archivedChannel = "Archived"
  /// The word for a draft.
  public var draft = "Draft"
  /// The text for a message that could not be delivered.
  public var notSent = "Not sent"
  /// The labels of the actions on a message.
  public var actions: [MessageAction: String] = [
    .reply: "Reply", .edit: "Edit", .delete: "Delete", .retry: "Send again", .copy: "Copy", .pin: "Pin",
    .react: "React", .thread: "Open thread", .flag: "Report", .mute: "Mute",
  ]
  /// The labels of the actions on an ephemeral message.
  public var ephemeral: [EphemeralAction: String] = [.send: "Send", .shuffle: "Another", .cancel: "Cancel"]
  /// The text for a message's delivery state.
  public var delivery: @Sendable (MessageDelivery) -> String = { delivery in
    switch delivery {
    case .pending: "sending"
    case .sent: "sent"
    case .delivered: "delivered"
    case .read(let count): count == 1 ? "read" : "read by \(count)"
    case .failed(let reason): "not sent: \(reason)"
    }
  }
  /// The word for a picture.
  public var image = "Picture"
  /// The word for a video.
  public var video = "Video"
  /// The word for an audio recording.
  public var audio = "Recording"
  /// The word for a file.
  public var file = "File"
  /// The word for an animated picture.
  public var giphy = "GIF"
  /// The word for a link to a web page.
  public var link = "Link"
  /// The text for a size in bytes.
  public var byteCount: @Sendable (UInt64) -> String = { count in
    if count < 1_000 { return "\(count) \(count == 1 ? "byte" : "bytes")" }
    var (unit, units) = (UInt64(1_000), ["kB", "MB", "GB", "TB", "PB", "EB"][...])
    while count / unit >= 1_000 { (unit, units) = (unit * 1_000, units.dropFirst()) }
    let tenths = count / (unit / 10)
    return (tenths < 100 ? "\(tenths / 10).\(tenths % 10)" : "\(tenths / 10)") + " \(units.first!)"
  }
  /// The texts for a composer's keys: titles, placeholders and items that the app's options leave open; and the names
  /// of commands and their arguments, whose keys are the English texts.
  public var composer: [String: String] = [
    "title.edit": "Edit message", "title.quote": "Reply", "placeholder.new": "Message", "attachments": "Attach",
    "commands": "Commands", "command": "Command", "send": "Send", "photosAndVideos": "Photos and videos",
    "files": "Files", "camera": "Camera", "giphy": "GIFs", "showsInChannel": "Also send to the channel",
  ]
  /// The text for the seconds until the user may send again.
  public var cooldown: @Sendable (Int) -> String = { "\($0) s" }
  /// The text for a refusal to send, other than one of the domain.
  public var sendRefusal: @Sendable (SendRefusal) -> String = { $0.description }
  /// The text for a refusal of the domain.
  public var refusal: @Sendable (Refusal) -> String = { $0.description }
  /// The text for a notice of a composer, other than a refusal to send.
  public var notice: @Sendable (ComposerNotice) -> String = { $0.description }
  /// The text for the failure of an upload or a command, other than a refusal.
  public var failure: @Sendable (RecordedFailure) -> String = { $0.sentence }
  /// The text for an upload's progress in percent.
  public var uploading: @Sendable (Int) -> String = { "\($0) %" }
  /// The symbols for reaction kinds; a kind without a symbol is shown by its name.
  public var reactions = ["like": "👍", "love": "❤️", "haha": "😂", "wow": "😮", "sad": "😢"]
  /// The texts that only pages use.
  public var page = PageWords()

  /// Creates the English texts.
  public init() {}
}

extension RenderingContext {
  /// Returns the label of a composer item: its own, or the text for its id.
  public func label(of item: ComposerItem) -> String {
    if item.id == .command, let name = item.label { return composerWords(name) }
    return item.label ?? words.composer[item.id.string] ?? item.id.string
  }

  /// Returns the title of a suggestion.
  public func title(of suggestion: Suggestion) -> String {
    // The name of a user can be a key as well.
    if case .chatUser? = suggestion.answer { return suggestion.title.string }
    return composerWords(suggestion.title.string)
  }

  /// Returns the secondary text of a suggestion; for a command, its syntax.
  public func detail(of suggestion: Suggestion) -> String? {
    suggestion.value(for: .instantCommands)?.format(composerWords) ?? suggestion.detail?.string
  }

  /// Returns the label of an action on a message.
  public func label(of action: MessageAction) -> String { words.actions[action] ?? action.rawValue }

  /// Returns the label of an action on an ephemeral message.
  public func label(of action: EphemeralAction) -> String { words.ephemeral[action] ?? action.rawValue }

  /// Returns the text for a key of a composer: a title, a placeholder or a reason.
  public func composerWords(_ key: String) -> String { words.composer[key] ?? key }

  /// Returns the symbol of a reaction kind.
  public func reaction(_ kind: String) -> String { words.reactions[kind] ?? kind }
}

extension [String] {
  /// Returns the texts joined by a separator, with another one before the last.
  func formatted(with separator: String, last: String) -> String {
    count < 2 ? first ?? "" : dropLast().joined(separator: separator) + last + self[count - 1]
  }
}
