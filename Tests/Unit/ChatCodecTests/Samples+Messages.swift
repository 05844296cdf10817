// Samples of the events of messages, drafts, composers and apps.
import Chat
import ChatCodec

extension Sample {
  private static let key = Message.Key("general", "m1")

  static let messages: [Sample] = [
    Sample("messageSent/1-full", .message(key, .sent(Part.content)), by: user),
    Sample("messageSent/1-bare", .message(key, .sent(Message.Content()))),
    Sample("messageSent/1-system", .message(key, .sent(Message.Content("Ada joined", kind: .system)))),
    Sample("messageSent/1-ephemeral", .message(key, .sent(Message.Content("giphy", kind: .ephemeral))), by: user),
    Sample("messageSent/1-regular", .message(key, .sent(Message.Content("Hello", quoted: "m0"))), by: user),
    Sample(
      "messageEdited/1-full",
      .message(
        key,
        .edited(
          Message.Edits(
            text: "Hello", mentions: [Mention("ada", at: 0..<5)], attachments: [Part.picture], extra: Part.extra))),
      by: user),
    Sample(
      "messageEdited/1-emptied",
      .message(key, .edited(Message.Edits(text: "", mentions: [], attachments: [], extra: [:])))),
    Sample("messageEdited/1-bare", .message(key, .edited(Message.Edits()))),
    Sample("messageDeleted/1-full", .message(key, .deleted(forGood: true)), by: user),
    Sample("messageDeleted/1-bare", .message(key, .deleted(forGood: false)), by: user),
    Sample("messageRestored/1", .message(key, .restored), by: user),
    Sample("messagePinned/1-full", .message(key, .pinned(.until(Part.later))), by: user),
    Sample("messagePinned/1-bare", .message(key, .pinned(.endless)), by: user),
    Sample("messageUnpinned/1", .message(key, .unpinned), by: user),
    Sample("messageAcknowledged/1", .message(key, .acknowledged)),
    Sample("messageFailed/1", .message(key, .failed(reason: "too late"))),
    Sample("messageRetried/1", .message(key, .retried), by: user),
    Sample("messageFlagged/1-full", .flag(Flag.Key(by: "bob", on: .message(key)), .raised(reason: "rude"))),
    Sample("messageFlagged/1-bare", .flag(Flag.Key(by: "bob", on: .message(key)), .raised(reason: nil))),
    Sample("ephemeralSent/1", .message(key, .ephemeralSent), by: user),
    Sample("ephemeralShuffled/1", .message(key, .ephemeralShuffled([Attachment("a1", .giphy)])), by: user),
    Sample("ephemeralCancelled/1", .message(key, .ephemeralCancelled), by: user),
    Sample("reactionAdded/1", .reaction(Reaction.Key(to: key, by: "bob"), .added("like", score: 300))),
    Sample("reactionRemoved/1", .reaction(Reaction.Key(to: key, by: "bob"), .removed("like"))),
  ]

  static let drafts: [Sample] = {
    let (draft, reply) = (Draft.Key(by: "ada", in: "general"), Draft.Key(by: "ada", in: "general", thread: "m0"))
    let edit = Edit(at: Timestamp(rawValue: -1), on: "phone")
    let bare = Edit(at: Timestamp(rawValue: 0), on: nil)
    return [
      Sample("draftUpdated/1-full", .draft(reply, .updated(Part.composition, edit)), by: user),
      Sample("draftUpdated/2", .draft(reply, .updated(Part.failedComposition, edit)), by: user),
      Sample("draftUpdated/1-bare", .draft(draft, .updated(Composition(), bare))),
      Sample("draftDeleted/1", .draft(draft, .deleted(.discarded, edit)), by: user),
      Sample("draftSuperseded/1-full", .draft(reply, .superseded(Part.composition, edit)), by: user),
      Sample("draftSuperseded/2", .draft(reply, .superseded(Part.failedComposition, edit)), by: user),
      Sample("draftSuperseded/1-bare", .draft(draft, .superseded(nil, bare))),
    ]
  }()

  static let composers = composing + commanding

  /// The events of composers that are not in the frozen intent `composer/record-full`, which is older.
  static let laterComposers = [
    composer("Typed/1-pasted", .typed(Splice(2..<4, to: "ö👋"), .pasted)),
    composer("Replaced/1-undone", .replaced(Splice(1..<3, to: "ö"), mentions: [], selection: 2..<2, .undone)),
    composer(
      "ActionRefused/1",
      .actionRefused(
        RecordedFailure(
          "fileTooLarge", ["file": .text("notes.txt"), "byteCount": .integer(11), "max": .integer(10)]))),
  ]

  private static func composer(_ name: String, _ event: Composer.Event) -> Sample {
    let thread: Message.ID? = name.hasSuffix("-full") ? "m0" : nil
    let key = Composer.Key(of: "ada", on: "phone", in: "general", thread: thread)
    return Sample("composer\(name)", .composer(key, event), by: user)
  }

