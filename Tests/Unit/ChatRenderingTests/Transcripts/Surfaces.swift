// A composer that shows everything below a list, and lists of channels, threads, drafts and others.
import Chat
import ChatComposer
import ChatMessageList
import ChatRendering
@testable import ChatProjections

/// A composer with everything, below what it answers.
struct ComposerTalk: Transcript {
  let name = "composer"
  let title = "Kitchen"

  private var layout: MessageLayout<ChatMessage> {
    MessageLayout([said("1", by: "ada", at: on(22, 12, 0), "Who cooks tonight?")])
  }

  var rows: [MessageRow] { Array(layout.rows) }

  func draw<Factory: ViewFactory>(with factory: Factory) -> Factory.Output {
    factory.drawList(layout, inputBar: factory.draw(composer))
  }

  private var composer: ComposerSlot {
    var content = Composition(TypedText("Soup, says @Zo"))
    let photo = Attachment("photo", .image, at: .device("photo"), title: "leeks.jpg")
    let recipe = Attachment("recipe", .file, at: .device("recipe"), title: "recipe.pdf")
    content.attachments = [
      ComposedAttachment(photo, .uploading(permille: 420)),
      ComposedAttachment(recipe, .failed(.text("it is too large"))),
      ComposedAttachment(Attachment("poll", .custom("poll", payload: [])), .done),
    ]
    var shown = ComposerReducer(Composer(Composer.Key(of: "mia", on: "phone", in: "kitchen")))
      .presentation(at: on(22, 12, 1))
    (shown.title, shown.placeholder, shown.cooldown) = ("title.quote", "placeholder.new", 7)
    shown.leading = [
      ComposerItem(.attachments, icon: "attachments", action: .perform(.showPicker(.collapsed))),
      ComposerItem(.commands, icon: "commands", action: .perform(.showPicker(.expanded(.giphy)))),
    ]
    shown.input = [
      ComposerItem(.quote, icon: "quote", action: .perform(.stopQuoting)),
      ComposerItem(.attachment("photo"), icon: "image.uploading", label: "leeks.jpg", action: .perform(.stopQuoting)),
      ComposerItem(.attachment("recipe"), icon: "file.failed", label: "recipe.pdf", action: .perform(.stopQuoting)),
      ComposerItem(.attachment("poll"), icon: "poll", label: "Poll: soup or salad?", action: .perform(.stopQuoting)),
      ComposerItem(.text),
      ComposerItem(.showsInChannel, icon: "checked", action: .perform(.setShowsInChannel(false))),
    ]
    shown.trailing = [ComposerItem(.send, icon: "send", isEnabled: false, action: .send)]
    shown.picker = .expanded(.media)
    shown.pickerSources = [
      ComposerItem("photosAndVideos", icon: "photosAndVideos", action: .perform(.showPicker(.expanded(.media)))),
      ComposerItem("files", icon: "files", action: .perform(.custom("pickFiles"))),
      ComposerItem("camera", icon: "camera", action: .perform(.custom("takePicture"))),
    ]
    shown.suggestions = SuggestionList(
      .mentions, query: "Zo", range: 11..<14,
      items: [
        Suggestion(
          "zoe", title: "Zoë van Dam", detail: "zoe", symbol: "@", answer: .chatUser("zoe", name: "Zoë van Dam")),
        Suggestion("zora", title: "Zora", detail: "zora", symbol: "@", answer: .chatUser("zora", name: "Zora")),
      ], isLoading: true)
    let notice = ComposerNotice.commandExecuted(ComposedCommand("flag", target: "leo"), name: "Leo")
    let quoted = MessageQuote("1", by: sender("ada"), text: "Who cooks tonight?")
    return ComposerSlot(shown, content, selection: 14..<14, quoted: quoted, notice: notice)
  }
}

/// Lists of channels, threads, drafts and others.
struct OpenLists: Transcript {
  let name = "lists"
  let title = "Chats"

  func draw<Factory: ViewFactory>(with factory: Factory) -> Factory.Output {
    .joined([
      factory.draw(channels, hasMore: true), factory.draw(threads), factory.draw(drafts), factory.draw([ThreadItem]()),
      factory.draw([DraftItem](), isLoaded: false), factory.draw(.found, found, hasMore: true),
      factory.draw(.flagged, flagged), factory.draw(.mutes, mutes), factory.draw(.invitations, invitations),
      factory.draw(.publicChannels, publicChannels), factory.draw(.saved, saved), factory.draw(.scheduled, scheduled),
      factory.draw(.blocks, [.blocked("sam")]), factory.draw(.blocks, []),
    ])
  }

