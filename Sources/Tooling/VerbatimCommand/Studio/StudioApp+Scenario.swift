// A scenario of what happened in a channel up to a position.
internal import Chat
internal import ChatCodec
internal import ChatProjections
internal import EventLog
internal import JSONLines
internal import Scenarios
internal import Studio
internal import Verbatim
internal import WebServer

extension StudioApp {
  /// The maximum number of events of a scenario; what was before them is its beginning.
  private static let scenarioEventsMax = 2_000
  /// The maximum number of messages with which a scenario begins.
  private static let scenarioMessagesMax = 30
  /// The maximum number of messages that a scenario expects.
  private static let scenarioSeenMax = 100

  /// Returns a scenario that reproduces what happened in a channel up to a position.
  func scenario(_ request: WebRequest) async throws -> StudioAnswer {
    guard viewer == nil else {
      throw Failure(.refused, "A scenario has what others wrote: start the studio without --as.")
    }
    let position = try request.position()
    let (user, channel): (User.ID, Channel.ID) = (try request.required("user"), try request.required("channel"))
    let count = min(Self.scenarioEventsMax, try request.value("events") ?? Self.scenarioEventsMax)
    let found = try await blocking { try $0.events(of: channel, through: position, max: count) }
    let export = try await begun(channel, before: found)
    let (rules, drafts) = (workspace.configuration.rules, workspace.configuration.draftMessagesEnabled)
    let written: String = try await pasts.read(at: position) { past in
      try await past.read { reading in
        var export = export
        for event in found { export.add(try decode(event), of: event.append) }
        let instant = found.last?.recorded ?? Timestamp(rawValue: 0)
        let client = try ClientReading(reading.chat, for: user, under: rules, at: instant)
        let seen = try ReadError.unlessRefused(
          client.messages(in: channel, limit: Self.scenarioSeenMax).messages)
        let title = "\(channel.text) through position \(position)"
        return try export.text(title: title, keepsDrafts: drafts, seen: seen, by: user) { user in
          try reading.chat.user(user)?.profile.name.string
        }
      }
    }
    return { writer in writer.object { $0.member("scenario", written) } }
  }

  /// The last events of a channel, and those of its people since the first of them.
  private func events(of channel: Channel.ID, through position: Position, max count: Int) throws -> [RecordedEvent] {
    var own = EventCriteria()
    own.channels = [channel.text]
    var events = try positions(in: own, through: position, from: .zero, max: count + 1).map { try event(at: $0) }
    // An append is in the scenario as a whole, or before its beginning.
    if events.count > count, let cut = events.first?.append { events.removeAll { $0.append == cut } }
    guard let first = events.first?.position else { return [] }
    var others = EventCriteria()
    others.streams = outline.writers(in: channel.text).map { "user/\($0)" }
    events += try positions(in: others, through: position, from: first, max: Self.scenarioEventsMax)
      .map { try event(at: $0) }
    return events.sorted { $0.position < $1.position }
  }

  private func positions(
    in criteria: EventCriteria, through last: Position, from first: Position, max count: Int
  ) throws -> [Position] {
    var criteria = criteria
    criteria.joinsKeystrokes = false
    let selection = EventSelection(of: criteria, in: outline)
    let extent = try asked { () throws(LogError) in try selection.extend(by: .max) }
    guard extent.end >= last else {
      throw Failure(.unable, "The log is still being read: try again in a few seconds.")
    }
    let end = selection.number(of: last.next)
    let start = max(selection.number(of: first), end - count)
    return selection.rows(min(start, end)..<end).map(\.first)
  }

  /// Returns the beginning of a scenario: the channel before its first event, unless that creates it.
  private func begun(_ channel: Channel.ID, before events: [RecordedEvent]) async throws -> ScenarioExport {
    let export = ScenarioExport(of: channel)
    guard let first = events.first, first.position > .first else { return export }
    let start = Position(rawValue: first.position.rawValue - 1)
    let writers = outline.writers(in: channel.text).compactMap { User.ID(rawValue: $0) }
    return try await pasts.read(at: start) { past in
      try await past.read { reading in
        guard let newest = try reading.chat.channel(channel)?.newest else { return export }
        let members = try reading.chat.members(of: channel, limit: writers.count + 1_000).members
        let messages = try reading.chat.messages(in: channel, limit: Self.scenarioMessagesMax).messages
        let composers = try writers.flatMap { try reading.chat.composers(of: $0, in: channel) }
        var export = export
        export.begin(
          at: first.recorded, members: members, messages: messages, newest: newest, composers: composers)
        return export
      }
    }
  }
}
