// What is drawn as text in tests: messages that have everything, a composer, channels, threads and drafts.
import Chat
@testable import ChatComposer
import ChatMessageList
import ChatRendering
import TerminalRendering
@testable import ChatProjections
import Foundation
import SeededRandom

/// A message with whatever a chat can know of it.
struct Said: ChatMessageType, Equatable {
  var messageID: String
  var timestamp: Date
  var by: String?
  var shown: Shown
  var content: MessageContent?
  var attachments: [Attachment] = []
  var edited: Date?
  var isDeleted = false
  var isEphemeral = false
  var delivery: MessageDelivery?
  var poll: MessagePoll?
  var reactions: [MessageReaction] = []
  var thread: MessageThread?
  var quote: MessageQuote?
  var annotations: MessageAnnotations = []
  var name: String?

  enum Shown: Equatable {
    case text(AttributedString), system(String), image(ImageItem), custom(String)
  }

  init(
    _ id: String, by sender: String? = "ann", at minutes: Double, _ text: AttributedString = "Hello",
    _ change: (inout Said) -> Void = { _ in }
  ) {
    (messageID, by, timestamp) = (id, sender, Date(timeIntervalSince1970: minutes * 60))
    shown = .text(text)
    change(&self)
  }

  var isOwn: Bool { by == "me" }
  var sender: MessageSender? { by.map { MessageSender(id: $0, name: name ?? $0.capitalized) } }
  var alignment: MessageAlignment { isOwn ? .right : .left }

  var kind: MessageKind {
    switch shown {
    case .text(let text): .text(TextItem(text))
    case .system(let text): .system(AttributedString(text))
    case .image(let image): .image(image)
    case .custom(let id): .custom(Shape(id: id))
    }
  }

  struct Shape: CustomItem {
    let id: String
    var data: Any? { nil }
  }
}

extension Said {
  /// One of every kind, each in a group of its own, with texts that hold what a test gives.
  static func all(_ text: String = "words", name: String? = nil) -> [Said] {
    let words = UserText(text)
    let facts = Attachment(
      "a1", .image, at: .url("https://example.org/a.png"), title: words, byteCount: 2_100_000,
      size: Attachment.Size(width: 1200, height: 800))
    let video = Attachment("v1", .video, title: words, duration: .seconds(187))
    let custom = Attachment("c1", .custom("map", payload: []), title: words)
    let messages = [
      Said("full", at: 0, AttributedString(text)) {
        $0.poll = MessagePoll([MessagePoll.Option("a", text, votes: 2, mine: true)])
        $0.annotations = [.pinned, .repliedToThread]
        $0.quote = MessageQuote("own", by: MessageSender(id: "me", name: name ?? "Me"), text: "quoted \(text)")
        $0.reactions = [MessageReaction("👍", count: 2), MessageReaction("🎉", count: 1, mine: true)]
        $0.thread = MessageThread(replyCount: 3, unread: 1, hasDraft: true)
        $0.edited = $0.timestamp
      },
      Said("own", by: "me", at: 10, AttributedString(text)) { $0.delivery = .read(2) },
      Said("failed", by: "me", at: 20) { $0.delivery = .failed(reason: text) },
      Said("jumbo", at: 30, "😀"),
      Said("image", at: 40) { $0.shown = .image(ImageItem(url: "https://example.org/i.png", summary: text)) },
      Said("media", at: 50, AttributedString(text)) {
        ($0.content, $0.attachments) = (.media([.image]), [facts, video])
      },
      Said("file", at: 60, "") {
        $0.content = .file; $0.attachments = [Attachment("f1", .file, title: words)]
      },
      Said("link", at: 70) {
        $0.content = .link
        $0.attachments = [Attachment("l1", .link, at: .url("https://example.org"), title: words, summary: words)]
      },
      Said("giphy", at: 80, "") {
        $0.content = .giphy; $0.attachments = [Attachment("g1", .giphy, title: words)]
      },
      Said("ephemeral", by: "me", at: 90, "") {
        ($0.isEphemeral, $0.attachments) = (true, [Attachment("e1", .giphy, title: words)])
      },
      Said("attached", at: 100, "") { ($0.content, $0.attachments) = (.custom("map"), [custom]) },
      Said("system", by: nil, at: 110) { $0.shown = .system(text + " joined") },
      Said("deleted", at: 120) { $0.isDeleted = true },
      Said("custom", at: 130) { $0.shown = .custom("poll") },
      Said("next", at: 1450),
    ]
    return messages.map { message in
      var message = message
      message.name = name
      return message
    }
  }
}

extension MessageLayout<Said> {
  /// A list with every kind of row that one list can have.
  static func all(_ messages: [Said] = Said.all(), hasOlder: Bool = true) -> MessageLayout {
    var options = LayoutOptions<Said>.verbatim
    options.customRenderers = ["poll"]
    let unread = UnreadMark(from: MessageSortKey(messages[14]), count: 1)
    return MessageLayout(
      messages, options: options, unread: unread, typing: ["bo"], hasOlder: hasOlder, hasNewer: true)
  }

  /// A thread, and a list in which somebody is muted and something nothing can draw.
  static var others: [MessageLayout] {
    var thread = LayoutOptions<Said>.verbatim
    thread.threadParent = "parent"
    var muting = LayoutOptions<Said>.verbatim
    (muting.mutedAuthors, muting.mutedMessages, muting.customRenderers) = (["ann"], .collapse, [])
    return [
      MessageLayout(
        [Said("parent", at: 0) { $0.thread = MessageThread(replyCount: 1) }, Said("reply", at: 1)], options: thread,
        typing: ["bo"]),
      MessageLayout(
        [Said("muted", at: 0), Said("bo's", by: "bo", at: 2) { $0.shown = .custom("poll") }], options: muting),
    ]
  }
}

