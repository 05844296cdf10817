// The icon that a command, an item or a menu item names is drawn: without it, an app that changes an icon sees nothing.
import Chat
import ChatComposer
import ChatMessageList
import ChatRendering
import Foundation
import TerminalRendering
import Testing

struct `An icon` {
  /// A composer of a reply in a thread, with a command, its target, attachments of all kinds, and the media picker.
  private func slot(_ appear: (inout ComposerAppearance) -> Void = { _ in }) throws -> ComposerSlot {
    var options = ComposerOptions()
    appear(&options.appearance)
    let key = Composer.Key(of: "ada", on: "phone", in: "general", thread: "m0")
    var composing = ComposerReducer(Composer(key), options: options)
    let now = Timestamp(rawValue: 0)
    let kinds: [(Chat.Attachment.ID, Chat.Attachment.Kind)] = [
      ("i", .image), ("v", .video), ("a", .audio), ("f", .file), ("g", .giphy), ("l", .link),
    ]
    var acts: [Composer.Action] = kinds.map { .attach(Chat.Attachment($0, $1, at: .url("https://example.org/x"))) }
    acts += [.activate("mute"), .target("bo"), .quote("m1"), .showPicker(.expanded(.media))]
    for act in acts { _ = try composing.act(act, at: now) }
    return ComposerSlot(
      composing.presentation(at: now), composing.content, selection: composing.composer.selection,
      quoted: MessageQuote("m1", text: "What?"))
  }

  /// The paths of the icons on a page, in order.
  private func paths(_ html: HTML) -> [String] {
    let read = expectStrict(html.markup)
    #expect(read.look("icon").filter { $0.name == "svg" }.allSatisfy { $0.attributes["aria-hidden"] == "true" })
    return read.all("path").compactMap { $0.attributes["d"] }
  }

  private func path(_ name: String) -> String { Icon.all[name]?.path ?? "no icon of the name \(name)" }

  @Test func `of every item is on a page, before the label`() throws {
    let slot = try slot()
    let drawn = PageFactory(actionURL: "/act").draw(slot)
    let names = [
      "attachments", "quote", "mute", "user", "image", "video", "audio", "file", "giphy", "link", "unchecked", "send",
      "photosAndVideos", "files", "camera",
    ]
    let missing = names.filter { !paths(drawn).contains(path($0)) }
    #expect(missing == [])
    #expect(drawn.markup.contains(HTML(try #require(Icon.all["send"])).markup + " <span dir=\"auto\">Send</span>"))
  }

  @Test func `is known for every command of the package, and drawn in the list of commands`() {
    let commands: [any CommandHandler] = [
      GiphyCommandHandler(), MuteCommandHandler(), UnmuteCommandHandler(), BanCommandHandler(), UnbanCommandHandler(),
      FlagCommandHandler(),
    ]
    let suggestions = commands.map { handler in
      Suggestion(UserText(handler.id.text), title: "T", icon: handler.displayInfo?.icon, answer: .instantCommand("c"))
    }
    let list = SuggestionList(.instantCommands, query: "", range: 0..<0, items: suggestions)
    let names = commands.compactMap { $0.displayInfo?.icon.string }
    #expect(names.count == commands.count)
    #expect(paths(PageFactory().makeCommandsContainer(list)) == names.map(path))
  }

  @Test func `of an app replaces one of the package and adds others, in text and on a page`() throws {
    let slot = try slot {
      $0.change(.attachments) { $0.icon = "camera.fill" }
      $0.change(.send) { $0.icon = "🚀" }
    }
    var context = RenderingContext()
    #expect(paths(PageFactory(context).draw(slot)).contains(path("camera")))
    context.icons["camera"] = Icon("◉", path: "M0 0h1")
    context.icons["checked"] = Icon("*")
    let page = PageFactory(context).draw(slot)
    #expect(paths(page).contains("M0 0h1") && !paths(page).contains(path("camera")))
    #expect(page.markup.contains("<span aria-hidden=\"true\">🚀</span> <span dir=\"auto\">Send</span>"))
    let text = PlainTextFactory(columns: 80, context: context).draw(slot).text(hasColors: false)
    #expect(text.contains("[◉ Attach]") && text.contains("[🚀 Send]"))
  }

  @Test func `without a glyph is not in a terminal, and one that nobody knows is nowhere`() throws {
    let slot = try slot { $0.change(.attachments) { $0.icon = "unheard-of" } }
    let text = PlainTextFactory(columns: 80).draw(slot).text(hasColors: false)
    #expect(text.contains("[Attach]") && text.contains("[Send]") && !text.contains("unheard"))
    let page = PageFactory().draw(slot)
    #expect(!page.markup.contains("unheard") && page.markup.contains("Attach"))
    #expect(Icon.all.values.allSatisfy { ($0.glyph?.count ?? 1) == 1 })
    let context = RenderingContext()
    #expect(context.icon("") == nil && context.icon(nil) == nil && context.icon("..") == nil)
    #expect(context.icon("quote.gone") == Icon.all["quote"])
  }

  @Test func `of an app is escaped, whatever its path contains`() {
    let html = HTML(Icon(path: "\"><script>alert(1)</script>"))
    #expect(expectStrict(html.markup).all("script").isEmpty)
  }

  @Test func `of a suggested user is the picture, if pictures are loaded, and never an icon of the package`() {
    func drawn(_ image: UserText, loading: Bool) -> HTML {
      let user = Suggestion("bo", title: "Bo", icon: image, answer: .chatUser("bo", name: "Bo"))
      return PageFactory(loadsPictures: loading).makeUserSuggestion(user)
    }
    let address = "https://example.org/bo.png"
    let shown = expectStrict(drawn(UserText(address), loading: true).markup).all("img")
    #expect(shown.map { $0.attributes["src"] } == [address])
    #expect(!drawn(UserText(address), loading: false).markup.contains("example.org"))
    #expect(!drawn("ban", loading: false).markup.contains("svg"))
    let text = PlainTextFactory(columns: 40).makeUserSuggestion(
      Suggestion("bo", title: "Bo", icon: "✎", answer: .chatUser("bo", name: "Bo")))
    #expect(!text.text(hasColors: false).contains("✎"))
  }
}
