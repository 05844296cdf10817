// What was erased: the keys that no program uses any more, whether it still has them or not.
package import EventLog

/// The content that was erased in a log, by its events.
///
/// Content counts as erased as soon as the log says so. So a fold does not depend on which keys a machine still has.
package struct Erasures: Sendable {
  /// An erasure of content of before a day.
  private struct Bound: Hashable, Sendable {
    var day: Day
    var position: Position
  }

  /// For each person, the number of generations that were erased.
  private var generations: [Name: (count: UInt32, position: Position)] = [:]
  private var typing: [KeyHolder: Bound] = [:]
  private var messages: [KeyHolder: Bound] = [:]
  /// The number of erasures.
  package private(set) var count = 0
  /// The positions at which all keys were replaced.
  private var replacements: [Position] = []
  /// The version of the stream of erasures up to which they were read.
  package internal(set) var version = StreamVersion.zero

  package init() {}

  /// Adds the erasure of all content of a person, in the generations of keys up to one.
  package mutating func erase(_ person: Name, generations count: UInt32, at position: Position) {
    self.count += 1
    if generations[person]?.count ?? 0 < count { generations[person] = (count, position) }
  }

  /// Adds the erasure of what was typed before a day: by a person, in a channel, or by anyone anywhere.
  package mutating func eraseTyping(of holder: KeyHolder, before day: Day, at position: Position) {
    count += 1
    Self.erase(&typing[holder], before: day, at: position)
  }

  /// Adds the erasure of messages of before a day: in a channel, or in all.
  package mutating func eraseMessages(of holder: KeyHolder, before day: Day, at position: Position) {
    count += 1
    Self.erase(&messages[holder], before: day, at: position)
  }

  /// Adds a replacement of the keys of all users and channels.
  package mutating func replaceKeys(at position: Position) { replacements.append(position) }

  private static func erase(_ bound: inout Bound?, before day: Day, at position: Position) {
    if bound.map({ $0.day < day }) ?? true { bound = Bound(day: day, position: position) }
  }

  /// Returns the generation of a person's keys in use: the number of erasures of all their content, and of
  /// replacements of all keys.
  internal func generation(of person: Name) -> UInt32 {
    guard !generations.isEmpty, let erased = generations[person] else { return generation }
    return erased.count + UInt32(replacements.count { $0 > erased.position })
  }

  /// The generation of the keys of channels and of the workspace in use.
  internal var generation: UInt32 { UInt32(replacements.count) }
}

extension Erasures {
  /// Returns the position of the first erasure found that covers content; nil if none does.
  internal func erasure(
    of kind: ContentKind, by person: Name?, _ generation: UInt32, in channel: Name?, on day: Day
  ) -> Position? {
    if count == 0 { return nil }
    if kind != .channel, let person, let erased = generations[person], generation < erased.count {
      return erased.position
    }
    switch kind {
    case .typing:
      if typing.isEmpty { return nil }
      let holders = [person.map { .person($0) }, channel.map { .channel($0) }, .workspace] as [KeyHolder?]
      return holders.lazy.compactMap { $0.flatMap { typing[$0] } }.first { day < $0.day }?.position
    case .message:
      if messages.isEmpty { return nil }
      let bounds = [channel.flatMap { messages[.channel($0)] }, messages[.workspace]]
      return bounds.lazy.compactMap { $0 }.first { day < $0.day }?.position
    case .profile, .channel: return nil
    }
  }
}

extension Erasures {
  /// The first day on which nothing that a person typed in a channel is erased.
  internal func typingBound(_ person: Name?, _ channel: Name?) -> Day {
    let days = [
      person.flatMap { typing[.person($0)]?.day }, channel.flatMap { typing[.channel($0)]?.day },
      typing[.workspace]?.day,
    ]
    return days.compactMap { $0 }.max() ?? Day(rawValue: .min)
  }

  /// The first day on which no messages of a channel are erased.
  internal func messagesBound(_ channel: Name) -> Day {
    [messages[.channel(channel)]?.day, messages[.workspace]?.day].compactMap { $0 }.max() ?? Day(rawValue: .min)
  }

  /// The end of the days of the same holder that were erased; nil when none were.
  internal func end(of days: Erasure.Scope.Days) -> Day? {
    (days.isOfMessages ? messages[days.holder] : typing[days.holder])?.day
  }

  /// Whether all days of a scope were erased; false for all content of a user.
  package func covers(_ scope: Erasure.Scope) -> Bool {
    guard let days = scope.days else { return false }
    let bounds = days.isOfMessages ? messages : typing
    return [days.holder, .workspace].contains { bounds[$0].map { $0.day >= days.end } ?? false }
  }

  /// Removes from an entry what was erased; returns whether there was anything.
  internal func destroy(from entry: inout KeyEntry) -> Bool {
    let before = entry
    if case .person(let name) = entry.holder, entry.generation < generations[name]?.count ?? 0 { entry.destroyAll() }
    for holder in [entry.holder, .workspace] {
      if let bound = typing[holder] { entry.typing?.destroy(before: bound.day) }
      if let bound = messages[holder] { entry.messages?.destroy(before: bound.day) }
    }
    return entry.isEmpty != before.isEmpty || entry.typing?.first != before.typing?.first
      || entry.messages?.first != before.messages?.first
  }
}

extension KeyEntry {
  fileprivate mutating func destroyAll() { (secret, typing, messages) = (nil, nil, nil) }
}
