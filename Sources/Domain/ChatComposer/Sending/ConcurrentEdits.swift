// What was written while something was on its way.
public import Chat

/// What comes to be written while what was written before is on its way: what stays when that has gone.
public struct ConcurrentEdits: Sendable {
  private let start: Composition
  /// Which units of the text came since, in their order.
  private var fresh: [Range<Int>] = []

  /// From what is written now on.
  public init(since start: Composition) { self.start = start }

  /// Takes note of events, each done to the composer as it was before.
  public mutating func add(_ events: [Composer.Event], to composer: Composer, at instant: Instant) {
    var composer = composer
    for event in events {
      if let splice = event.splice { add(splice, in: composer.content.text) }
      composer.apply(event, at: instant)
    }
  }

  private mutating func add(_ splice: Splice, in text: TypedText) {
    // As it was recorded: taking a mark back again changes a part of a character.
    let range = text.clamp(splice.range)
    let (low, high) = (range.lowerBound.rawValue, range.upperBound.rawValue)
    let count = splice.text.string.utf16.count
    var moved: [Range<Int>] = []
    for run in fresh {
      if run.lowerBound < low { moved.append(run.lowerBound..<min(run.upperBound, low)) }
      if run.upperBound > high {
        let shift = count - (high - low)
        moved.append(max(run.lowerBound, high) + shift..<run.upperBound + shift)
      }
    }
    if count > 0 { moved.append(low..<low + count) }
    fresh = moved.sorted { $0.lowerBound < $1.lowerBound }
  }

  /// What of a content came since, and stays; nil when nothing did.
  public func kept(of now: Composition) -> Composition? {
    var kept = Composition()
    var units: [UInt16] = []
    for run in fresh {
      let part = run.clamped(to: 0..<now.text.units.count)
      kept.mentions += now.mentions.moved(toPartAt: part.lowerBound, length: part.count).moved(behind: units.count)
      units += now.text.units[part]
    }
    kept.text = TypedText(units: units)
    kept.attachments = now.attachments.filter { attachment in
      !start.attachments.contains { $0.attachment.id == attachment.attachment.id }
    }
    if now.command != start.command { kept.command = now.command }
    if now.quoted != start.quoted { kept.quoted = now.quoted }
    if now.extra != start.extra { kept.extra = now.extra }
    return kept == Composition() ? nil : kept
  }
}

extension Composer.Event {
  /// The change of the text, if it is one.
  var splice: Splice? {
    switch self {
    case .typed(let splice), .mentionPicked(_, let splice, _), .replaced(let splice, _, _): splice
    case .commandActivated(_, let splice), .commandCleared(let splice): splice
    default: nil
    }
  }
}
