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

  nonisolated init() {}

  /// Returns the tab with a name, at a place; one that is elsewhere is left.
  func tab(_ name: String, at place: ChatTab.Place, of app: StudioApp) async -> ChatTab {
    order.removeAll { $0 == name }
    order.append(name)
    if let tab = tabs[name] {
      if tab.place == place { return tab }
      await tab.leave()
      await tab.finish()
    }
    // Nothing is awaited before the new tab has the place of the old one: no action is handled between them.
    let handled = tabs[name]?.handled ?? 0
    let tab = ChatTab(place, name, of: app)
    tab.handled = handled
    tabs[name] = tab
    await removeUnused()
    return tab
  }

  /// Notices pages that are gone without a word.
  func ping() { for tab in tabs.values { tab.ping() } }

  /// Returns the tab with a name; nil when there is none.
  func tab(_ name: String) -> ChatTab? { tabs[name] }

  /// Handles actions in the tab with a name, wherever it is by then; nil when there is none.
  func handle(_ actions: [TabAction], in name: String) async -> ChatTab.Handled? { await tabs[name]?.handle(actions) }

  /// The users whose chat a page shows.
  var users: Set<User.ID> { Set(tabs.values.filter { !$0.isUnused }.map(\.place.user)) }

  /// Leaves all composers.
  func leave() async {
    for tab in tabs.values { await tab.leave() }
    tabs = [:]
  }

  private func removeUnused() async {
    for name in order where tabs.count > Self.countMax {
      guard let tab = tabs[name], tab.isUnused else { continue }
      tabs[name] = nil
      order.removeAll { $0 == name }
      await tab.leave()
    }
  }
}

extension StudioApp {
  /// Returns a stream of what a tab shows.
  func chatStream(_ request: WebRequest) async throws -> WebResponse {
    let name = try tabName(request.parameter("tab"))
    let place = ChatTab.Place(
      user: try user(of: request), channel: try request.required("channel"), thread: try request.value("thread"))
    let stream = WebStream()
    let tab = await tabs.tab(name, at: place, of: self)
    stream.onClose { Task { @MainActor in await tab.leave(stream) } }
    await tab.show(on: stream, boot: tabs.boot)
    return WebResponse(
      headers: [WebRequest.Field("Content-Type", "text/event-stream; charset=utf-8")], content: .stream(stream))
  }

  /// Performs numbered actions.
  func chatAct(_ request: WebRequest) async throws -> WebResponse {
    let sent = try Self.actions(request.body)
    let name = try tabName(sent.tab)
    let boot = tabs.boot
    guard sent.boot == boot, let result = await tabs.handle(sent.actions, in: name) else { return conflict(boot, 0) }
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
    await tabs.tab(try tabName(request.parameter("tab")))?.leave()
    return Self.response(status: 200) { _ in }
  }

  private func conflict(_ boot: String, _ handled: UInt64) -> WebResponse {
    Self.response(status: 409) { writer in
      writer.member("error", "The studio was restarted, or an action is missing.")
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

  /// Attaches a file to the composer of a tab.
  func chatAttach(_ request: WebRequest) async throws -> WebResponse {
    guard !isReadOnly else { throw Failure(.refused, "The studio is read-only: start it without --read-only.") }
    let name = try tabName(request.parameter("tab"))
    let file = String((request.parameter("name") ?? "file").split(separator: "/").last ?? "file")
    guard let composer = await tabs.tab(name)?.composer else {
      throw Failure(.refused, "The page is not connected: reload it.")
    }
    let id: Attachment.ID = workspace.newID()
    let type = request.body.pictureType
    let path = try temporary.path(of: id.text)
    do { try Data(request.body).write(to: URL(fileURLWithPath: path)) } catch {
      throw Failure(.unable, "\(path) cannot be written (\(error.localizedDescription)): free space there.")
    }
    let attachment = Attachment(
      id, type == nil ? .file : .image, at: .device(UserText(path)), title: UserText(file),
      mimeType: type.map { UserText($0) }, byteCount: UInt64(request.body.count))
    try await MainActor.run { try composer.perform(.attach(attachment)) }
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
