// Every kind of row on a page, and what can be done there.
import Chat
import ChatComposer
import ChatMessageList
import ChatRendering
import Foundation
import SeededRandom
import Testing

private let posting = PageFactory(actionURL: "/act")
private let reading = PageFactory()

struct `A list on a page` {
  @Test(arguments: [posting, reading, PageFactory(actionURL: "https://example.org/act", loadsPictures: true)])
  func `is whole, whatever is in it`(factory: PageFactory) {
    for piece in factory.drawEverything() { expectStrict(piece.markup) }
  }

  @Test(arguments: [posting, reading])
  func `tells each action once, and no other`(factory: PageFactory) {
    for piece in factory.drawEverything() {
      let told = expectStrict(piece.markup).actions.compactMap { SlotAction.id(ofPageID: $0) }
      #expect(told.sorted() == piece.actions.map(\.id).sorted())
      #expect(Set(told).count == told.count)
    }
  }

  @Test func `offers all that there is to do`() {
    let lists = everyList().map { posting.drawList($0) }
    let kinds = Set(lists.flatMap(\.actions).map { $0.id.prefix { $0 != ":" } }.map(String.init))
    let all = MessageAction.allCases.map(\.rawValue) + ["reaction", "vote", "jump", "open", "older", "newer"]
    #expect(kinds == Set(all))
    let composers = [posting.draw(everyComposer()), posting.draw(editingComposer())]
    #expect(
      Set(composers.flatMap(\.actions).map(\.id)) == [
        "composer:attachments", "composer:quote", "composer:command", "composer:attachment/photo",
        "composer:attachment/report", "composer:attachment/own", "composer:showsInChannel", "composer:send",
        "composer:files", "composer:ownHello <b>& all</b>", "suggestion:cy", "composer:edit",
      ])
    let items = [
      posting.makeChannelListItem(channelItem()), posting.makeThreadListItem(threadItem()),
      posting.makeDraftListItem(draft()),
    ]
    #expect(
      items.flatMap(\.actions).map(\.id) == [
        "channel:general", "open-thread:general/m0", "draft:ann/general/m0", "delete-draft:ann/general/m0",
      ])
    let others = posting.drawItemLists().values.flatMap(\.actions).map { $0.id.prefix { $0 != ":" } }
    #expect(
      Set(others) == [
        "open-message", "claim", "release", "resolve", "unmute-user", "unmute-channel", "join", "decline", "channel",
        "unsave", "cancel-scheduled", "unblock",
      ])
  }

  @Test func `carries the same actions whether or not they can be sent`() {
    for (there, here) in zip(posting.drawEverything(), reading.drawEverything()) {
      #expect(there.actions.map(\.id).sorted() == here.actions.map(\.id).sorted())
      #expect(!here.markup.contains("<button type=\"submit\"") && !here.markup.contains("<form"))
    }
  }

  @Test func `is whole with hostile words, names and ids in every place`() {
    var random = SeededRandom.printingSeed()
    for text in hostile + (0..<10).map({ _ in random.hostileText() }) {
      let layout = everyRow(saying: text, id: text)
      let all = MessageLayout(everyMessage(saying: text, id: text))
      for factory in [posting, reading] {
        expectStrict(factory.drawList(layout).markup)
        let read = expectStrict(factory.drawList(all).markup)
        #expect(read.all("li").count { $0.attributes["id"]?.hasPrefix("message-") ?? false } == 21)
        #expect(read.all("article").count == 20)
        expectStrict(factory.draw(everyComposer(saying: text)).markup)
        for list in factory.drawItemLists(UserText(text)).values { expectStrict(list.markup) }
      }
    }
  }

  @Test func `has a row for each row, in its order`() {
    for layout in everyList() {
      let read = expectStrict(posting.drawList(layout).markup)
      let drawn = read.all("li").compactMap { $0.attributes["id"] }
      #expect(drawn == layout.rows.map { posting.elementID(of: $0) })
    }
  }

  @Test func `is a log with articles that are named by who said them and when`() {
    let read = expectStrict(reading.drawList(MessageLayout(everyMessage(saying: "x"))).markup)
    #expect(read.all("section").map { $0.attributes["role"] } == ["log"])
    #expect(read.all("article").first?.attributes["aria-label"] == "Annx, 14:13")
    #expect(read.all("time").contains { $0.attributes["datetime"] == "2026-09-21T14:13:20Z" })
    #expect(read.all("time").contains { $0.attributes["datetime"] == "2026-09-21" })
  }

  @Test func `shows what was not read behind a mark to go to`() {
    let read = expectStrict(reading.drawList(everyList()[0]).markup)
    let row = read.all("li").first { $0.attributes["id"] == "unread" }
    #expect(row?.attributes["tabindex"] == "-1")
    #expect(row?.text == "4 unread messages")
    #expect(read.all("div").filter { $0.attributes["role"] == "separator" }.count == 3)
  }

  @Test func `gives the focus to the row to which it is scrolled`() {
    let layout = everyList()[0]
    let markup = reading.drawList(layout, viewport: Viewport(row: "m:m4", edge: .top)).markup
    let rows = expectStrict(markup).all("li").filter { $0.attributes["autofocus"] != nil }
    #expect(rows.map { $0.attributes["id"] } == ["message-m4"])
    #expect(rows.first?.attributes["data-viewport"] == "top")
  }
}

