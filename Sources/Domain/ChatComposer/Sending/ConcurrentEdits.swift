// The edits made while a send is in progress.
public import Chat

/// Tracks the edits made while a send is in progress: the content that stays once it is done.
public struct ConcurrentEdits: Sendable {
  /// The content before the edits.
  let start: Composition
  /// The ranges of text units inserted since the start, in order.
  private var fresh: [Range<Int>] = []

  /// Starts tracking from the current content.
  public init(since start: Composition) { self.start = start }

  /// Records events, the first of which applies to `composer`.
  public mutating func add(_ events: [Composer.Event], to composer: Composer, at instant: Timestamp) {
    var composer = composer
    for event in events {
      if let splice = event.splice { add(splice, in: composer.content.text) }
      composer.apply(event, at: instant)
    }
  }

  private mutating func add(_ splice: Splice, in text: TypedText) {
    // The recorded range as is: an undo of a combining mark changes part of a character.
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

  /// Returns the part of a content that was added since the start and stays; nil if none was.
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
    if now.isSilent != start.isSilent { kept.isSilent = now.isSilent }
    if now.showsInChannel != start.showsInChannel { kept.showsInChannel = now.showsInChannel }
    let links = kept.text.links(exceptAt: nil)
    kept.dismissedPreviews = now.dismissedPreviews.filter {
      links.contains($0) && !start.dismissedPreviews.contains($0)
    }
    return kept == Composition() ? nil : kept
  }
}

extension Composer.Event {
  /// The text change of the event, if any.
  var splice: Splice? {
    switch self {
    case .typed(let splice, _), .mentionPicked(_, let splice, _), .replaced(let splice, _, _, _): splice
    case .commandActivated(_, let splice), .commandCleared(let splice): splice
    default: nil
    }
  }
}
