// The stored draft of a live composer, as last read.
internal import Chat

/// The last known draft of a composer, the one that it has shown, and the deletion that could not be recorded yet.
struct DraftSync {
  /// The last known draft, or the remains of a deleted one.
  private(set) var latest: Draft?
  /// The content of the last draft that the composer has shown or saved.
  private var shown: Composition?
  /// Whether the composer was emptied, but the deletion of the draft could not be recorded yet.
  var hasPendingDeletion = false

  /// Whether the stored draft is one that the composer has shown or saved: emptying the composer deletes that, and not
  /// one that another device has saved meanwhile.
  var hasShownLatest: Bool { latest?.content != nil && latest?.content == shown }

  /// Marks a content as shown or saved by the composer.
  mutating func show(_ content: Composition?) { shown = content }

  /// Replaces the last known draft by one that was just read.
  mutating func set(_ draft: Draft?) { latest = draft }

  /// Applies a draft that was read concurrently; returns false if a later one is known.
  mutating func update(_ draft: Draft?) -> Bool {
    // Times of recording can fall, after a correction of the clock; the edits of a draft never do.
    if let draft, let latest, draft.edit < latest.edit { return false }
    latest = draft
    return true
  }

  /// Returns the time of a draft change made now; changes of a draft are ordered by it.
  func editedAt(_ now: Timestamp) -> Timestamp { latest?.changed(at: now) ?? now }
}