struct `A message on a page` {
  private func draw(
    _ factory: PageFactory = posting, options: LayoutOptions<Posted> = .verbatim,
    _ change: (inout Posted) -> Void = { _ in }
  ) -> StrictMarkup {
    expectStrict(factory.drawList(MessageLayout([Posted("a", at: 0, change)], options: options)).markup)
  }

  @Test func `is as wide and as round as its row says`() {
    var options = LayoutOptions<Posted>.verbatim
    #expect(draw().look("body")[0].attributes["style"] == "max-width:75%")
    #expect(draw().look("bubble")[0].attributes["style"] == "border-radius:8px")
    (options.geometry, options.cornerRadius) = (ListGeometry(width: 400, height: 600), 2.5)
    #expect(draw(options: options).look("body")[0].attributes["style"] == "max-width:300px")
    #expect(draw(options: options).look("bubble")[0].attributes["style"] == "border-radius:2.5px")
    options.maxWidth = { _ in .nan }
    #expect(draw(options: options).look("body")[0].attributes["style"] == nil)
  }

  @Test(arguments: [Double.nan, .infinity, -1e18, 1e18, -1e11, 3e11])
  func `is drawn whenever it claims to be sent`(seconds: Double) {
    let read = expectStrict(reading.drawList(MessageLayout([Posted("a", at: seconds)])).markup)
    #expect(read.all("article").count == 1)
  }

  @Test func `stands on the side of whoever said it`() {
    #expect(draw().look("leading").count == 1)
    #expect(draw { $0.by = "me" }.look("trailing").map { $0.attributes["class"] } == ["message own trailing single"])
  }

  @Test func `leads to what it quotes where that is in the list`() {
    let messages = [
      Posted("a b", at: 0), Posted("b", at: 1) { $0.quote = MessageQuote("a b", text: "Hello") },
      Posted("c", at: 2) { $0.quote = MessageQuote("elsewhere", text: "Hello") },
    ]
    let read = expectStrict(reading.drawList(MessageLayout(messages)).markup)
    #expect(read.all("blockquote").count == 2)
    let links = read.all("a").compactMap { $0.attributes["href"] }
    #expect(links == ["#message-a_20b"])
    #expect(read.elements.contains { $0.attributes["id"] == "message-a_20b" })
  }

  @Test func `says by words what is deleted, failed, edited and only for whoever looks`() {
    #expect(draw { $0.isDeleted = true }.text.contains("Message deleted"))
    let failed = draw { ($0.by, $0.delivery) = ("me", .failed(reason: "no network")) }
    #expect(failed.look("failed").map(\.text) == ["not sent: no network"])
    #expect(draw { $0.edited = Date(timeIntervalSince1970: 1) }.look("status").map(\.text) == ["edited"])
    #expect(draw { $0.isEphemeral = true }.look("status").map(\.text) == ["only you see this"])
  }

  @Test func `keeps its remarks wherever in its group it stands`() {
    let messages = (0..<3).map { index in Posted("\(index)", at: Double(index)) { $0.annotations = .pinned } }
    let read = expectStrict(reading.drawList(MessageLayout(messages)).markup)
    #expect(read.look("remark").count == 3)
    #expect(read.look("author").count == 1)
  }

  @Test func `tells reactions to those who hear it, and whose they are`() {
    let reactions = [MessageReaction("👍", count: 2, mine: true), MessageReaction("x", count: 1)]
    let read = draw { $0.reactions = reactions }
    let buttons = read.all("button").filter { $0.attributes["aria-pressed"] != nil }
    #expect(buttons.map { $0.attributes["aria-label"] } == ["👍, 2 people, you too", "x, 1 person"])
    #expect(buttons.map { $0.attributes["aria-pressed"] } == ["true", "false"])
    #expect(draw(reading) { $0.reactions = reactions }.look("spoken").map(\.text).contains("👍, 2 people, you too"))
  }

