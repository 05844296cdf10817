// Messages, lists and composers that use everything that a page can show.
import Chat
import ChatComposer
import ChatMessageList
import ChatRendering
import ChatProjections
import Foundation
import SeededRandom

/// A message with all that a chat can know of one.
struct Posted: ChatMessageType, Hashable {
  var messageID: String
  var timestamp: Date
  var by: String
  var name: String
  var item = Item.text("Hello")
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

  enum Item: Hashable {
    case text(String), styled(TextItem), system(String), image(ImageItem), custom(String)
  }

  init(_ id: String, by sender: String = "ann", at seconds: Double, _ change: (inout Posted) -> Void = { _ in }) {
    (messageID, by, timestamp) = (id, sender, Date(timeIntervalSince1970: seconds))
    name = sender.capitalized
    change(&self)
  }

  var sender: MessageSender? { MessageSender(id: by, name: name, image: "https://example.org/\(by).png") }
  var isOwn: Bool { by == "me" }
  var alignment: MessageAlignment { isOwn ? .right : .left }
  var kind: MessageKind {
    switch item {
    case .text(let text): .text(TextItem(text))
    case .styled(let text): .text(text)
    case .system(let text): .system(AttributedString(text))
    case .image(let image): .image(image)
    case .custom(let id): .custom(OwnKind(id: id, data: nil))
    }
  }
}

struct OwnKind: CustomItem {
  let id: String
  let data: Any?
}

// MARK: Lists

/// The file of a picture of one pixel.
private let pixel = Array(Data(base64Encoded: "R0lGODlhAQABAAAAACwAAAAAAQABAAA=") ?? Data())
private let day = 1_790_000_000.0

extension Attachment {
  static let photo = Attachment(
    "photo", .image, at: .url("https://example.org/a.png"), title: "a.png", summary: "A hill", byteCount: 1_234_567)
  static let report = Attachment("report", .file, at: .url("https://example.org/r.pdf"), title: "r.pdf", byteCount: 80)
  static let local = Attachment("local", .audio, at: .device("tape"), duration: Microseconds(rawValue: 75_000_000))
  static let link = Attachment("link", .link, at: .url("https://example.org"), title: "Example", summary: "A page")
  static let gif = Attachment("gif", .giphy, at: .url("https://example.org/g.gif"))
}

/// A message of every kind, each with what belongs to it.
func everyMessage(saying text: String = "Hello <b>& all</b>", id: String = "m") -> [Posted] {
  let sender = MessageSender(id: "bo", name: "Bo " + text)
  let kinds: [(inout Posted) -> Void] = [
    { $0.item = .text(text) },
    {
      $0.quote = MessageQuote(id + "0", by: sender, text: text)
      $0.annotations = [.pinned, .alsoInChannel]
      $0.edited = Date(timeIntervalSince1970: day)
    },
    { ($0.reactions, $0.isDeleted) = ([MessageReaction("like", count: 1)], true) },
    {
      $0.reactions = [MessageReaction("👍", count: 2, mine: true), MessageReaction(text, count: 1)]
      $0.poll = MessagePoll([MessagePoll.Option("a", text, votes: 1, mine: true), MessagePoll.Option("b", text)])
      $0.thread = MessageThread(replyCount: 2, participants: [sender], unread: 1, hasDraft: true)
    },
    {
      $0.item = .text("🎉"); $0.content = .jumboEmoji(1)
    },
    { $0.item = .image(ImageItem(url: "https://example.org/b.png", summary: text)) },
    { $0.item = .image(ImageItem(data: pixel)) },
    { ($0.attachments, $0.content, $0.item) = ([.photo], .media([.image]), .text(text)) },
    { ($0.attachments, $0.content, $0.item) = ([.report, .local], .file, .text("")) },
    { ($0.attachments, $0.content) = ([.link], .link) },
    { ($0.attachments, $0.content, $0.item) = ([.gif], .giphy, .text("")) },
    { ($0.isEphemeral, $0.attachments, $0.item) = (true, [.gif], .text(text)) },
    { $0.item = .system(text) },
    { $0.item = .custom("poll" + text) },
    { $0.quote = MessageQuote("elsewhere", content: .file, state: .notLoaded) },
    { $0.quote = MessageQuote("gone", state: .deleted) },
  ]
  var messages = kinds.enumerated().map { index, change in
    Posted(id + "\(index)", by: index % 3 == 1 ? "bo" : "ann", at: day + Double(index) * 5000) { message in
      message.name += text
      change(&message)
    }
  }
  let deliveries: [MessageDelivery] = [.pending, .sent, .delivered, .read(2), .failed(reason: text)]
  for (index, delivery) in deliveries.enumerated() {
    messages.append(
      Posted(id + "own\(index)", by: "me", at: day + 90_000 + Double(index)) { $0.delivery = delivery })
  }
  return messages
}

