// Policies by which content is erased some time after it was written.
public import Chat
internal import ContentKeys
internal import EventLog

/// The time for which content is kept, in whole days; nil keeps it.
public struct Retention: Hashable, Sendable {
  /// The number of days after which what was typed and drafted is erased.
  public var typing: Int?
  /// The number of days after which messages are erased.
  public var messages: Int?

  /// Creates a retention.
  public init(typing: Int? = nil, messages: Int? = nil) { (self.typing, self.messages) = (typing, messages) }
}

/// The times for which the content of the channels of an erasable workspace is kept.
public struct RetentionPolicy: Hashable, Sendable {
  /// The retention of all channels without one of their own.
  public var standard: Retention
  /// The retention of some channels.
  public var channels: [Channel.ID: Retention]

  /// Creates a policy.
  public init(_ standard: Retention = Retention(), channels: [Channel.ID: Retention] = [:]) {
    (self.standard, self.channels) = (standard, channels)
  }
}

extension RetentionPolicy {
  /// The number of days of which any larger one keeps everything.
  private static let daysMax = 3_000_000

  /// Returns what has to be erased at an instant in a log with these channels.
  internal func scopes(at instant: Timestamp, in names: [Name]) -> [Erasure.Scope] {
    scopes(\.typing, at: instant, in: names) { channel, end in
      if let channel { .typingInChannel(channel, before: end) } else { .typing(of: nil, before: end) }
    }
      + scopes(\.messages, at: instant, in: names) { .messages(in: $0, before: $1) }
  }

  /// Returns one scope for all channels, if none has another time, and else one for each.
  private func scopes(
    _ days: KeyPath<Retention, Int?>, at instant: Timestamp, in names: [Name],
    _ scope: (Name?, Timestamp) -> Erasure.Scope
  ) -> [Erasure.Scope] {
    let today = Day(of: instant).rawValue
    let end = { (days: Int) in Day(rawValue: today - Int32(min(max(days, 0), Self.daysMax))).start }
    let standard = standard[keyPath: days]
    if channels.values.allSatisfy({ $0[keyPath: days] == standard }) {
      return standard.map { [scope(nil, end($0))] } ?? []
    }
    return names.compactMap { name in
      let own = Channel.ID(rawValue: name.text).flatMap { channels[$0] } ?? self.standard
      return own[keyPath: days].map { scope(name, end($0)) }
    }
  }
}
