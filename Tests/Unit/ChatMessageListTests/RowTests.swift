// Tests of the rows of messages.
import ChatMessageList
import Foundation
import Testing

struct Rows {
  private func row(_ message: Said, _ options: LayoutOptions<Said> = .bare) -> MessageRow {
    MessageLayout([message], options: options)[message.messageID]
  }

  // MARK: Polls

  @Test func `pressing an option replaces a single vote, adds to several votes, or retracts the vote`() {
    func options(_ own: String...) -> [MessagePoll.Option] {
      ["a", "b", "c"].map { MessagePoll.Option($0, $0, mine: own.contains($0)) }
    }
    #expect(MessagePoll(options("a")).votes(pressing: "b") == ["b"])
    #expect(MessagePoll(options("a"), votesMax: 2).votes(pressing: "b") == ["a", "b"])
    #expect(MessagePoll(options("a", "b"), votesMax: 2).votes(pressing: "a") == ["b"])
    #expect(MessagePoll(options("a")).votes(pressing: "a") == [])
  }

  // MARK: Names

  @Test func `a row id is derived from the client id if there is one, else from the message id`() {
    #expect(row(Said("a", at: 0)).id == "m:a")
    #expect(row(Said("a", at: 0) { $0.clientID = "c" }).id == "m:ann/c")
    #expect(row(Said("ann/c", at: 0)).id == "m:ann%2Fc")
    #expect(row(Said("ann%2Fc", at: 0)).id == "m:ann%252Fc")
    let both = [Said("ann/\u{301}c", at: 0), Said("a", at: 1) { $0.clientID = "\u{301}c" }]
    #expect(MessageLayout(both, options: .bare).messageCount == 2)
  }

  @Test func `acknowledgement changes no row id, whatever id the server assigns`() {
    let pending = Said("temporary", by: "me", at: 10) { ($0.clientID, $0.delivery) = ("c", .pending) }
    var layout = MessageLayout([Said("a", at: 0), pending], options: .bare)
    let diff = layout.apply(.put([Said("server-7", by: "me", at: 11) { ($0.clientID, $0.delivery) = ("c", .sent) }]))
    #expect(diff.updated.map(\.id) == ["m:me/c"])
    #expect(diff.inserted.isEmpty && diff.removed.isEmpty && diff.moved.isEmpty)
    #expect(layout.message("temporary") == nil && layout.message("server-7")?.delivery == .sent)
    #expect(layout.index(ofMessage: "server-7") == 1 && layout.messageCount == 2)
  }

  @Test func `of messages with one id the last is shown, and the duplicate id is reported`() {
    let layout = MessageLayout(
      [Said("a", at: 0) { $0.text = "first" }, Said("b", at: 1), Said("a", at: 2) { $0.text = "last" }], options: .bare)
    #expect(layout.ids == ["m:b", "m:a"])
    #expect(layout.message("a")?.text == "last")
    #expect(layout.duplicates == ["a"])
  }

  @Test func `of messages of one change with the same client id the last is shown`() {
    let both = ["x", "y"].map { id in Said(id, at: 0) { $0.clientID = "c" } }
    #expect(MessageLayout(both, options: .bare).rows.map(\.messageID) == ["y"])
    var known = MessageLayout([both[1]], options: .bare)
    #expect(known.apply(.put(both)).isEmpty && known.rows.map(\.messageID) == ["y"])
    var layout = MessageLayout([Said("z", at: 0)], options: .bare)
    layout.apply(.put(both))
    #expect(layout.rows.map(\.messageID) == ["y", "z"])
  }

  // MARK: Sides

  @Test func `own messages are trailing, others leading, and custom kinds centered`() {
    #expect(row(Said("a", at: 0)).side == .leading && !row(Said("a", at: 0)).isOwn)
    #expect(row(Said("a", by: "me", at: 0)).side == .trailing && row(Said("a", by: "me", at: 0)).isOwn)
    #expect(row(Said("a", by: "me", at: 0) { $0.isSystem = true }).side == .center)
    #expect(row(Said("a", by: "me", at: 0) { $0.customID = "map" }).side == .center)
    #expect(MessageLayout([Plain("a", at: 0, .right)], options: .alluja)["a"].isOwn)
  }

  // MARK: Content

  @Test func `content is derived from the kind`() {
    let kinds: [(Plain.KindOf, MessageContent)] = [
      (.text, .text), (.system, .text), (.image, .image), (.custom("map"), .custom("map")),
    ]
    for (kind, content) in kinds {
      #expect(MessageLayout([Plain("a", at: 0, .left, kind)], options: .alluja)["a"].content == content)
    }
  }

  @Test(arguments: [
    ("👍", 1), ("👍🏽 🎉", 2), ("👨‍👩‍👧‍👦🇩🇪❤️", 3), ("❤️ ", 1), ("1️⃣", 1),
  ])
  func `a few emoji alone are large`(text: String, count: Int) {
    #expect(row(Said("a", at: 0) { $0.text = text }).content == .jumboEmoji(count))
  }