  @Test func `says sizes, spans, names and places as text for a terminal does`() {
    var context = RenderingContext()
    context.words.byteCount = { _ in "some bytes" }
    context.words.composer["placeholder.new"] = "Say it"
    context.words.reactions = ["x": "✗"]
    context.name = { _ in "Someone" }
    let tape = Chat.Attachment("a", .audio, byteCount: 1, duration: Microseconds(rawValue: 3_725_000_000))
    let page = PageFactory(context)
    let read = draw(page) {
      ($0.name, $0.reactions) = ("", [MessageReaction("x", count: 1)])
      ($0.attachments, $0.content) = ([tape], .file)
    }
    #expect(read.look("about").contains { $0.text == "1:02:05, some bytes" })
    #expect(read.look("author").map(\.text) == ["Someone"])
    #expect(read.look("reactions").contains { $0.text.contains("✗ 1") })
    let composer = expectStrict(page.draw(everyComposer(saying: "")).markup)
    #expect(composer.all("textarea").first?.attributes["placeholder"] == "Say it")
  }

  @Test func `tells of a draft in a thread that has no replies yet`() {
    #expect(draw { $0.thread = MessageThread(replyCount: 0, hasDraft: true) }.look("thread").map(\.text) == ["Draft"])
    #expect(draw { $0.thread = MessageThread(replyCount: 0) }.look("thread").isEmpty)
  }

  @Test func `has its menu behind a button that needs no script`() {
    let read = draw()
    #expect(read.all("details").count == 1)
    #expect(read.all("form").first?.attributes == ["class": "actions", "method": "post", "action": "/act"])
    #expect(draw(reading).all("details").isEmpty)
    #expect(draw(PageFactory(actionURL: "javascript:a")).all("details").isEmpty)
  }

  @Test func `loads pictures only where that is wanted`() {
    let pictures: [(inout Posted) -> Void] = [
      { $0.item = .image(ImageItem(url: "https://example.org/a.png", summary: "A hill")) },
      { ($0.attachments, $0.content) = ([.photo], .media([.image])) },
      { ($0.attachments, $0.content) = ([.gif], .giphy) },
    ]
    for picture in pictures {
      let links = draw(posting, picture)
      #expect(links.all("img").isEmpty)
      #expect(links.all("a").count == 1)
      let loaded = draw(PageFactory(loadsPictures: true), picture)
      #expect(loaded.all("a").count == 1)
      let image = loaded.all("img").first { $0.attributes["class"] == "picture" }
      #expect(image?.attributes["loading"] == "lazy")
    }
    #expect(draw(posting, pictures[0]).text.contains("A hill"))
    #expect(draw(posting, pictures[1]).look("about").contains { $0.text == "Picture, 1.2 MB" })
  }

  // What broke: a message could have ten summaries of 64 KB, which a page drew whole.
  @Test func `cuts long titles and summaries of attachments`() {
    let long = String(repeating: "é", count: 1_000)
    let cut = String(repeating: "é", count: 300) + " …"
    let words = UserText(long)
    let file = Chat.Attachment("f", .file, at: .url("https://example.org/f"), title: words, summary: words)
    let photo = Chat.Attachment("p", .image, at: .url("https://example.org/p.png"), summary: words)
    let image = ImageItem(url: "https://example.org/i.png", summary: long)
    for factory in [posting, reading, PageFactory(loadsPictures: true)] {
      let read = draw(factory) { ($0.attachments, $0.content) = ([file], .file) }
      #expect(read.look("title").map(\.text) == [cut] && read.look("summary").map(\.text) == [cut])
      let changes: [(inout Posted) -> Void] = [
        { ($0.attachments, $0.content) = ([photo], .media([.image])) }, { $0.item = .image(image) },
      ]
      for change in changes {
        let read = draw(factory, change)
        #expect(!read.text.contains(long) && !read.all("img").contains { $0.attributes["alt"] == long })
      }
    }
  }

  @Test(arguments: [posting, reading])
  func `shows a picture of the catalogue inline, with its title escaped`(factory: PageFactory) throws {
    let title: UserText = "a \"cat\" onload=\"b\" <i>"
    let read = draw(factory) {
      ($0.attachments, $0.content) = ([Attachment("g", .giphy, at: .url("gif:cat"), title: title)], .giphy)
    }
    let picture = try #require(GIFCatalogue.picture(at: "gif:cat"))
    let image = try #require(read.all("img").first { $0.attributes["class"] == "picture" })
    #expect(Set(image.attributes.keys) == ["class", "src", "alt"])
    #expect(image.attributes["alt"] == title.string)
    #expect(image.attributes["src"]?.svg == picture.svg)
    let still = try #require(read.all("source").first)
    #expect(Set(still.attributes.keys) == ["media", "srcset"])
    #expect(still.attributes["media"] == "(prefers-reduced-motion: reduce)")
    #expect(still.attributes["srcset"]?.svg == picture.still)
  }

