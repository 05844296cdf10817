// What one browser tab shows of the chat, and what its user does there.
internal import Chat
internal import ChatComposer
internal import ChatMessageList
internal import ChatProjections
internal import ChatRendering
internal import Foundation
internal import JSONLines
internal import Observation
internal import Projections
internal import Verbatim
internal import VerbatimUI
internal import WebServer

/// The part of the chat that a tab shows: the user's channels, the messages of one channel or thread, and its composer.
///
/// Each tab is a device of its own, so that two windows of a user have two composers, and the draft continues in both.
@MainActor
final class ChatTab {
  /// The place in the chat that a tab shows.
  struct Place: Hashable, Sendable {
    let user: User.ID
    let channel: Channel.ID
    let thread: Message.ID?
    /// The time zone of the page.
    var zone = TimeZone.current

    /// Returns whether another place has the same user, channel and thread, in any time zone.
    func isSame(as other: Place) -> Bool {
      (user, channel, thread) == (other.user, other.channel, other.thread)
    }

    /// The calendar of days and times.
    fileprivate var calendar: Calendar {
      var calendar = Calendar.gregorianInUTC
      calendar.timeZone = zone
      return calendar
    }
  }

  let place: Place
  /// The number of the last action that was handled.
  var handled: UInt64
  let client: Client
  let model: MessageListModel
  let side: SideList
  private(set) var composer: LiveComposer?
  let isReadOnly: Bool
  /// The actions of earlier requests, in progress.
  var working: Task<Void, Never>?
  private let words: RenderingWords
  /// The app's options of composers: its slash commands, suggestions and link previews.
  private let options: ComposerOptions
  private var names: [String: String] = [:] { didSet { if names != oldValue { drawnRows = [:] } } }
  /// The drawn rows by their ids; a row is drawn again when something that it shows has changed.
  private var drawnRows: [String: DrawnItem] = [:]
  /// The drawn actions by their ids, of each part.
  private var actions: [Part: [String: SlotAction]] = [:]
  private var stream: WebStream?
  /// Whether the page on the stream was begun: its actions are performed only then.
  private(set) var isBegun = false
  /// The text as the page has it, which is behind when a composer changes its text by itself.
  var page = PageText()
  /// The edit, with its text, that ended when the connection of the page was lost.
  private var lostEdit: (message: Message.ID, text: String)?
  /// The markup of the rows that the stream has.
  private var sentRows: [String: String] = [:]
  private var stale: Set<Part> = []
  /// Whether the messages could not be read or seen when they were last drawn.
  private var hasFailed = false

  /// A part of the page, which is sent when it changes.
  private enum Part: CaseIterable { case side, rows, composer }

  init(_ place: Place, _ name: String, of app: StudioApp) {
    (self.place, isReadOnly, handled) = (place, app.isReadOnly, 0)
    words = app.context.words
    var options = app.context.composer
    options.uploads = StudioUploads(
      provider: options.uploads ?? BlobUploads(app.workspace.blobs), temporary: app.temporary)
    self.options = options
    client = app.workspace.client(user: place.user, device: Device.ID(rawValue: name))
    var layout = LayoutOptions<ChatMessage>.verbatim
    layout.calendar = place.calendar
    model = MessageListModel(of: client.channel(place.channel), thread: place.thread, options: layout)
    side = SideList(of: client, in: place.channel)
  }

  // MARK: The stream

  /// Sends everything to a new stream, and then what changes.
  func show(on stream: WebStream, boot: String) async {
    self.stream?.finish()
    (self.stream, isBegun) = (stream, false)
    sentRows = [:]
    await openComposer()
    await readNames()
    // The page sends its actions from here on, which need the composer.
    isBegun = !isUnused
    send("begin") { [handled, isReadOnly] writer in
      writer.member("boot", boot)
      writer.member("handled", handled)
      writer.key("isReadOnly")
      writer.bool(isReadOnly)
    }
    for part in Part.allCases { draw(part) }
  }

  /// Leaves the composer, whose content is kept; if a stream is given, only while the tab is shown on it.
  func leave(_ shown: WebStream? = nil) async {
    if let shown, shown !== stream { return }
    stream?.finish()
    (stream, isBegun) = (nil, false)
    // A page whose connection was lost still shows the edit that ends here.
    if shown == nil { lostEdit = nil }
    guard let composer else { return }
    if shown != nil { lostEdit = composer.composer.editing.map { ($0, composer.text) } }
    self.composer = nil
    await leave(composer)
  }

