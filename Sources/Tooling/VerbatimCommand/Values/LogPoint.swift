// A point in a log as an argument: a position, an instant, or a span before now or before the last event.
internal import Chat
internal import EventLog
internal import Foundation

/// A point in a log. An instant, also one given by a span, means the last event recorded at it or before.
enum LogPoint: ArgumentValue, Equatable, Sendable {
  case position(Position)
  case instant(Timestamp)
  /// The date and time in the time zone of the command, as the instant at which UTC shows them.
  case local(Timestamp)
  /// The instant a span before now.
  case beforeNow(Microseconds)
  /// The instant a span before the time of the last event.
  case beforeHead(Microseconds)

  /// The forms of a point, for the help.
  static let forms = "a position, an instant, or a span before now, as -2h30m, or before the last event, as head-1d"

  private static let expected =
    "a position, as 1200, an instant, as 2026-11-22T12:30:00Z or '2026-11-22 14:00', or a span before now, as -1d or "
    + "-2h30m, or before the last event, as head-1d"

  init(argument text: String) throws(ValueDefect) {
    if isDigits(text) {
      guard let number = UInt64(text), number > 0 else { throw ValueDefect(expected: Self.expected) }
      self = .position(Position(rawValue: number))
    } else if text.hasPrefix("-"), let span = Microseconds(span: text.dropFirst()) {
      self = .beforeNow(span)
    } else if text.hasPrefix("head-"), let span = Microseconds(span: text.dropFirst(5)) {
      self = .beforeHead(span)
    } else if let instant = Timestamp(rfc3339: text) {
      self = .instant(instant)
    } else if let local = Timestamp(rfc3339: text + "Z") ?? Timestamp(rfc3339: text + ":00Z") {
      self = .local(local)
    } else {
      throw ValueDefect(expected: Self.expected)
    }
  }

  /// A point for which only the log must be asked.
  enum Place: Equatable {
    case position(Position)
    case instant(Timestamp)
  }

  /// Returns the position or the instant, by the clock and the last event of a log.
  func place(in store: EventStore, _ zone: Zone?, now: Timestamp) throws(LogError) -> Place {
    switch self {
    case .position(let position): return .position(position)
    case .instant(let instant): return .instant(instant)
    case .local(let local): return .instant(local.inZone(zone?.timeZone ?? .current))
    case .beforeNow(let span): return .instant(now - span)
    case .beforeHead(let span):
      let head = try store.event(at: store.head().position)
      return .instant((head?.recorded ?? store.log.genesis.created) - span)
    }
  }

  /// Returns the position, and the instant where one is given; throws if the log begins after it.
  func resolved(
    in store: EventStore, at path: String, _ zone: Zone?, now: Timestamp
  ) throws(Failure) -> (position: Position, instant: Timestamp?) {
    switch try asked({ () throws(LogError) in try place(in: store, zone, now: now) }) {
    case .position(let position): return (position, nil)
    case .instant(let instant):
      let position = try asked { () throws(LogError) in try store.last(recordedBy: instant) }
      guard position > .zero else {
        throw Failure(.unable, "The log at \(path) has no event at \(instant) or before: give a later instant.")
      }
      return (position, instant)
    }
  }
}

extension Timestamp {
  /// Returns the instant at which a time zone shows the date and time that UTC shows at this one.
  fileprivate func inZone(_ zone: TimeZone) -> Timestamp {
    func offset(at instant: Timestamp) -> Microseconds {
      let date = Date(timeIntervalSince1970: Double(instant.rawValue) / 1_000_000)
      return .seconds(Int64(zone.secondsFromGMT(for: date)))
    }
    // The offset at the instant itself, which on the day of a clock change differs from the offset at the first guess.
    return self - offset(at: self - offset(at: self))
  }

  fileprivate static func - (instant: Timestamp, span: Microseconds) -> Timestamp {
    instant + Microseconds(rawValue: -span.rawValue)
  }
}

extension Microseconds {
  /// Parses a span of days, hours, minutes and seconds, as `2h30m`; nil for invalid text.
  fileprivate init?(span text: Substring) {
    guard let parts = text.wholeMatch(of: /(?:(\d{1,6})d)?(?:(\d{1,6})h)?(?:(\d{1,6})m)?(?:(\d{1,9})s)?/),
      !text.isEmpty
    else { return nil }
    let counts = [(parts.1, 86_400), (parts.2, 3_600), (parts.3, 60), (parts.4, 1)] as [(Substring?, Int64)]
    self = .seconds(counts.reduce(0) { $0 + ($1.0.flatMap { Int64($0) } ?? 0) * $1.1 })
  }
}
