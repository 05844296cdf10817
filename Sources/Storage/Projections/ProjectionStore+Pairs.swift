// Reads of two projection stores of one log at one position.
internal import EventLog

extension ProjectionStore {
  /// Runs the closure on the tables of this store and of another of the same log, both at one position: the present
  /// head of the log or past it.
  ///
  /// The other store is folded and written up to the position of this one. When another reader of it has written it
  /// further, the read is retried from there; of all concurrent readers, the one furthest ahead proceeds.
  public func read<R>(
    with other: ProjectionStore, _ body: (ProjectionReader, ProjectionReader) throws(ProjectionError) -> R
  ) throws(ProjectionError) -> R {
    while true {
      // Most of the work is done before the read: an open read keeps its table store from reusing space.
      try other.catchUp()
      try catchUp()
      try flush()
      let answer: R? = try engine.lend { reading throws(ProjectionError) in
        try other.catchUp(reading.position)
        return try other.engine.lend { others throws(ProjectionError) in
          others.position == reading.position ? try body(reading, others) : nil
        }
      }
      if let answer { return answer }
    }
  }
}