  @Test(arguments: ["👍👍👍👍", "1", "12", "a👍", "👍!", "", "  ", "❤", "#"])
  func `any other text is not large`(text: String) {
    #expect(row(Said("a", at: 0) { $0.text = text }).content == .text)
  }

  @Test func `the maximum number of large emoji is an option`() {
    #expect(row(Said("a", at: 0) { $0.text = "👍👍👍👍" }, .bare.with { $0.jumboEmojiMax = 4 }).content == .jumboEmoji(4))
    #expect(row(Said("a", at: 0) { $0.text = "👍" }, .bare.with { $0.jumboEmojiMax = 0 }).content == .text)
  }

  @Test func `a deleted message keeps its row and shows no content`() {
    let deleted = row(
      Said("a", by: "me", at: 0) { said in
        said.isDeleted = true
        said.edited = Date(timeIntervalSince1970: 1)
        said.reactions = [MessageReaction("like", count: 2)]
        said.quote = MessageQuote("q")
        said.annotations = .pinned
        said.delivery = .sent
        said.thread = MessageThread(replyCount: 3)
      })
    #expect(deleted.content == .deletedPlaceholder && deleted.actions == [])
    #expect(deleted.edited && !deleted.showsEdited && deleted.reactions.isEmpty && deleted.quote == nil)
    #expect(deleted.annotations == [] && deleted.delivery == nil && deleted.thread?.replyCount == 3)
  }

  @Test func `an ephemeral message is marked and has no row actions`() {
    let ephemeral = row(Said("a", by: "me", at: 0) { $0.isEphemeral = true })
    #expect(ephemeral.content == .ephemeral && ephemeral.visibleOnlyToYou && ephemeral.actions == [])
  }

  @Test func `a kind without a renderer is a notice that names the kind`() {
    let options = LayoutOptions<Said>.bare.with { $0.customRenderers = ["poll"] }
    let notice = row(Said("a", at: 0) { $0.customID = "map" }, options)
    #expect(notice.kind == .notice && notice.content == .custom("map") && notice.messageID == "a")
    #expect(notice.actions == [])
    #expect(row(Said("a", at: 0) { $0.customID = "poll" }, options).kind == .message)
    let deleted = row(Said("a", at: 0) { ($0.customID, $0.isDeleted) = ("map", true) }, options)
    #expect(deleted.kind == .message && deleted.content == .deletedPlaceholder)
  }

  // MARK: What belongs to it

  @Test func `a row contains quote, thread, reactions and annotations`() {
    let ann = MessageSender(id: "ann", name: "Ann")
    let told = row(
      Said("a", at: 0) { said in
        said.quote = MessageQuote("q", by: ann, content: .image, text: "see", state: .deleted)
        said.thread = MessageThread(
          replyCount: 9, participants: ["1", "2", "3", "4"].map { MessageSender(id: $0, name: $0) }, unread: 2,
          hasDraft: true, alsoInChannel: true)
        said.reactions = [MessageReaction("love", count: 2, mine: true), MessageReaction("like", count: 1)]
        said.annotations = [.repliedToThread, .pinned]
        said.edited = Date(timeIntervalSince1970: 1)
      })
    #expect(told.quote?.target == "q" && told.quote?.author == "ann")
    #expect(told.quote?.content == .image && told.quote?.state == .deleted)
    #expect(told.thread?.replyCount == 9 && told.thread?.participants == ["1", "2", "3"])
    #expect(told.thread?.unread == 2 && told.thread?.hasDraft == true && told.thread?.alsoInChannel == true)
    #expect(told.reactions.map(\.key) == ["love", "like"] && told.reactions[0].mine)
    #expect(told.annotations.elements == [.pinned, .repliedToThread])
    #expect(told.edited && told.showsEdited)
  }

  @Test func `delivery is shown for own messages below the group, and at once while unsent`() {
    let said = [
      Said("a", by: "me", at: 0) { $0.delivery = .read(2) }, Said("b", by: "me", at: 1) { $0.delivery = .pending },
      Said("c", by: "me", at: 2) { $0.delivery = .failed(reason: "no") },
      Said("d", by: "me", at: 3) { $0.delivery = .sent }, Said("e", at: 4) { $0.delivery = .sent },
    ]
    let layout = MessageLayout(said, options: .bare)
    #expect(["a", "b", "c", "d", "e"].map { layout[$0].showsDelivery } == [false, true, true, true, false])
    #expect(layout["a"].delivery == .read(2) && layout["e"].delivery == nil)
  }

  // MARK: Actions

