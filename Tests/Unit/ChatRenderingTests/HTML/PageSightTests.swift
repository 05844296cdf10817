// Pages as a browser shows them: light and dark, on a telephone and on a wide screen.
import Browser
import Chat
import ChatComposer
import ChatMessageList
import ChatRendering
import Foundation
import Testing

struct `A page in a browser` {
  let browser: Browser

  init() throws { browser = try .shared() }

  private func page(_ factory: PageFactory, _ parts: HTML...) -> String {
    factory.page(title: "A chat", .joined(parts))
  }

  @Test(arguments: Browser.Scheme.allCases, [360, 1200])
  func `has no problems, and fits`(scheme: Browser.Scheme, width: Int) throws {
    for factory in [PageFactory(), PageFactory(actionURL: "/act")] {
      let page = page(
        factory, factory.drawList(everyList()[0]), factory.draw(everyComposer()),
        factory.makeChannelListItem(channelItem()))
      let sight = try browser.look(at: page, width: width, scheme: scheme)
      #expect(sight.problems == [])
      #expect(sight.scrollWidth <= sight.clientWidth)
    }
  }

  @Test func `shows hostile words as words, each within its row`() throws {
    let texts =
      hostile + [String(repeating: "x", count: 100_000), "\u{202E}" + String(repeating: "y", count: 1000)]
    let messages = texts.enumerated().map { index, text in
      Posted("\(index)", by: index % 2 == 0 ? "ann" : "me", at: Double(index)) { message in
        (message.item, message.name) = (.text(text), String(text.prefix(500)))
      }
    }
    let sight = try browser.look(at: page(PageFactory(), PageFactory().drawList(MessageLayout(messages))), width: 360)
    #expect(sight.problems == [])
    #expect(sight.scrollWidth <= 360)
    #expect(try sight.evaluate("document.querySelectorAll('.bubble').length") == texts.count)
    let wide = "[...document.querySelectorAll('.body')].filter(b => b.offsetWidth > 0.76 * b.parentElement.offsetWidth)"
    #expect(try sight.evaluate(wide + ".length") == 0)
  }

  @Test func `shows every picture of the catalogue in its size, and without motion if preferred`() throws {
    let messages = GIFCatalogue.pictures.enumerated().map { index, picture in
      Posted("\(index)", at: Double(index)) { message in
        let gif = Attachment("g", .giphy, at: .url(picture.url), title: UserText(picture.name))
        (message.attachments, message.content, message.item) = ([gif], .giphy, .text(""))
      }
    }
    let sight = try browser.look(at: page(PageFactory(), PageFactory().drawList(MessageLayout(messages))))
    #expect(sight.problems == [])
    let sizes = "[...document.querySelectorAll('picture img')].map(i => i.naturalWidth + '×' + i.naturalHeight)"
    let expected = GIFCatalogue.names.map { _ in "320×240" }
    #expect(try sight.evaluate(sizes) == expected)
    // The browser chooses the source of a picture again, and does so later.
    let stands =
      "[...document.querySelectorAll('picture img')].every(i => !atob(i.currentSrc.split(',')[1]).match('<animate'))"
    #expect(try sight.evaluate(stands) == false)
    try sight.prefer(.light, reducedMotion: true)
    let waiting = "new Promise(done => { const look = () => \(stands) ? done(true) : setTimeout(look); look() })"
    #expect(try sight.evaluate(waiting) == true)
  }

