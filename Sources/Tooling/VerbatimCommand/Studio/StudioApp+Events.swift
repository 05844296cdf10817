// The list of events, and one event with its surroundings.
internal import Chat
internal import ChatCodec
internal import ChatProjections
internal import ChatReplay
internal import EventLog
internal import JSONLines
internal import Locks
internal import Studio
internal import Verbatim
internal import WebServer

extension StudioApp {
  /// The maximum number of rows of an answer, and of events related to one.
  private static let rowsMax = 500
  private static let relatedMax = 200
  /// The maximum number of bytes of a payload that are shown.
  private static let payloadMax = 64 << 10
  /// The number of selections that are kept.
  private static let selectionsMax = 4

  // MARK: The list

  func names() -> StudioAnswer {
    let names = outline.names()
    let isComplete = isComplete
    return { writer in
      writer.object { writer in
        for (key, set) in [
          ("types", names.types), ("actors", names.actors), ("devices", names.devices), ("channels", names.channels),
        ] {
          writer.member(key, JSON(of: set.sorted()))
        }
        writer.member("streams", names.streams.count)
        writer.key("isComplete")
        writer.bool(isComplete)
      }
    }
  }

  func rows(_ request: WebRequest) throws -> StudioAnswer {
    // The head is read first: an answer that is behind it is not complete.
    let head = try workspace.head()
    let list = try list(of: request)
    let extent = try asked { () throws(LogError) in try list.selection.extend(by: searchedMax) }
    let from: Int = try request.value("from") ?? 0
    let count = min(Self.rowsMax, try request.value("count") ?? 100)
    let rows = try list.rows(from..<(from + min(count, .max - from)), in: self)
    let (total, isComplete) = (list.total(extent.rowCount), extent.end >= head)
    return { writer in
      writer.object { writer in
        writer.member("total", total)
        writer.member("events", extent.eventCount)
        writer.member("head", head.rawValue)
        writer.key("isComplete")
        writer.bool(isComplete)
        writer.key("progress")
        writer.number(head == .zero ? 1 : Double(extent.end.rawValue) / Double(head.rawValue))
        writer.member("from", from)
        writer.key("rows")
        writer.array { writer in for row in rows { writer.object { row.write(to: &$0) } } }
      }
    }
  }

  func row(_ request: WebRequest) throws -> StudioAnswer {
    if viewer != nil { return try instantAlone(request) }
    let list = try list(of: request)
    let extent = try asked { () throws(LogError) in try list.selection.extend(by: searchedMax) }
    let position: Position
    if let instant: Timestamp = try request.value("instant") {
      position = try asked { () throws(LogError) in try workspace.store.last(recordedBy: instant) }
    } else {
      position = try request.required("position")
    }
    let number = min(list.number(of: position), max(0, list.total(extent.rowCount) - 1))
    let found = try list.rows(number..<number + 1, in: self).first
    return { writer in
      writer.object { writer in
        writer.member("row", number)
        writer.member("position", (found?.event.position ?? position).rawValue)
      }
    }
  }

  /// Returns the position of an instant, which is all that a user learns of the list.
  private func instantAlone(_ request: WebRequest) throws -> StudioAnswer {
    let instant: Timestamp = try request.required("instant")
    let position = try asked { () throws(LogError) in try workspace.store.last(recordedBy: instant) }
    return { writer in
      writer.object { writer in
        writer.member("row", 0)
        writer.member("position", position.rawValue)
      }
    }
  }

  private func list(of request: WebRequest) throws -> EventList {
    let criteria = try criteria(of: request)
    return EventList(selection(of: criteria), expanded: request.values("expand").compactMap { UInt64($0) })
  }

  /// Returns the criteria of a filter.
  func criteria(of request: WebRequest) throws -> EventCriteria {
    var criteria = EventCriteria()
    criteria.types = request.values("type")
    criteria.actors = request.values("actor")
    criteria.devices = request.values("device")
    criteria.streams = request.values("stream")
    criteria.channels = request.values("channel")
    criteria.text = request.values("text").first ?? ""
    criteria.since = try request.value("since")
    criteria.until = try request.value("until")
    criteria.joinsKeystrokes = request.parameter("runs") != "0"
    return criteria
  }

  /// Returns the selection of some criteria, which is kept for further requests.
  func selection(of criteria: EventCriteria) -> EventSelection {
    selections.withLock { selections in
      let known = selections.firstIndex { $0.criteria == criteria }
      let selection = known.map { selections.remove(at: $0) } ?? EventSelection(of: criteria, in: outline)
      selections.append(selection)
      if selections.count > Self.selectionsMax { selections.removeFirst() }
      return selection
    }
  }

  /// Whether the outline has the whole log.
  var isComplete: Bool { (try? workspace.head()).map { outline.end >= $0 } ?? false }

  /// Returns the event at a position that a request names.
  func event(at position: Position) throws -> RecordedEvent {
    let found = try asked { () throws(LogError) in try workspace.store.event(at: position) }
    guard let found else {
      throw Failure(.misused, "The log has no event at position \(position): give a position from 1 to its end.")
    }
    return found
  }

  // MARK: One event