extension ComposerSlot {
  /// A composer in which everything is there that can be.
  static func all(_ text: String = "words", kind: SuggestionInfo.Key = .mentions) -> ComposerSlot {
    let words = UserText(text)
    let file = ComposedAttachment(Attachment("f1", .file, title: words), .uploading(permille: 420))
    let map = ComposedAttachment(Attachment("m1", .custom("map", payload: []), title: words), .failed(.text(words)))
    var content = Composition(TypedText(words))
    content.attachments = [file, map]
    let close = ComposerItem.ItemAction.perform(.setSilent(true))
    let suggestions = [
      Suggestion(
        "s1", title: words, detail: words, symbol: kind == .mentions ? "@" : kind == .instantCommands ? "/" : nil,
        answer: .chatUser("bo", name: "Bo")),
      Suggestion(failure: words),
    ]
    let quote = MessageQuote("full", by: MessageSender(id: "ann", name: text), text: words.string)
    let shown = ComposerPresentation(
      state: .quote, title: words.string, placeholder: "placeholder.new", channelConfig: ChannelConfig(),
      maxMessageLength: 5_000, hasContent: true, refusal: nil, cooldown: 7, shouldScroll: false,
      leading: [ComposerItem(.attachments, action: close), ComposerItem(.commands, action: close)],
      input: [
        ComposerItem(.edit, label: words.string, action: close),
        ComposerItem(.quote, label: words.string, action: close),
        ComposerItem(.command, label: words.string, action: close),
        ComposerItem(.attachment("f1"), label: words.string, action: close),
        ComposerItem(.attachment("m1"), label: words.string, action: close), ComposerItem(.text),
      ], trailing: [ComposerItem(.send, action: .send)], picker: .expanded(.media),
      pickerSources: [ComposerItem("files", label: nil, action: .perform(.showPicker(.expanded(.media))))],
      suggestions: SuggestionList(kind, query: words, range: 0..<0, items: suggestions))
    return ComposerSlot(
      shown, content, selection: 1..<1,
      quoted: quote, edited: quote, notice: .refused(words))
  }
}

/// Items of lists, which nobody but the views makes.
enum Listed {
  static func message(_ text: String) -> Message {
    Message(
      key: Message.Key("general", "m1"), author: "ann", content: Message.Content(UserText(text)),
      number: Message.Number(rawValue: 1), sent: Timestamp(rawValue: 0), delivery: .settled)
  }

  static func channel(_ text: String = "words") -> ChannelItem {
    let channel = Channel(
      id: "general", kind: "team", profile: Channel.Profile(name: UserText(text)), config: ChannelConfig(),
      creator: .system, created: Timestamp(rawValue: 0), changed: Timestamp(rawValue: 0))
    let member = Member(
      key: Member.Key("general", "me"), role: .owner, joined: Timestamp(rawValue: 0), lastSent: nil, read: .zero,
      readAt: Timestamp(rawValue: 0), received: .zero)
    return ChannelItem(
      channel: channel, member: member, newest: message(text), unread: Unread(messages: 3, mentions: 1), mute: nil,
      lastActivity: Timestamp(rawValue: 0))
  }

  static func thread(_ text: String = "words") -> ThreadItem {
    ThreadItem(parent: message(text), newest: message(text), ownReplyCount: 1)
  }

  static func draft(_ text: String = "words") -> DraftItem {
    DraftItem(
      Draft.Key(by: "me", in: "general"), Composition(TypedText(text)), parent: nil,
      created: Timestamp(rawValue: 0), updated: Timestamp(rawValue: 0), edit: Edit(at: Timestamp(rawValue: 0), on: nil))
  }
}

extension TextFactory {
  /// All that a factory draws, by what it is.
  func drawAll(_ text: String = "words", name: String? = nil) -> [String: TerminalText] {
    drawings(text, name: name).mapValues { $0() }
  }

  /// What draws each of these, for those who need only some.
  func drawings(_ text: String = "words", name: String? = nil) -> [String: () -> TerminalText] {
    var drawings: [String: () -> TerminalText] = [:]
    let list = MessageLayout.all(Said.all(text, name: name))
    for layout in [list] + MessageLayout.others {
      for row in layout.rows { drawings[row.id] = { draw(row, of: layout) } }
    }
    drawings["start"] = { makeConversationStart() }
    drawings["list"] = {
      drawList(MessageLayout<Said>(), inputBar: makeInputBar(BasicInputBar(text: text)), isLoading: true)
    }
    drawings["empty list"] = { drawList(MessageLayout<Said>()) }
    drawings["composer"] = { draw(ComposerSlot.all(text)) }
    drawings["commands"] = { draw(ComposerSlot.all(text, kind: .instantCommands)) }
    drawings["emoji"] = { draw(ComposerSlot.all(text, kind: "emoji")) }
    let wave = ComposerItem("wave", label: text, action: .send)
    drawings["picker"] = { makeAttachmentPicker(.expanded(.custom("stickers")), sources: [wave]) }
    drawings["channel"] = { makeChannelListItem(Listed.channel(text)) }
    drawings["thread item"] = { makeThreadListItem(Listed.thread(text)) }
    drawings["draft"] = { makeDraftListItem(Listed.draft(text)) }
    drawings["channels"] = { draw([Listed.channel(text)], hasMore: true) }
    for (kind, items) in ListItem.all(UserText(text)) { drawings[kind.rawValue] = { draw(kind, items) } }
    drawings["no threads"] = { draw([ThreadItem]()) }
    return drawings
  }
}
