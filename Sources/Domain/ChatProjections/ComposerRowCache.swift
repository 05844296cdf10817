// A cache of the indexes of composer rows by the streams of their events.

/// The indexes of composer rows by stream number, so that no key is assembled for each letter typed.
struct ComposerRowCache {
  /// Row indexes by stream number; negative where none is known.
  private var rowIndexes: [Int] = []
  /// The generations of stream numbers and of row indexes that the cache is valid for.
  private var generations = (streams: 0, rows: 0)

  /// Clears the cache when stream numbers or row indexes were reassigned.
  mutating func keepUp(with generations: (streams: Int, rows: Int)) {
    if generations == self.generations { return }
    self.generations = generations
    rowIndexes.removeAll(keepingCapacity: true)
  }

  /// The row index of a stream; nil when none is known.
  subscript(stream: Int) -> Int? {
    get { stream < rowIndexes.count && rowIndexes[stream] >= 0 ? rowIndexes[stream] : nil }
    set {
      while rowIndexes.count <= stream { rowIndexes.append(-1) }
      rowIndexes[stream] = newValue ?? -1
    }
  }
}