  private static let composing = [
    composer("Opened/1", .opened),
    composer("Filled/1-full", .filled(Part.composition, selection: 2..<5)),
    composer("Filled/1-bare", .filled(Composition(), selection: 0..<0)),
    composer("Filled/2", .filled(Part.failedComposition, selection: 2..<5)),
    composer("Typed/1-full", .typed(Splice(2..<4, to: "ö👋"))),
    composer("Typed/1-bare", .typed(Splice(0..<0, to: ""))),
    composer("MentionPicked/1-full", .mentionPicked("bob", Splice(3..<6, to: "@Bob "), length: 4)),
    composer("MentionPicked/1-bare", .mentionPicked("bob", Splice(0..<0, to: ""), length: 0)),
    composer(
      "Replaced/1-full", .replaced(Splice(0..<2, to: "@Bob"), mentions: [Mention("bob", at: 0..<4)], selection: 1..<3)),
    composer("Replaced/1-bare", .replaced(Splice(0..<0, to: ""), mentions: [], selection: 0..<0)),
    composer("SelectionMoved/1", .selectionMoved(7..<200)),
    composer("Attached/1", .attached(ComposedAttachment(Part.picture, .local))),
    composer("Attached/2", .attached(ComposedAttachment(Part.picture, .failed(Part.failure)))),
    composer("Detached/1", .detached("a1")),
    composer("AttachmentChanged/1", .attachmentChanged(Part.picture)),
    composer("UploadProgressed/1", .uploadProgressed("a1", permille: 999)),
    composer("UploadFinished/1", .uploadFinished("a1", url: "https://example.com/a.png")),
    composer("UploadFailed/1", .uploadFailed("a1", .text("offline"))),
    composer("UploadFailed/2", .uploadFailed("a1", Part.failure)),
    composer("UploadRetried/1", .uploadRetried("a1")),
    composer("PreviewDismissed/1", .previewDismissed(url: "https://example.com")),
    composer("Quoted/1", .quoted("m1")),
    composer("QuoteEnded/1", .quoteEnded),
    composer("EditBegan/1", .editBegan("m1", Composition("Hello"))),
    composer("EditBegan/2", .editBegan("m1", Part.failedComposition)),
    composer("EditEnded/1", .editEnded(.messageGone)),
    composer("Entered/1-full", .entered("poll", keeping: [.text, .command])),
    composer("Entered/1-bare", .entered(.new, keeping: [])),
    composer("PickerChanged/1-full", .pickerChanged(.expanded(.custom("stickers")))),
    composer("PickerChanged/1-bare", .pickerChanged(.expanded(.media))),
    composer("ShowsInChannelSet/1-full", .showsInChannelSet(true)),
    composer("ShowsInChannelSet/1-bare", .showsInChannelSet(false)),
    composer("SilentSet/1-full", .silentSet(true)),
    composer("SilentSet/1-bare", .silentSet(false)),
    composer("ExtraSet/1-full", .extraSet(Part.extra)),
    composer("ExtraSet/1-bare", .extraSet([:])),
  ]

  private static let commanding = [
    composer("CommandsShown/1-full", .commandsShown(true)),
    composer("CommandsShown/1-bare", .commandsShown(false)),
    composer(
      "CommandActivated/1-full", .commandActivated(ComposedCommand("ban", target: "bob"), Splice(0..<4, to: ""))),
    composer("CommandActivated/1-bare", .commandActivated(ComposedCommand("ban"), nil)),
    composer("CommandTargeted/1-full", .commandTargeted("bob")),
    composer("CommandTargeted/1-bare", .commandTargeted(nil)),
    composer("CommandCleared/1-full", .commandCleared(Splice(0..<0, to: "/ban"))),
    composer("CommandCleared/1-bare", .commandCleared(nil)),
    composer(
      "CommandStarted/1-full",
      .commandStarted(CommandExecution("e1", of: ComposedCommand("ban", target: "bob"), arguments: "for spam"))),
    composer(
      "CommandStarted/1-bare", .commandStarted(CommandExecution("e1", of: ComposedCommand("giphy"), arguments: ""))),
    composer("CommandExecuted/1", .commandExecuted("e1")),
    composer("CommandFailed/1", .commandFailed("e1", .text("not allowed"))),
    composer("CommandFailed/2-full", .commandFailed("e1", Part.failure)),
    composer("CommandFailed/2-bare", .commandFailed("e1", RecordedFailure("acme.offline"))),
    composer("CommandInterrupted/1", .commandInterrupted("e1")),
    composer("SendRefused/1", .sendRefused(RecordedFailure("coolingDown", ["reason": "Wait 30 s."]))),
    composer("SendRefused/2-full", .sendRefused(RecordedFailure("tooLong", ["count": 281, "max": 280]))),
    composer("SendRefused/2-bare", .sendRefused(RecordedFailure("empty"))),
    composer("Sent/1-full", .sent("m1", keeping: Composition("and"))),
    composer("Sent/1-bare", .sent("m1", keeping: nil)),
    composer("Sent/2", .sent("m1", keeping: Part.failedComposition)),
    composer("Cleared/1-full", .cleared(keeping: Composition("and"))),
    composer("Cleared/1-bare", .cleared(keeping: nil)),
    composer("Cleared/2", .cleared(keeping: Part.failedComposition)),
    composer("Left/1-full", .left(keepingContent: true)),
    composer("Left/1-bare", .left(keepingContent: false)),
    composer("Custom/1-full", .custom("sticker", payload: [0, 255])),
    composer("Custom/1-bare", .custom("sticker", payload: [])),
  ]

  static let consumers = [
    Sample("consumerBegan/1-full", .consumer("poll-bot", .began(after: 300))),
    Sample("consumerBegan/1-bare", .consumer("poll-bot", .began(after: 0)), by: user),
    Sample("consumerAdvanced/1", .consumer("poll-bot", .advanced(through: 301))),
    Sample("consumerSkipped/1", .consumer("poll-bot", .skipped(through: 302)), by: user),
    Sample("consumerEnded/1", .consumer("poll-bot", .ended)),
  ]

  static let apps = [
    Sample("app/1-user", .app(.user("ada"), AppEvent("poll.closed", payload: Array("{}".utf8)))),
    Sample(
      "app/2-channel", .app(.channel("general"), AppEvent("pollOpened", version: 2, payload: Array("{\"a\":1}".utf8))),
      by: user),
    Sample("app/3-own", .app(.app("poll-7"), AppEvent("voted", version: 3, payload: []))),
  ]
}