/// A list with every kind of row.
func everyRow(
  of messages: [Posted]? = nil, saying text: String = "Hello <b>& all</b>", id: String = "m"
) -> MessageLayout<Posted> {
  var options = LayoutOptions<Posted>.verbatim
  (options.mutedAuthors, options.mutedMessages) = (["bo"], .collapse)
  let messages = messages ?? everyMessage(saying: text, id: id)
  let firstUnread = messages[min(3, messages.count - 1)]
  var layout = MessageLayout(
    messages, options: options, unread: UnreadMark(from: MessageSortKey(firstUnread), count: 4),
    typing: ["typist" + text],
    hasOlder: true)
  var change = MessageChange<Posted>()
  change.olderFailed = true
  layout.apply(change)
  return layout
}

/// Lists that show, together, every slot of a list.
func everyList() -> [MessageLayout<Posted>] {
  var thread = LayoutOptions<Posted>.verbatim
  thread.threadParent = "m3"
  return [
    MessageLayout(
      everyMessage(), unread: UnreadMark(from: MessageSortKey(everyMessage()[3]), count: 4), typing: ["cy"]),
    everyRow(), MessageLayout(everyMessage(), options: thread), MessageLayout(everyMessage(), hasNewer: true),
    MessageLayout([]),
  ]
}

// MARK: Composers

/// A composer that uses everything.
func everyComposer(saying text: String = "Hello <b>& all</b>") -> ComposerSlot {
  let words = UserText(text)
  var content = Composition(TypedText(words))
  let own = Attachment("own", .custom("poll", payload: []))
  content.attachments = [
    ComposedAttachment(.photo, .uploading(permille: 500)), ComposedAttachment(.report, .failed(.text(words))),
    ComposedAttachment(own, .done),
  ]
  func item(_ id: UserText, _ action: ComposerItem.ItemAction = .perform(.stopQuoting)) -> ComposerItem {
    ComposerItem(id, label: words.string, action: action)
  }
  let suggestions = [
    Suggestion("cy", title: words, detail: "cy", answer: .chatUser("cy", name: "Cy")),
    Suggestion(failure: words),
  ]
  var presentation = ComposerReducer(Composer(Composer.Key(of: "ann", on: "phone", in: "general")))
    .presentation(at: Timestamp(rawValue: 0))
  (presentation.title, presentation.placeholder) = ("title.quote", "placeholder.new")
  presentation.cooldown = 3
  presentation.leading = [
    ComposerItem(.attachments, icon: "attachments", action: .perform(.showPicker(.collapsed)))
  ]
  presentation.input = [
    item(.quote), item(.command), item(.attachment("photo")), item(.attachment("report")), item(.attachment("own")),
    ComposerItem(.text), ComposerItem(.showsInChannel, icon: "checked", action: .perform(.setShowsInChannel(false))),
  ]
  presentation.trailing = [ComposerItem(.send, icon: "send", action: .send)]
  presentation.picker = .expanded(.media)
  presentation.pickerSources = [
    item("files", .perform(.custom("pickFiles"))),
    item(UserText("own" + text), .perform(.showPicker(.expanded(.media)))),
  ]
  presentation.suggestions = SuggestionList(.mentions, query: words, range: 0..<1, items: suggestions, isLoading: true)
  let quoted = MessageQuote("m0", by: MessageSender(id: "ann", name: text), text: text)
  return ComposerSlot(presentation, content, selection: 0..<1, quoted: quoted, edited: quoted, notice: .refused(words))
}

/// A composer with a picker of the app.
func pickingComposer() -> ComposerSlot {
  var slot = everyComposer()
  slot.presentation.picker = .expanded(.custom("stickers"))
  return slot
}

