// A channel at a position of the log, and the way to other positions.
internal import Chat
internal import ChatMessageList
internal import ChatProjections
internal import ChatRendering
internal import ChatReplay
internal import EventLog
internal import Foundation
internal import JSONLines
internal import Projections
internal import Studio
internal import Tables
internal import Verbatim
internal import VerbatimUI
internal import WebServer

extension StudioApp {
  private static let bucketsMax = 2_000

  // MARK: The timeline

  func timeline(_ request: WebRequest) throws -> StudioAnswer {
    guard let axis = Timeline.Axis(rawValue: request.parameter("axis") ?? "position"),
      let grouping = Timeline.Grouping(rawValue: request.parameter("by") ?? "kind")
    else { throw Failure(.misused, "The timeline is by position or clock, of each kind or person: give one of them.") }
    let count = min(Self.bucketsMax, max(1, try request.value("buckets") ?? 500))
    // Who wrote how much is for operators.
    let timeline = outline.timeline(axis, by: viewer == nil ? grouping : .kind, buckets: count)
    let (head, read) = (try workspace.head(), outline.end)
    return { writer in
      writer.object { writer in
        writer.member("series", JSON(of: timeline.series))
        writer.key("buckets")
        writer.array { writer in
          for bucket in timeline.buckets {
            writer.object { writer in
              writer.member("first", bucket.first.rawValue)
              writer.member("from", bucket.from.description)
              writer.key("counts")
              writer.array { writer in for count in bucket.counts { writer.integer(count) } }
              if let gap = bucket.gap {
                writer.key("gap")
                writer.number(Double(gap.rawValue) / 1_000_000)
              }
            }
          }
        }
        writer.member("head", head.rawValue)
        writer.key("isComplete")
        writer.bool(read >= head)
        writer.key("progress")
        writer.number(head == .zero ? 1 : Double(read.rawValue) / Double(head.rawValue))
      }
    }
  }

  // MARK: The past

  func past(_ request: WebRequest) async throws -> StudioAnswer {
    let position = try request.position()
    let scene = PastScene(
      position: position, user: try user(of: request), channel: try request.required("channel"),
      thread: try request.value("thread"), zone: request.zone)
    let neighbors = try await blocking { try $0.neighbors(of: position) }
    let event = neighbors.event
    let isOperator = viewer == nil
    let shown: (DrawnScene, [ExplainedChange]) = try await pasts.read(at: position) { past in
      let view = try await self.view(of: scene, in: past, at: event?.recorded)
      let changes = isOperator ? try await past.changesOfEvent() : []
      return (view, changes)
    }
    let (view, changes) = shown
    return { writer in
      writer.object { writer in
        writer.member("position", position.rawValue)
        writer.member("recorded", event?.recorded.description)
        writer.member("previous", neighbors.previous?.description)
        writer.member("next", neighbors.next?.description)
        writer.key("event")
        if let event, isOperator { writer.object { EventRow(event).write(to: &$0) } } else { writer.null() }
        writer.member("list", view.list)
        writer.member("composers", view.composers)
        writer.member("channels", view.channels)
        writer.member("refusal", view.refusal)
        writer.key("changes")
        writer.array { writer in for change in changes { writer.change(change) } }
      }
    }
  }

  /// Returns the user whose view a request asks for: the viewer, if the studio has one.
  func user(of request: WebRequest) throws(Failure) -> User.ID {
    guard let viewer else { return try request.required("user") }
    let user: User.ID? = try request.value("user")
    if let user, user != viewer {
      throw Failure(.refused, "Only what \(viewer) may see is shown: start the studio without --as.")
    }
    return viewer
  }

  /// The event at a position, and the times of those before and after it.
  private func neighbors(
    of position: Position
  ) throws -> (event: RecordedEvent?, previous: Timestamp?, next: Timestamp?) {
    let head = try workspace.head()
    guard position <= head else {
      throw Failure(.misused, "The log ends at position \(head), before \(position): give a position that it has.")
    }
    let first = Position(rawValue: max(1, position.rawValue) - 1)
    let events = try asked { () throws(LogError) in
      try workspace.store.events(from: max(.first, first), limit: 3)
    }
    func recorded(_ position: UInt64) -> Timestamp? { events.first { $0.position.rawValue == position }?.recorded }
    let number = position.rawValue
    return (events.first { $0.position == position }, number > 0 ? recorded(number - 1) : nil, recorded(number + 1))
  }