  private var channels: [ChannelItem] {
    [
      channel("garden", "Garden", message("1", by: "ada", "The apple tree needs cutting."), messages: 3, mentions: 1),
      channel("harbour", "", message("2", by: "leo", "Half past it is."), messages: 0, mentions: 0),
      channel(
        "long", "A channel with a name that is longer than any list is wide",
        message("3", by: "zoe", "And with a message that is just as long, so that it has to be cut."), messages: 120,
        mentions: 0),
      channel("new", "New channel", nil, messages: 0, mentions: 0),
      channel("pinned", "Always on top", nil, messages: 0, mentions: 0) { $0.pinned = on(20, 0, 0) },
      channel("old", "Summer party", nil, messages: 2, mentions: 0) { $0.archived = on(21, 0, 0) },
    ]
  }

  private var threads: [ThreadItem] {
    var parent = message("4", by: "zoe", "Where do we eat afterwards?")
    parent.replyCount = 4
    return [ThreadItem(parent: parent, newest: message("5", by: "ada", "At the lighthouse."), ownReplyCount: 1)]
  }

  private var drafts: [DraftItem] {
    [
      draft(Draft.Key(by: "mia", in: "garden"), "I think that"),
      draft(Draft.Key(by: "mia", in: "long", thread: "3"), "Shorter, perhaps?"),
    ]
  }

  private var found: [ListItem] {
    [
      .found(message("6", by: "leo", "The lighthouse is closed on Mondays."), channelName: "Garden"),
      .found(message("7", by: "ada", "Which lighthouse?\nThe one in the north?"), channelName: nil),
    ]
  }

  private var flagged: [ListItem] {
    [
      .flagged(message("8", by: "sam", "Buy now, buy cheap!"), review(of: "8", ["ada": "spam", "leo": nil])),
      .flagged(
        message("9", by: "sam", "Last chance!"),
        review(of: "9", ["zoe": nil], claim: EventOrigin(by: .user("mia"), at: on(22, 10, 0)))),
    ]
  }

  private var mutes: [ListItem] {
    let (sam, loud) = (Mute.Key(by: "mia", of: .user("sam")), Mute.Key(by: "mia", of: .channel("loud")))
    return [
      .mute(Mute(key: sam, since: on(22, 9, 0), term: .endless), channelName: nil),
      .mute(Mute(key: loud, since: on(22, 9, 0), term: .endless), channelName: "Loud music"),
    ]
  }

  private var invitations: [ListItem] {
    [.invitation(ListItem.preview("choir", "Choir", invitedBy: "zoe"))]
  }

  private var publicChannels: [ListItem] {
    [
      .publicChannel(ListItem.preview("chess", "Chess on Fridays")),
      .publicChannel(ListItem.preview("garden", "Garden", isMember: true)),
    ]
  }

  private var saved: [ListItem] {
    let kept = message("10", by: "leo", "The key is under the third pot.")
    return [
      .saved(
        ListItem.saved("10", kept, note: "for the weekend", remindAt: on(28, 9, 0)), channelName: "Garden"),
      .saved(ListItem.saved("11", nil, note: nil, remindAt: nil), channelName: nil),
    ]
  }

  private var scheduled: [ListItem] {
    [
      .scheduled(ListItem.scheduled("12", "Happy birthday!", at: on(24, 0, 0)), channelName: "Garden"),
      .scheduled(
        ListItem.scheduled("13", "See you there.", at: on(21, 8, 0), failure: .text("the channel is frozen")),
        channelName: "Always on top"),
    ]
  }

  private func review(
    of id: Message.ID, _ reasons: KeyValuePairs<User.ID, UserText?>, claim: EventOrigin? = nil
  ) -> ReviewItem {
    let target = Flag.Target.message(Message.Key("general", id))
    let flags = reasons.map { Flag(key: Flag.Key(by: $0.key, on: target), reason: $0.value, raised: on(22, 9, 5)) }
    let review = Review(of: target, flagCount: UInt32(flags.count), opened: on(22, 9, 5), claim: claim)
    return ReviewItem(review: review, flags: flags)
  }

  private func channel(
    _ id: Channel.ID, _ name: UserText, _ newest: Message?, messages: Int, mentions: Int,
    _ change: (inout Member) -> Void = { _ in }
  ) -> ChannelItem {
    let channel = Channel(
      id: id, kind: "team", profile: Channel.Profile(name: name), config: ChannelConfig(), creator: .system,
      created: on(1, 0, 0), changed: on(1, 0, 0))
    var member = Member(
      key: Member.Key(id, "mia"), role: .member, joined: on(1, 0, 0), lastSent: nil, read: .zero, readAt: on(1, 0, 0),
      received: .zero)
    change(&member)
    return ChannelItem(
      channel: channel, member: member, newest: newest, unread: Unread(messages: messages, mentions: mentions),
      mute: nil,
      lastActivity: newest?.sent ?? on(1, 0, 0))
  }

  private func message(_ id: Message.ID, by author: User.ID, _ text: UserText) -> Message {
    said(id, by: author, at: on(22, 9, 0), text).message
  }

  private func draft(_ key: Draft.Key, _ text: UserText) -> DraftItem {
    DraftItem(
      key, Composition(TypedText(text)), parent: nil, created: on(22, 10, 0), updated: on(22, 10, 5),
      edit: Edit(at: on(22, 10, 5), on: nil))
  }
}
