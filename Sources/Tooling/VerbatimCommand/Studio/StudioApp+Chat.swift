// The chat of the studio: tabs, their streams, and what is done in them.
internal import Chat
internal import ChatComposer
internal import ChatRendering
internal import Foundation
internal import JSONLines
internal import Verbatim
internal import VerbatimUI
internal import WebServer

/// The tabs of a studio by their names.
@MainActor
final class ChatTabs {
  /// The maximum number of tabs; the longest unused ones are left first.
  private static let countMax = 64

  /// The name of this process, by which pages notice a restart.
  nonisolated let boot = String(UInt64.random(in: 0 ... .max), radix: 36)
  private var tabs: [String: ChatTab] = [:]
  /// The tabs in the order of their last streams.
  private var order: [String] = []

  /// The last change of each tab that is being moved or left: the changes of one tab are made one after the other.
  private var turns: [String: Task<Void, Never>] = [:]
  /// The numbers of the last actions in tabs that were removed, whose pages may come back.
  private var removed: [String: UInt64] = [:]

  nonisolated init() {}

  /// Shows a place in the tab with a name on a stream; a tab that is elsewhere is left first.
  func show(_ name: String, at place: ChatTab.Place, on stream: WebStream, of app: StudioApp) async {
    await inTurn(name) { [self] in
      order.removeAll { $0 == name }
      order.append(name)
      await tab(name, at: place, of: app).show(on: stream, boot: boot)
    }
    await removeUnused()
  }

  private func tab(_ name: String, at place: ChatTab.Place, of app: StudioApp) async -> ChatTab {
    if let tab = tabs[name] {
      if tab.place == place { return tab }
      await tab.leave()
      await tab.finish()
    }
    // Nothing is awaited before the new tab has the place of the old one: no action is handled between them.
    let handled = tabs[name]?.handled ?? removed.removeValue(forKey: name) ?? 0
    let tab = ChatTab(place, name, of: app)
    tab.handled = handled
    tabs[name] = tab
    return tab
  }

  /// Notices pages that are gone without a word.
  func ping() { for tab in tabs.values { tab.ping() } }

  /// Returns the tab with a name; nil when there is none.
  func tab(_ name: String) -> ChatTab? { tabs[name] }

  /// Returns the composer of a channel or thread in the tab with a name; throws when the tab shows another one.
  func composer(in name: String, of channel: Channel.ID, thread: Message.ID?) throws(Failure) -> LiveComposer {
    guard let tab = tabs[name], let composer = tab.composer else {
      throw Failure(.refused, "The page is not connected: reload it.")
    }
    guard tab.place.channel == channel, tab.place.thread == thread else {
      throw Failure(
        .refused, "The file was not attached: the page had left \(channel) during the upload. Attach it there again.")
    }
    return composer
  }

  /// Handles actions of a page that shows a place; nil when the tab with a name shows another one, or there is none.
  func handle(_ actions: [TabAction], in name: String, at place: ChatTab.Place) async -> ChatTab.Handled? {
    guard let tab = tabs[name], tab.place.isSame(as: place) else { return nil }
    return await tab.handle(actions)
  }

  /// The users whose chat a page shows.
  var users: Set<User.ID> { Set(tabs.values.filter { !$0.isUnused }.map(\.place.user)) }

  /// Leaves the composer of the tab with a name, or does so only if the tab is shown on a stream.
  func leave(_ name: String, on stream: WebStream? = nil) async {
    await inTurn(name) { [self] in await tabs[name]?.leave(stream) }
  }

  /// Leaves all composers.
  func leave() async {
    for name in Set(tabs.keys).union(turns.keys) { await leave(name) }
    tabs = [:]
  }

  private func removeUnused() async {
    for name in order where tabs.count > Self.countMax && tabs[name]?.isUnused == true {
      await inTurn(name) { [self] in
        guard let tab = tabs[name], tab.isUnused else { return }
        (tabs[name], removed[name]) = (nil, tab.handled)
        order.removeAll { $0 == name }
        await tab.leave()
      }
    }
  }

  /// Changes a tab after the changes of it that were begun before.
  private func inTurn(_ name: String, _ change: @escaping @MainActor () async -> Void) async {
    let before = turns[name]
    let turn = Task { @MainActor in
      await before?.value
      await change()
    }
    turns[name] = turn
    await turn.value
    if turns[name] == turn { turns[name] = nil }
  }
}