  @Test func `shows a placeholder until its picture has loaded, and then the picture alone`() throws {
    let message = Posted("i", at: 0) { $0.item = .image(ImageItem(url: "https://example.invalid/b.png")) }
    let view = MessagesView([message], drawing: HTML.self).messageImagePlaceholder { _ in HTML(text: "soon") }
    let factory = PageFactory(loadsPictures: true)
    let sight = try browser.look(at: page(factory, factory.draw(MessageList(view))))
    // An image without an address is what it is before its first byte arrives.
    let above = """
      (() => {
        const spot = document.querySelector('.loadable > div').getBoundingClientRect()
        return document.elementFromPoint(spot.x + 8, spot.y + 8).className
      })()
      """
    let waiting = "document.querySelector('.picture').replaceWith(Object.assign(new Image(), {className: 'picture'}))"
    let before: String = try sight.evaluate("[\(waiting), \(above)][1]")
    #expect(before == "")
    let loaded = """
      new Promise(done => {
        const canvas = document.createElement('canvas')
        const image = document.querySelector('.picture')
        image.onload = () => done(\(above) + ' ' + image.closest('.loadable').offsetHeight)
        image.src = canvas.toDataURL()
      })
      """
    // A canvas is 150 points high.
    let after: String = try sight.evaluate(loaded)
    #expect(after == "picture 150")
  }

  @Test func `has one's own messages on the right, and others' on the left`() throws {
    let messages = [Posted("a", at: 0), Posted("b", by: "me", at: 1)]
    let sight = try browser.look(at: page(PageFactory(), PageFactory().drawList(MessageLayout(messages))))
    let places = "[...document.querySelectorAll('.bubble')].map(b => b.getBoundingClientRect().left > innerWidth / 2)"
    #expect(try sight.evaluate(places + ".join()") == "false,true")
  }

  @Test func `opens at the row to which the list is scrolled`() throws {
    let messages = (0..<200).map { Posted("\($0)", at: Double($0)) }
    let viewport = Viewport(row: "m:150", edge: .top)
    let list = PageFactory().drawList(MessageLayout(messages), viewport: viewport)
    let sight = try browser.look(at: page(PageFactory(), list))
    #expect(try sight.evaluate("document.activeElement.id") == "message-150")
    #expect(try sight.evaluate("scrollY > 0") == true)
  }

  @Test func `is walked through by keys, from the links that pass over the rest to what one can do`() throws {
    let factory = PageFactory(actionURL: "/act")
    let sight = try browser.look(at: page(factory, factory.drawList(MessageLayout([Posted("a", at: 0)]))))
    try sight.press(.tab)
    #expect(try sight.evaluate("document.activeElement.getAttribute('href')") == "#messages")
    #expect(try sight.evaluate("document.activeElement.getBoundingClientRect().left >= 0") == true)
    try sight.press(.tab)
    #expect(try sight.evaluate("document.activeElement.tagName") == "SUMMARY")
    #expect(try sight.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid")
    try sight.press(.enter)
    #expect(try sight.evaluate("document.querySelector('details').open") == true)
    try sight.press(.tab)
    #expect(try sight.evaluate("document.activeElement.value") == "reply:a")
  }

  @Test func `is told to those who hear it: a log of articles, separators, buttons with names`() throws {
    let factory = PageFactory(actionURL: "/act")
    let parts = try browser.look(at: page(factory, factory.drawList(everyList()[0]))).parts()
    #expect(parts.contains { $0.role == "log" && $0.name == "Messages" })
    #expect(parts.contains { $0.role == "article" && $0.name.hasSuffix(", 14:13") })
    #expect(parts.contains { ["splitter", "separator"].contains($0.role) && $0.name == "4 unread messages" })
    #expect(parts.filter { $0.role == "button" || $0.role == "link" }.allSatisfy { !$0.name.isEmpty })
  }

  @Test func `sends what is done as it is called`() throws {
    let factory = PageFactory(actionURL: "/act")
    let messages = hostile.enumerated().map { Posted("\($0)" + $1, at: Double($0)) }
    let list = factory.drawList(MessageLayout(messages))
    let sight = try browser.look(at: page(factory, list))
    let sent = "[...document.querySelectorAll('button[name=action]')].map(b => new FormData(b.form, b).get('action'))"
    let names: [String] = try sight.evaluate(sent)
    #expect(names.compactMap { SlotAction.id(ofPageID: $0) } == list.actions.map(\.id))
  }
}