  @Test func `shows no picture for another URL or another kind of attachment`() {
    let others = [
      Attachment("g", .giphy, at: .url("gif:none")), Attachment("g", .giphy, at: .url("gif:CAT")),
      Attachment("g", .giphy, at: .url("gif:")), Attachment("g", .giphy, at: .url("cat")),
      Attachment("g", .giphy, at: .device("gif:cat")), Attachment("g", .file, at: .url("gif:cat")),
      Attachment("g", .giphy, at: .url("data:image/svg+xml;base64,PHN2Zy8+")),
    ]
    for attachment in others {
      let read = draw { ($0.attachments, $0.content) = ([attachment], .giphy) }
      #expect(read.all("picture").isEmpty && !read.all("img").contains { $0.attributes["class"] == "picture" })
    }
  }

  @Test func `shows a picture of bytes, and words for bytes that are none`() {
    let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0xFF]
    let read = draw { $0.item = .image(ImageItem(data: png, url: "https://example.org/b", summary: "A hill")) }
    #expect(read.all("img").map { $0.attributes["src"] } == ["data:image/png;base64,iVBORw0KGgr/"])
    #expect(read.all("img").map { $0.attributes["alt"] } == ["A hill"])
    let none = draw { $0.item = .image(ImageItem(data: Array("<svg onload=a>".utf8), summary: "A hill")) }
    #expect(none.all("img").isEmpty && none.look("placeholder").map(\.text) == ["A hill"])
  }

  @Test func `keeps the placeholder below a picture that is being loaded`() {
    let messages = [
      Posted("i", at: 0) { $0.item = .image(ImageItem(url: "https://example.org/b.png", summary: "A hill")) },
      Posted("a", at: 1) { ($0.attachments, $0.content, $0.item) = ([.photo], .media([.image]), .text("")) },
    ]
    let view = MessagesView(messages, drawing: HTML.self).messageImagePlaceholder { HTML(text: "soon \($0.messageID)") }
    let read = expectStrict(PageFactory(loadsPictures: true).draw(MessageList(view)).markup)
    #expect(read.look("loadable").map(\.text) == ["soon i", "soon a"])
    #expect(read.look("picture").map { $0.attributes["alt"] } == ["A hill", "A hill"])
    #expect(read.elements.filter { $0.text.hasPrefix("soon") && $0.attributes["aria-hidden"] == "true" }.count == 2)
    let usual = expectStrict(PageFactory(loadsPictures: true).drawList(MessageLayout(messages)).markup)
    #expect(usual.look("loadable").map(\.text) == ["A hill"])
  }

  @Test func `has letters that can be read on its own color`() {
    let yellow = TextItem("a", background: MessageColor(red: 0xFF, green: 0xEE, blue: 0))
    let style = draw { $0.item = .styled(yellow) }.look("bubble")[0].attributes["style"]
    #expect(style == "border-radius:8px;background:#ffee00;color:#000")
    let blue = TextItem("a", background: MessageColor(red: 0, green: 0, blue: 0x80))
    #expect(draw { $0.item = .styled(blue) }.look("bubble")[0].attributes["style"]?.hasSuffix("color:#fff") ?? false)
  }
}

struct `A composer on a page` {
  @Test func `holds the text as it is`() {
    for text in ["\n\nHello </textarea>", " a\tb ", "שלום"] {
      let area = expectStrict(posting.draw(everyComposer(saying: text)).markup).all("textarea").first
      #expect(area?.text == "\n" + text)
      #expect(area?.attributes["placeholder"] == "Message")
      #expect(area?.attributes["readonly"] == nil)
      let shown = expectStrict(reading.draw(everyComposer(saying: text)).markup)
      #expect(shown.all("textarea").first?.attributes["readonly"] == "")
    }
  }

  @Test func `is one form, with buttons that cannot be tapped switched off`() {
    let read = expectStrict(posting.draw(editingComposer()).markup)
    #expect(read.all("form").count == 1)
    #expect(read.all("button").filter { $0.attributes["disabled"] != nil }.map(\.text) == [" Send"])
    #expect(read.look("cooldown").map(\.text) == ["3 s"])
    #expect(read.text.contains("Reply") && read.text.contains("Editing"))
  }
}

extension String {
  /// The SVG document of a data URL.
  fileprivate var svg: String? {
    let prefix = "data:image/svg+xml;base64,"
    guard hasPrefix(prefix), let bytes = Data(base64Encoded: String(dropFirst(prefix.count))) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }
}