/// A composer that edits, and suggests commands.
func editingComposer() -> ComposerSlot {
  var slot = everyComposer()
  slot.presentation.input[0] = ComposerItem(.edit, action: .perform(.cancelEdit))
  slot.presentation.suggestions?.kind = .instantCommands
  slot.presentation.trailing[0].isEnabled = false
  return slot
}

/// A composer that suggests a kind of the app's own.
func emojiComposer() -> ComposerSlot {
  var slot = everyComposer()
  slot.presentation.suggestions?.kind = "emoji"
  return slot
}

// MARK: Items of lists

extension Message {
  static func sample(_ text: UserText) -> Message {
    Message(
      key: Key("general", "m0"), author: "ann", content: Content(text), number: Number(rawValue: 1),
      sent: Timestamp(rawValue: 1_790_000_000_000_000), delivery: .settled)
  }
}

func channelItem(named name: UserText = "General") -> ChannelItem {
  let channel = Channel(
    id: "general", kind: "team", profile: Channel.Profile(name: name), config: ChannelConfig(), creator: .system,
    created: Timestamp(rawValue: 0), changed: Timestamp(rawValue: 0))
  let member = Member(
    key: Member.Key("general", "ann"), role: .member, joined: Timestamp(rawValue: 0), lastSent: nil,
    read: Message.Number.zero, readAt: Timestamp(rawValue: 0), received: Message.Number.zero)
  return ChannelItem(
    channel: channel, member: member, newest: .sample(name), unread: Unread(messages: 3, mentions: 1), mute: nil,
    lastActivity: Timestamp(rawValue: 1_790_000_000_000_000))
}

func threadItem(about text: UserText = "Lunch?") -> ThreadItem {
  ThreadItem(parent: .sample(text), newest: .sample(text), ownReplyCount: 1)
}

func draft(saying text: UserText = "Not yet") -> DraftItem {
  DraftItem(
    Draft.Key(by: "ann", in: "general", thread: "m0"), Composition(TypedText(text)), parent: nil,
    created: Timestamp(rawValue: 0), updated: Timestamp(rawValue: 0), edit: Edit(at: Timestamp(rawValue: 0), on: nil))
}

// MARK: All of it

extension HTMLFactory {
  /// Everything that there is to draw, piece by piece.
  func drawEverything() -> [HTML] {
    let lists = everyList().map { drawList($0, inputBar: makeInputBar(BasicInputBar(text: "Hi")), isLoading: true) }
    return lists + [
      drawList(MessageLayout<Posted>()),
      draw(everyComposer()), draw(editingComposer()), draw(emojiComposer()), draw(pickingComposer()),
      draw([channelItem()], hasMore: true), draw([threadItem()]), draw([draft()]), draw([ChannelItem]()),
    ] + ListItem.all().map { draw($0.kind, $0.items) }
  }
}

// MARK: Hostile words

/// Words that try to be more than words.
let hostile = [
  "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' onclick='a", "</textarea></form></main>",
  "&lt;b&gt; &amp &#60;", "a\u{0}b\u{1B}[2Jc\u{7F}\u{9B}", "\u{202E}\u{2066}\u{202D}over",
  "\u{2069}\u{202C}\u{2069}out",
  "-->]]><!--", "javascript:alert(1)", "http://a.example/\u{202E}gpj.exe", "https://example.org/?a=\"&b=<c>",
  "\r\none\rtwo\u{2028}three\u{2029}four",
  "\u{FFF0}" + String(Unicode.Scalar(0xFFFE as UInt32)!) + String(Unicode.Scalar(0xFDD0 as UInt32)!),
  "data-actions=\"x\"", " id=\"unread\"",
  "👩‍👩‍👧‍👦e\u{301}\u{301}\u{301}", "   ", "",
]

extension SeededRandom {
  /// Words of pieces that mean something to those who read markup.
  mutating func hostileText() -> String {
    let pieces =
      hostile + ["<", ">", "&", "\"", "'", "=", "/", "\n", "\u{202E}", "\u{2067}", "\u{2069}", "\u{202C}", "a", " "]
    return (0..<below(8)).map { _ in pieces[below(pieces.count)] }.joined()
  }
}