extension StudioApp {
  /// Returns a stream of what a tab shows.
  func chatStream(_ request: WebRequest) async throws -> WebResponse {
    let name = try tabName(request.parameter("tab"))
    let place = try place(of: request)
    return try await respond(to: request) { stream in
      await tabs.show(name, at: place, on: stream, of: self)
      stream.onClose { [tabs] in Task { await tabs.leave(name, on: stream) } }
    }
  }

  private func place(of request: WebRequest) throws(Failure) -> ChatTab.Place {
    ChatTab.Place(
      user: try user(of: request), channel: try request.required("channel"), thread: try request.value("thread"),
      zone: request.zone)
  }

  /// Performs numbered actions in the place in which the page did them.
  func chatAct(_ request: WebRequest) async throws -> WebResponse {
    let sent = try Self.actions(request.body)
    let name = try tabName(sent.tab)
    let boot = tabs.boot
    let place = try place(of: request)
    guard sent.boot == boot, let result = await tabs.handle(sent.actions, in: name, at: place) else {
      return conflict(boot, 0)
    }
    let (handled, found, isWhole) = result
    if !isWhole { return conflict(boot, handled) }
    return Self.response(status: 200) { writer in
      writer.member("boot", boot)
      writer.member("handled", handled)
      writer.key("outcomes")
      writer.array { writer in for outcome in found { outcome.write(to: &writer) } }
    }
  }

  /// Leaves the composer of a page that is closed.
  func chatLeave(_ request: WebRequest) async throws -> WebResponse {
    await tabs.leave(try tabName(request.parameter("tab")))
    return Self.response(status: 200) { _ in }
  }

  private func conflict(_ boot: String, _ handled: UInt64) -> WebResponse {
    Self.response(status: 409) { writer in
      writer.member(
        "error", "The studio was restarted, the tab is not connected or shows another place, or an action is missing.")
      writer.member("boot", boot)
      writer.member("handled", handled)
    }
  }

  private static func actions(_ body: [UInt8]) throws(Failure) -> (tab: String?, boot: String, actions: [TabAction]) {
    do throws(InputDefect) {
      var reader = try ObjectReader(JSONParser.parse(body), what: "the body")
      let tab = try reader.text("tab")
      let boot = try reader.required("boot", reader.text("boot"))
      let values = try reader.required("actions", reader.array("actions"))
      try reader.finish()
      return (tab, boot, try values.map { json throws(InputDefect) in try TabAction(json: json) })
    } catch {
      throw Failure(.misused, error.description)
    }
  }

  private func tabName(_ name: String?) throws(Failure) -> String {
    let isPlain = name?.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) } ?? false
    guard let name, isPlain, name.utf8.count == 16 else {
      throw Failure(.misused, "The tab has no name of 16 small letters and digits: reload the page.")
    }
    return name
  }

  // MARK: Files

  /// Attaches a file to the composer of a tab, unless the tab shows another one by now.
  func chatAttach(_ request: WebRequest) async throws -> WebResponse {
    guard !isReadOnly else { throw Failure(.refused, "The studio is read-only: start it without --read-only.") }
    let name = try tabName(request.parameter("tab"))
    let file = String((request.parameter("name") ?? "file").split(separator: "/").last ?? "file")
    let composer = try await tabs.composer(
      in: name, of: try request.required("channel"), thread: try request.value("thread"))
    let id: Attachment.ID = workspace.newID()
    let type = request.body.pictureType
    let path = try temporary.path(of: id.text)
    do { try Data(request.body).write(to: URL(fileURLWithPath: path)) } catch {
      temporary.remove(id.text)
      throw Failure(.unable, "\(path) cannot be written (\(error.localizedDescription)): free space there.")
    }
    let attachment = Attachment(
      id, type == nil ? .file : .image, at: .device(UserText(path)), title: UserText(file),
      mimeType: type.map { UserText($0) }, byteCount: UInt64(request.body.count))
    do { try await MainActor.run { try composer.perform(.attach(attachment)) } } catch {
      temporary.remove(id.text)
      throw error
    }
    return Self.response(status: 200) { $0.member("id", id.text) }
  }

  /// Returns a file that was attached: as a picture if it is one, else as a download, never as a document.
  func blob(_ request: WebRequest) async throws -> WebResponse {
    guard let id = request.parameter("id").flatMap({ Blob.ID($0) }) else {
      throw Failure(.misused, "The parameter id is no id of a file.")
    }
    let bytes = try await workspace.blobs.read(id)
    let type = bytes.pictureType
    var headers = [WebRequest.Field("Content-Type", type ?? "application/octet-stream")]
    if type == nil { headers.append(WebRequest.Field("Content-Disposition", "attachment")) }
    return WebResponse(headers: headers, content: .bytes(bytes))
  }
}