  private func leave(_ composer: LiveComposer) async {
    try? await composer.leave()
    try? await composer.flush()
  }

  /// Whether no page shows it.
  var isUnused: Bool { stream == nil }

  /// Sends a comment, by which a page that is gone is noticed.
  func ping() { stream?.send(Array(": \n\n".utf8)) }

  private func openComposer() async {
    if isReadOnly || composer?.stopped == nil && composer != nil { return }
    do {
      let opened = try await model.controller.composer(thread: place.thread, options: options)
      // The tab may have been left meanwhile.
      if isUnused { return await leave(opened) }
      composer = opened
      if let lostEdit {
        self.lostEdit = nil
        try await resume(lostEdit.message, in: opened)
        try opened.perform(.setText(lostEdit.text))
      }
    } catch {
      fail("\(error)")
    }
  }

  /// Begins an edit that the page still shows, or ends one that it does not show.
  func resume(_ message: Message.ID?, in composer: LiveComposer) async throws {
    if composer.composer.editing == message { return }
    guard let message else { return try composer.perform(.cancelEdit) }
    try composer.perform(.beginEdit(try await model.controller.message(message)))
  }

  private func readNames() async {
    let known = await client.workspace.offThread { workspace in
      try? workspace.projections.read { reading throws(ProjectionError) in
        var names: [String: String] = [:]
        try reading.forEachRow(of: ChatState.users) { (_, user: User) in
          names[user.id.text] = user.profile.name.string
          return names.count < 10_000
        }
        return names
      }
    }
    names = known ?? names
  }

  private func fail(_ sentence: String) { send("failure") { $0.member("error", sentence) } }

  private func send(_ event: String, _ members: (inout JSONWriter) -> Void) {
    var writer = JSONWriter()
    writer.object(members)
    stream?.send(Array("event: \(event)\ndata: \(writer.text)\n\n".utf8))
  }

  // MARK: Drawing

  private var factory: StudioFactory {
    var context = RenderingContext()
    (context.words, context.calendar) = (words, place.calendar)
    let names = names
    context.name = { names[$0] ?? $0 }
    return StudioFactory(context: context)
  }

  /// Draws a part, and again when something that it shows has changed.
  private func draw(_ part: Part) {
    stale.remove(part)
    guard stream != nil else { return }
    withObservationTracking {
      switch part {
      case .side: drawSide()
      case .rows: drawRows()
      case .composer: drawComposer()
      }
    } onChange: { [weak self] in
      Task { @MainActor in self?.redraw(part) }
    }
  }

  /// Sends the composer, with the number of the last action.
  func redrawComposer() { redraw(.composer) }

  private func redraw(_ part: Part) {
    // Several changes can have been seen since.
    if stale.insert(part).inserted {
      Task { @MainActor [weak self, stream] in
        await stream?.waitForRoom()
        self?.draw(part)
      }
    }
  }

  private func drawSide() {
    if side.people.contains(where: { names[$0.text] == nil }) { learnNames() }
    let drawn = side.draw(with: factory)
    keep(drawn.actions, of: .side)
    send("side") { $0.member("markup", drawn.studioMarkup) }
  }

  /// Sends the reason why the messages are not up to date, and when they are again, opens a composer that is missing.
  private func drawFailure() {
    let failure = model.failure
    if case .refused(let refusal)? = failure { fail(refusal.description) }
    let lost = if case .projections(let error)? = failure { error.description } else { "" }
    if failure != nil || hasFailed { send("lost") { $0.member("error", lost) } }
    if failure == nil, hasFailed, composer == nil {
      Task { @MainActor in
        await openComposer()
        draw(.composer)
      }
    }
    hasFailed = failure != nil
  }

