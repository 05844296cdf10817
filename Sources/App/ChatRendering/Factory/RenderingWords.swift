// The words in which things are said that no message says.
public import Chat
public import ChatComposer
public import ChatMessageList

/// The words in which things are said that no message says: an app gives others, in its language.
public struct RenderingWords: Sendable {
  /// Above what was not read.
  public var unread: @Sendable (Int) -> String = { "\($0) unread \($0 == 1 ? "message" : "messages")" }
  /// Above the replies in a thread.
  public var replies: @Sendable (Int) -> String = { "\($0) \($0 == 1 ? "reply" : "replies")" }
  /// Who types.
  public var typing: @Sendable ([String]) -> String = { names in
    names.formatted(with: ", ", last: " and ") + (names.count == 1 ? " is typing" : " are typing")
  }
  /// Where the conversation begins.
  public var conversationStart = "This is where the conversation begins"
  /// Where nothing was said.
  public var empty = "No messages yet"
  /// Where earlier messages are being loaded.
  public var loading = "Loading …"
  /// Loads earlier messages.
  public var loadOlder = "Load earlier messages"
  /// Loads later messages.
  public var loadNewer = "Load later messages"
  /// Where earlier messages could not be loaded.
  public var olderFailed = "Earlier messages could not be loaded: try again."
  /// In place of what muted people said.
  public var muted: @Sendable (Int) -> String = { "\($0) \($0 == 1 ? "message" : "messages") of people you muted" }
  /// In place of what nothing draws.
  public var noRenderer: @Sendable (String) -> String = { "Nothing draws messages of the kind '\($0)'" }
  /// In place of a deleted message.
  public var deleted = "Message deleted"
  /// In place of a quoted message that was not read.
  public var quoteNotLoaded = "Message not loaded"
  /// Beside what was edited.
  public var edited = "edited"
  /// Beside what only whoever looks sees.
  public var onlyYou = "only you see this"
  /// What stands out.
  public var pinned = "Pinned"
  /// A reply in a thread that stands in the channel too.
  public var alsoInChannel = "Also sent to the channel"
  /// A reply that is seen in the channel.
  public var repliedToThread = "Replied to a thread"
  /// What is written and not sent.
  public var draft = "Draft"
  /// What could not be delivered.
  public var notSent = "Not sent"
  /// What can be done with a message.
  public var actions: [MessageAction: String] = [
    .reply: "Reply", .edit: "Edit", .delete: "Delete", .retry: "Send again", .copy: "Copy", .pin: "Pin",
    .react: "React", .thread: "Open thread", .flag: "Report", .mute: "Mute",
  ]
  /// What can be done with what only whoever looks sees.
  public var ephemeral: [EphemeralAction: String] = [.send: "Send", .shuffle: "Another", .cancel: "Cancel"]
  /// How far a message came.
  public var delivery: @Sendable (MessageDelivery) -> String = { delivery in
    switch delivery {
    case .pending: "sending"
    case .sent: "sent"
    case .delivered: "delivered"
    case .read(let count): count == 1 ? "read" : "read by \(count)"
    case .failed(let reason): "not sent: \(reason)"
    }
  }
  /// What something is that has no words of its own.
  public var image = "Picture"
  /// A moving picture.
  public var video = "Video"
  /// A recording.
  public var audio = "Recording"
  /// A file.
  public var file = "File"
  /// An animated picture.
  public var giphy = "GIF"
  /// A page elsewhere.
  public var link = "Link"
  /// How large a file is.
  public var byteCount: @Sendable (UInt64) -> String = { count in
    if count < 1_000 { return "\(count) \(count == 1 ? "byte" : "bytes")" }
    var (unit, units) = (UInt64(1_000), ["kB", "MB", "GB", "TB", "PB", "EB"][...])
    while count / unit >= 1_000 { (unit, units) = (unit * 1_000, units.dropFirst()) }
    let tenths = count / (unit / 10)
    return (tenths < 100 ? "\(tenths / 10).\(tenths % 10)" : "\(tenths / 10)") + " \(units.first!)"
  }
  /// What the keys say that a composer shows where its app has no words of its own: titles, placeholders, items.
  public var composer: [String: String] = [
    "title.edit": "Edit message", "title.quote": "Reply", "placeholder.new": "Message", "attachments": "Attach",
    "commands": "Commands", "command": "Command", "send": "Send", "photosAndVideos": "Photos and videos",
    "files": "Files", "camera": "Camera", "showsInChannel": "Also send to the channel",
    "failure": "Nothing could be found out",
  ]
  /// How many seconds until one may send again.
  public var cooldown: @Sendable (Int) -> String = { "\($0) s" }
  /// How far something is on its way, in hundredths.
  public var uploading: @Sendable (Int) -> String = { "\($0) %" }
  /// What kinds of reactions are shown as; a kind that is not here is shown as it is called.
  public var reactions = ["like": "👍", "love": "❤️", "haha": "😂", "wow": "😮", "sad": "😢"]
  /// What only pages say.
  public var page = PageWords()

  /// English.
  public init() {}
}

extension RenderingContext {
  /// What is written on an item of a composer: its own words, or what its id says.
  public func label(of item: ComposerItem) -> String {
    item.label?.string ?? words.composer[item.id.string] ?? item.id.string
  }

  /// What is written where one can do something with a message.
  public func label(of action: MessageAction) -> String { words.actions[action] ?? action.rawValue }

  /// What is written where one can do something with what only oneself sees.
  public func label(of action: EphemeralAction) -> String { words.ephemeral[action] ?? action.rawValue }

  /// What a title, a placeholder or a reason says.
  public func composerWords(_ key: UserText) -> String { words.composer[key.string] ?? key.string }

  /// What a kind of reaction is shown as.
  public func reaction(_ kind: String) -> String { words.reactions[kind] ?? kind }
}

extension [String] {
  /// The texts, one after the other, with something between them and something else before the last.
  func formatted(with separator: String, last: String) -> String {
    count < 2 ? first ?? "" : dropLast().joined(separator: separator) + last + self[count - 1]
  }
}