  private func view(
    of scene: PastScene, in past: PastWorkspace, at recorded: Timestamp?
  ) async throws -> DrawnScene {
    let (rules, words) = (workspace.configuration.rules, context.words)
    let instant = recorded ?? Timestamp(rawValue: 0)
    do {
      if viewer != nil {
        return try await past.read(as: scene.user, at: recorded) { reading in
          let own = try reading.composers(in: scene.channel)
          return try scene.drawn(reading, own, words)
        }
      }
      let writers = outline.writers(in: scene.channel.text).compactMap { User.ID(rawValue: $0) }
      return try await past.read { reading in
        let user = try ClientReading(reading.chat, for: scene.user, under: rules, at: instant)
        var composers: [Composer] = []
        for writer in writers { composers += try reading.chat.composers(of: writer, in: scene.channel) }
        return try scene.drawn(user, composers, words)
      }
    } catch ReadError.refused(let refusal) {
      return DrawnScene(refusal: refusal.description)
    }
  }

  // MARK: Steps

  /// The position of a step; nil if there is none, and the part of the log that was searched if there may be one.
  private struct StepTarget: Sendable {
    var position: Position?
    var progress: Double?
  }

  func step(_ request: WebRequest) async throws -> StudioAnswer {
    let position = try request.position()
    let direction: Direction = request.parameter("direction") == "-1" ? .backward : .forward
    let step: StepTarget
    switch request.parameter("by") {
    case "event":
      // A filter would disclose the events of others to a user.
      let criteria = viewer == nil ? try criteria(of: request) : EventCriteria()
      step = try await blocking { app in
        if criteria == EventCriteria() { return StepTarget(position: try app.moved(position, direction)) }
        return try app.neighbor(of: position, in: criteria, direction)
      }
    case "block": step = StepTarget(position: try await blocking { try $0.blockEnd(from: position, direction) })
    case "message":
      let channel: Channel.ID? = try viewer == nil ? request.value("channel") : request.required("channel")
      if let viewer, let channel {
        _ = try await workspace.client(user: viewer).read { reading in try reading.channel(channel) }
      }
      var criteria = EventCriteria()
      criteria.types = ["messageSent"]
      criteria.channels = channel.map { [$0.text] } ?? []
      let wanted = criteria
      step = try await blocking { try $0.neighbor(of: position, in: wanted, direction) }
    case "revision":
      let channel: Channel.ID = try request.required("channel")
      let positions = try await positions(ofMessage: Message.Key(channel, try request.required("message")))
      step = StepTarget(
        position: direction == .forward ? positions.first { $0 > position } : positions.last { $0 < position })
    default: throw Failure(.misused, "A step is by event, block, message or revision: give one of them.")
    }
    let found = step
    return { writer in
      writer.object { writer in
        writer.key("position")
        if let target = found.position { writer.integer(target.rawValue) } else { writer.null() }
        if let progress = found.progress {
          writer.key("progress")
          writer.number(progress)
        }
      }
    }
  }

  private func moved(_ position: Position, _ direction: Direction) throws -> Position? {
    if direction == .backward { return position == .zero ? nil : Position(rawValue: position.rawValue - 1) }
    return position < (try workspace.head()) ? position.next : nil
  }

  /// Returns the end of the next block, or of the previous one.
  private func blockEnd(from position: Position, _ direction: Direction) throws -> Position? {
    let (head, isForward) = (try workspace.head(), direction == .forward)
    if isForward ? position >= head : position == .zero { return nil }
    var found: Position?
    try asked { () throws(LogError) in
      let start = isForward ? position.next : position
      try workspace.store.log.blocks(from: start, .forward, checks: .full) { block in
        found = isForward ? block.last : Position(rawValue: block.first.rawValue - 1)
        return .stop
      }
    }
    return found
  }

  /// Searches a further part of the log, and returns the next row behind a position, or the last one before it.
  private func neighbor(
    of position: Position, in criteria: EventCriteria, _ direction: Direction
  ) throws -> StepTarget {
    // The head is read first: a search that is behind it is not complete.
    let head = try workspace.head()
    let selection = selection(of: criteria)
    let end = try asked { () throws(LogError) in try selection.extend(by: searchedMax).end }
    let found = selection.beginning(direction, of: position)
    // The log is searched from its beginning: the last row before a position is known when all before it was searched.
    let isKnown = direction == .forward ? found != nil : end.next >= position
    if isKnown || end >= head { return StepTarget(position: found) }
    return StepTarget(progress: Double(end.rawValue) / Double(head.rawValue))
  }
}

extension WebRequest {
  /// The time zone of the page, in which days and times are shown; that of this machine if none is given.
  var zone: TimeZone { parameter("zone").flatMap { TimeZone(identifier: $0) } ?? .current }

  /// Returns the position that is given; 0 is before the first event.
  func position() throws(Failure) -> Position {
    let number: Int = try required("position")
    return Position(rawValue: UInt64(number))
  }
}

/// The maximum numbers of messages and channels that are drawn.
private let (messagesMax, channelsMax) = (30, 50)

/// A scene of the past: a channel, or a thread in it, as a user saw it at a position.
private struct PastScene: Sendable {
  let position: Position
  let user: User.ID
  let channel: Channel.ID
  let thread: Message.ID?
  let zone: TimeZone