  private func drawRows() {
    drawFailure()
    let (layout, factory) = (model.layout, factory)
    var (drawn, actions): ([(id: String, markup: String)], [SlotAction]) = ([], [])
    var items: [String: DrawnItem] = [:]
    for row in layout.rows {
      let shown = DrawnItem.Shown(row, in: layout)
      var item = drawnRows[row.id]
      if item?.shown != shown {
        let html = factory.row(DrawnRow(row: row, output: factory.draw(row, of: layout)))
        item = DrawnItem(shown: shown, markup: html.studioMarkup, actions: html.actions)
      }
      guard let item else { continue }
      items[row.id] = item
      actions += item.actions
      drawn.append((factory.elementID(of: row), item.markup))
    }
    drawnRows = items
    keep(actions, of: .rows)
    let isEmpty = layout.messageCount == 0 && model.isLoaded
    let (known, title) = (sentRows, model.channel.map { factory.context.title(of: $0) } ?? place.channel.text)
    let (newest, typing) = (newestMessage?.text, model.typing.map { factory.context.name(of: $0) })
    // The newest rows come first: the page inserts the others above them.
    let (changed, areAll) = Self.part(of: drawn.reversed().filter { known[$0.id] != $0.markup })
    send("rows") { writer in
      writer.key("rows")
      writer.array { writer in
        for row in drawn {
          writer.object { writer in
            writer.member("id", row.id)
            if let markup = changed[row.id] { writer.member("markup", markup) }
          }
        }
      }
      writer.member("empty", isEmpty ? factory.makeEmptyList().studioMarkup : "")
      writer.key("isNewest")
      writer.bool(!layout.hasNewer)
      writer.member("title", title)
      writer.member("newest", newest)
      writer.member("typing", typing.isEmpty ? "" : factory.context.words.typing(typing))
    }
    sentRows = Dictionary(drawn.compactMap { row in (changed[row.id] ?? known[row.id]).map { (row.id, $0) } }) { $1 }
    if !areAll { redraw(.rows) }
  }

  /// Returns the markup of as many rows as one event has, by their ids, and whether these are all.
  private static func part(of rows: [(id: String, markup: String)]) -> (markup: [String: String], areAll: Bool) {
    var (part, byteCount) = ([String: String](), 0)
    for row in rows {
      if byteCount >= rowsByteCountMax { return (part, false) }
      part[row.id] = row.markup
      byteCount += row.markup.utf8.count
    }
    return (part, true)
  }

  /// The size of an event's rows from which on the others are left to the next one, in bytes.
  private static let rowsByteCountMax = 256 << 10

  /// The message that was sent last, of those in the list; a message can be above earlier ones after the clock was set
  /// back.
  var newestMessage: Message.ID? {
    let shown = model.layout.rows.compactMap { row in row.messageID.flatMap { model.layout.message($0) } }
    return shown.max { $0.message.number < $1.message.number }?.message.key.id
  }

  private func drawComposer() {
    guard let composer else { return }
    let drawn = factory.draw(composer)
    keep(drawn.actions, of: .composer)
    let text = FieldText(composer.text)
    let selection = composer.composer.selection
    let (start, end) = (selection.lowerBound.rawValue, selection.upperBound.rawValue)
    let version = page.sent(text.string)
    send("composer") { [handled] writer in
      writer.member("version", version)
      writer.member("markup", drawn.studioMarkup)
      writer.member("text", text.string)
      writer.member("selection", UInt64(text.fieldOffset(of: start)), UInt64(text.fieldOffset(of: end)))
      writer.member("editing", composer.composer.editing?.text)
      writer.member("handled", handled)
      writer.key("canSend")
      writer.bool(composer.canSend)
    }
    if let stopped = composer.stopped { fail(factory.context.words(for: stopped)) }
  }

  private func keep(_ drawn: [SlotAction], of part: Part) {
    actions[part] = Dictionary(drawn.map { ($0.id, $0) }) { $1 }
  }

  private func learnNames() {
    Task { @MainActor in
      let before = names
      await readNames()
      if names != before { draw(.side) }
    }
  }

  /// Returns the drawn action of a button's value, and whether it belongs to the list beside the messages.
  func action(_ value: String) -> (action: SlotAction, isOfSide: Bool)? {
    guard let id = SlotAction.id(ofPageID: value) else { return nil }
    for (part, drawn) in actions { if let action = drawn[id] { return (action, part == .side) } }
    return nil
  }
}

/// A drawn row, with the values that it was drawn from.
private struct DrawnItem {
  /// The values that determine how a row is drawn.
  struct Shown: Equatable {
    private let row: MessageRow
    private let message: ChatMessage?
    private let isInSection: Bool
    private let hasQuoteInList: Bool

    init(_ row: MessageRow, in layout: MessageLayout<ChatMessage>) {
      self.row = row
      message = row.messageID.flatMap { layout.message($0) }
      isInSection = layout.isInSection(row)
      hasQuoteInList = row.quote.flatMap { layout.index(ofMessage: $0.target) } != nil
    }
  }

  let shown: Shown
  let markup: String
  let actions: [SlotAction]
}
