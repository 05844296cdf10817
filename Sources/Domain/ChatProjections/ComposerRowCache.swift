// Where the rows of composers lie, by the streams of their events.

/// The places of composers' rows by the numbers of their streams, so that no key is put together for a letter typed.
struct ComposerRowCache {
  /// By stream; less than zero where none is known.
  private var places: [Int] = []
  /// How often the numbers of streams and the places of rows had changed their meaning when they were remembered.
  private var generations = (streams: 0, rows: 0)

  /// Forgets all where numbers or places have changed their meaning.
  mutating func keepUp(with generations: (streams: Int, rows: Int)) {
    if generations == self.generations { return }
    self.generations = generations
    places.removeAll(keepingCapacity: true)
  }

  /// The place that belongs to a stream; nil when none is known.
  subscript(stream: Int) -> Int? {
    get { stream < places.count && places[stream] >= 0 ? places[stream] : nil }
    set {
      while places.count <= stream { places.append(-1) }
      places[stream] = newValue ?? -1
    }
  }
}