  func drawn(
    _ reading: ClientReading, _ composers: [Composer], _ words: RenderingWords
  ) throws(ReadError) -> DrawnScene {
    let filter = ChannelFilter(isHidden: nil, isArchived: nil)
    let channels = try reading.channels(where: filter, limit: channelsMax).channels
    var names: [String: String] = [:]
    for composer in composers { names[composer.key.user.text] = try reading.name(of: composer.key.user) }
    for author in channels.flatMap(\.line.people) { names[author.text] = try reading.name(of: author) }
    var scene = DrawnScene()
    var conversation: Conversation?
    do throws(ReadError) {
      conversation = try reading.conversation(in: channel, thread: thread, .latest, limit: messagesMax)
    } catch {
      guard case .refused(let refusal) = error else { throw error }
      scene.refusal = refusal.description
    }
    if let conversation { names.merge(conversation.names) { $1 } }
    var context = RenderingContext()
    var calendar = Calendar.gregorianInUTC
    calendar.timeZone = zone
    (context.words, context.calendar) = (words, calendar)
    let known = names
    context.name = { known[$0] ?? $0 }
    let factory = StudioTimeFactory(context: context)
    scene.channels = factory.draw(channels).studioMarkup
    if let conversation {
      var layout = LayoutOptions<ChatMessage>.verbatim
      layout.calendar = calendar
      scene.list = factory.drawList(conversation.layout(layout)).studioMarkup
      let shown = composers.filter { $0.key.thread == thread }
      scene.composers = HTML.joined(shown.map { factory.drawWriting($0) }).studioMarkup
    }
    return scene
  }
}

/// The markup of a scene.
private struct DrawnScene: Sendable {
  var list = ""
  var composers = ""
  var channels = ""
  var refusal: String?
}

/// The factory of drawings of the past, on which nothing can be pressed.
private struct StudioTimeFactory: HTMLFactory {
  var context: RenderingContext

  func localAddress(of url: String) -> String? { StudioFactory(context: context).localAddress(of: url) }
}

extension ItemLine {
  /// The users who are named in the line.
  var people: [User.ID] {
    switch self {
    case .failed(let message), .message(let message), .deleted(let message): [message.author].compactMap(\.self)
    case .typing(let users): users
    case .draft, .nothing: []
    }
  }
}

extension HTMLFactory {
  /// Returns what a user is writing, with the caret or the selection.
  fileprivate func drawWriting(_ composer: Composer) -> HTML {
    let units = Array(composer.content.text.userText.string.utf16)
    let (start, end) = (composer.selection.lowerBound.rawValue, composer.selection.upperBound.rawValue)
    func text(_ range: Range<Int>) -> HTML {
      HTML(text: String(decoding: units[range.clamped(to: 0..<units.count)], as: UTF16.self))
    }
    let caret =
      start == end
      ? HTML.element("span", ["class": "caret", "aria-hidden": "true"]) : .element("mark", [:], text(start..<end))
    let written = HTML.element(
      "p", ["class": "written", "dir": "auto"], [text(0..<start), caret, text(end..<max(end, units.count))])
    var marks = composer.content.attachments.map { $0.attachment.title?.string ?? $0.attachment.id.text }
    if composer.editing != nil { marks.append("edits a message") }
    if composer.quoting != nil { marks.append("quotes a message") }
    if let command = composer.content.command { marks.append("/" + command.id.text) }
    if !composer.isOpen { marks.append("left") }
    let items = marks.map { HTML.element("li", ["dir": "auto"], text: $0) }
    return .element(
      "article", ["class": "writing"],
      [
        .element(
          "h3", ["dir": "auto"], text: context.name(composer.key.user.text) + " · " + composer.key.device.text),
        written, items.isEmpty ? HTML() : .element("ul", [:], items),
      ])
  }
}

extension JSONWriter {
  fileprivate mutating func change(_ change: ExplainedChange) {
    object { writer in
      writer.member("table", change.change.table)
      writer.member("key", change.change.key.keyText)
      let (before, after) = (change.change.before, change.change.after)
      writer.member("kind", before == nil ? "added" : after == nil ? "removed" : "changed")
      let (earlier, later) = (change.before ?? [], change.after ?? [])
      let earlierTexts = Dictionary(earlier.map { ($0.name, $0.text) }) { $1 }
      let laterTexts = Dictionary(later.map { ($0.name, $0.text) }) { $1 }
      let names = later.map(\.name) + earlier.map(\.name).filter { laterTexts[$0] == nil }
      writer.key("fields")
      writer.array { writer in
        for name in names {
          writer.object { writer in
            writer.member("name", name)
            writer.member("before", earlierTexts[name])
            writer.member("after", laterTexts[name])
            writer.key("isChanged")
            writer.bool(earlierTexts[name] != laterTexts[name])
          }
        }
      }
    }
  }
}