  func event(_ request: WebRequest) throws -> StudioAnswer {
    let event = try event(at: request.required("position"))
    let parts = try related(to: event)
    let block = try block(of: event)
    return { writer in
      writer.object { writer in
        EventRow(event).write(to: &writer)
        writer.member("channel", LogOutline.channel(of: event))
        writer.member("version", event.version.rawValue)
        writer.member("cause", event.cause?.rawValue)
        writer.member("append", event.append.description)
        writer.member("correlation", event.correlation?.text)
        writer.member("proposal", event.proposal?.description)
        do throws(UnreadableEvent) {
          let decoded = try decode(event)
          writer.member("event", decoded.change.json)
          writer.message(of: decoded.change)
        } catch {
          writer.member("unreadable", "\(error)")
        }
        writer.member("payload", hexadecimal(Array(event.payload.prefix(Self.payloadMax))))
        writer.member("byteCount", event.payload.count)
        writer.key("block")
        writer.object { writer in
          writer.member("ordinal", block.ordinal)
          writer.member("first", block.first.rawValue)
          writer.member("last", block.last.rawValue)
          writer.member("hash", block.hash)
          writer.member("byteCount", block.byteCount)
        }
        for (key, events) in parts { writer.rows(key, events) }
      }
    }
  }

  private struct BlockFacts: Sendable {
    let ordinal: Int
    let first: Position, last: Position
    let hash: String
    let byteCount: Int
  }

  private func block(of event: RecordedEvent) throws -> BlockFacts {
    var facts: BlockFacts?
    try asked { () throws(LogError) in
      try workspace.store.log.blocks(from: event.position, .forward, checks: .full) { block in
        facts = BlockFacts(
          ordinal: block.ordinal, first: block.first, last: block.last, hash: "\(block.hash)",
          byteCount: block.bytes.byteCount)
        return .stop
      }
    }
    guard let facts else { throw Failure(.unable, "The block of the event cannot be read: verify the log.") }
    return facts
  }

  private func related(to event: RecordedEvent) throws -> [(key: String, events: [RecordedEvent])] {
    let effects = outline.effects(of: event.position, limit: Self.relatedMax)
    var correlated: [Position] = []
    if let correlation = event.correlation {
      correlated = outline.appends(correlatedBy: correlation, limit: Self.relatedMax)
    }
    return [
      ("causes", try causes(of: event)), ("effects", try effects.map { try self.event(at: $0) }),
      ("appended", try appended(with: event)),
      ("correlated", try correlated.map { try self.event(at: $0) }.filter { $0.append != event.append }),
    ]
  }

  private func causes(of event: RecordedEvent) throws -> [RecordedEvent] {
    var causes: [RecordedEvent] = []
    var cause = event.cause
    while let position = cause, causes.count < Self.relatedMax {
      let event = try self.event(at: position)
      causes.append(event)
      cause = event.cause
    }
    return causes
  }

  private func appended(with event: RecordedEvent) throws -> [RecordedEvent] {
    try asked { () throws(LogError) in
      guard let receipt = try workspace.store.receipt(of: event.append) else { return [] }
      let (first, last) = (receipt.positions.lowerBound, receipt.positions.upperBound)
      let count = min(Self.relatedMax, Int(last.rawValue - first.rawValue) + 1)
      return try workspace.store.events(from: first, limit: count).filter { $0.position != event.position }
    }
  }

  // MARK: Causes and effects

  func graph(_ request: WebRequest) throws -> StudioAnswer {
    let event = try event(at: request.required("position"))
    var nodes: [(event: RecordedEvent, depth: Int)] = [(try causes(of: event).last ?? event, 0)]
    var edges: [(UInt64, UInt64)] = []
    var next = 0
    var isCut = false
    while next < nodes.count {
      let (cause, depth) = nodes[next]
      next += 1
      for effect in outline.effects(of: cause.position, limit: Self.relatedMax) {
        if nodes.count == Self.relatedMax {
          isCut = true
          break
        }
        nodes.append((try self.event(at: effect), depth + 1))
        edges.append((cause.position.rawValue, effect.rawValue))
      }
    }
    let (found, links, wasCut) = (nodes, edges, isCut)
    return { writer in
      writer.object { writer in
        writer.key("nodes")
        writer.array { writer in
          for node in found {
            writer.object { writer in
              EventRow(node.event).write(to: &writer)
              writer.member("depth", node.depth)
            }
          }
        }
        writer.key("edges")
        writer.array { writer in
          for (cause, effect) in links {
            writer.array { writer in
              writer.integer(cause)
              writer.integer(effect)
            }
          }
        }
        writer.key("isCut")
        writer.bool(wasCut)
      }
    }
  }

  func biography(_ request: WebRequest) async throws -> StudioAnswer {
    let channel: Channel.ID = try request.required("channel")
    let key = Message.Key(channel, try request.required("message"))
    let positions = try await positions(ofMessage: key)
    return try await blocking { app in
      let events = try positions.map { try app.event(at: $0) }
      return { writer in writer.object { $0.rows("events", events) } }
    }
  }

  /// Returns the positions of the events of a message: all, or those that the viewer may see.
  func positions(ofMessage key: Message.Key) async throws -> [Position] {
    if let viewer {
      return try await workspace.client(user: viewer).read { reading in try reading.biography(of: key) }
    }
    return try await workspace.read { reading in try reading.chat.biography(of: key) }
  }
}

extension JSONWriter {
  /// Writes events as rows.
  fileprivate mutating func rows(_ key: String, _ events: [RecordedEvent]) {
    self.key(key)
    array { writer in for event in events { writer.object { EventRow(event).write(to: &$0) } } }
  }

  /// Writes the message that a change concerns; nothing for others.
  fileprivate mutating func message(of change: ChatEvent.Change) {
    let key: Message.Key? =
      switch change {
      case .message(let key, _): key
      case .reaction(let key, _): key.message
      case .vote(let key, _): key.message
      default: nil
      }
    guard let key else { return }
    self.key("message")
    object { writer in
      writer.member("channel", key.channel.text)
      writer.member("id", key.id.text)
    }
  }
}