  @Test func `actions depend on the author and the delivery state`() {
    func actions(_ change: (inout Said) -> Void = { _ in }, by sender: String = "me") -> [MessageAction] {
      row(Said("a", by: sender, at: 0, change)).actions.elements
    }
    #expect(actions() == [.reply, .edit, .delete, .copy, .pin, .react, .thread])
    #expect(actions(by: "ann") == [.reply, .edit, .delete, .copy, .pin, .react, .thread, .flag, .mute])
    #expect(actions({ $0.actions = MessageActions(.reply, .mute, .retry) }, by: "ann") == [.reply, .mute])
    #expect(actions({ $0.actions = MessageActions(.reply, .mute) }) == [.reply])
    #expect(actions { $0.delivery = .failed(reason: "no") } == [.delete, .retry])
    #expect(actions { $0.delivery = .pending } == [.copy])
    #expect(actions { $0.isSystem = true } == [])
    #expect(actions { $0.customID = "map" } == [.reply, .edit, .delete, .pin, .react, .thread])
    #expect(MessageLayout([Plain("a", at: 0)], options: .alluja)["a"].actions.elements == [.copy])
    #expect(MessageLayout([Plain("a", at: 0, .left, .image)], options: .alluja)["a"].actions == [])
  }

  // MARK: Looks

  @Test func `width and corner radius follow from the options and the list's geometry`() {
    #expect(row(Said("a", at: 0)).maxWidth == 0.75 && row(Said("a", at: 0)).cornerRadius == 8)
    let options = LayoutOptions<Said>.bare.with { options in
      options.geometry = ListGeometry(width: 400, height: 300)
      options.maxWidth = { $0.width / 2 + $0.height }
      options.cornerRadius = 3
      options.showsTimestampsOnSwipe = true
    }
    let shown = row(Said("a", at: 0), options)
    #expect(shown.maxWidth == 500 && shown.cornerRadius == 3 && shown.swipeTimestamp)
    #expect(!row(Said("a", at: 0) { $0.isSystem = true }, options).swipeTimestamp)
  }

  // MARK: Muted authors

  @Test func `messages of muted authors are shown, collapsed or hidden, and separators follow`() {
    let said = [
      Said("a", at: 0), Said("b", by: "ben", at: 1), Said("c", by: "ben", at: 2), Said("d", at: 3),
      Said("e", by: "ben", at: day), Said("f", by: "ben", at: 2 * day), Said("g", at: 2 * day + 1),
    ]
    let muting = LayoutOptions<Said>.verbatim.with { options in
      options.showsConversationStart = false
      options.mutedAuthors = ["ben", "me"]
    }
    #expect(MessageLayout(said, options: muting).rows.filter(\.isBubble).count == 7)
    let mark = UnreadMark(from: MessageSortKey(said[5]), count: 2)
    let hiding = MessageLayout(said, options: muting.with { $0.mutedMessages = .hide }, unread: mark)
    #expect(hiding.ids == ["d:1970-01-01", "m:a", "m:d", "d:1970-01-03", "unread", "m:g"])
    #expect(hiding.positions == "fls")
    let collapsing = MessageLayout(said, options: muting.with { $0.mutedMessages = .collapse })
    #expect(
      collapsing.ids
        == ["d:1970-01-01", "m:a", "m:c", "m:d", "d:1970-01-02", "m:e", "d:1970-01-03", "m:f", "m:g"])
    #expect(collapsing.rows.filter { $0.kind == .notice }.map(\.count) == [2, 1, 1])
    #expect(collapsing.positions == "sss")
    #expect(collapsing["c"].date == said[2].timestamp)
    #expect(collapsing.index(ofMessage: "b") == nil && collapsing.index(ofMessage: "c") == 2)
    #expect(collapsing.message("b") == said[1] && hiding.index(ofMessage: "b") == nil)
    let unread = UnreadMark(from: MessageSortKey(said[1]), count: 2)
    let marked = MessageLayout(said, options: muting.with { $0.mutedMessages = .collapse }, unread: unread)
    #expect(marked.rows.filter(\.isFirstUnread).map(\.id) == ["m:c"] && marked["c"].count == 2)
    let within = UnreadMark(from: MessageSortKey(said[2]), count: 1)
    let cut = MessageLayout(said, options: muting.with { $0.mutedMessages = .collapse }, unread: within)
    #expect(Array(cut.ids[..<6]) == ["d:1970-01-01", "m:a", "m:b", "unread", "m:c", "m:d"])
    let own = MessageLayout([Said("x", by: "me", at: 0)], options: muting.with { $0.mutedMessages = .hide })
    #expect(own.rows.filter(\.isBubble).count == 1)
  }

  @Test func `the parent message of a thread is shown even if its author is muted`() {
    let options = LayoutOptions<Said>.bare.with { options in
      (options.threadParent, options.mutedAuthors, options.mutedMessages) = ("p", ["ben"], .hide)
    }
    let layout = MessageLayout([Said("p", by: "ben", at: 0), Said("r", by: "ben", at: 1)], options: options)
    #expect(layout.ids == ["m:p"])
  }
}
