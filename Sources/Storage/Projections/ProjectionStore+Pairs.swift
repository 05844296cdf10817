// Reading two sets of views of one log at one position.
internal import EventLog

extension ProjectionStore {
  /// Lends the tables of this store and of another of the same log, both at one position: the present end of the log,
  /// or further.
  ///
  /// The other is folded and written up to where this one is lent. Where somebody who reads the other, too, has written
  /// it further meanwhile, it is done again from there; of all who do so at once, the one that stands furthest goes on.
  public func read<R>(
    with other: ProjectionStore, _ body: (ProjectionReader, ProjectionReader) throws(ProjectionError) -> R
  ) throws(ProjectionError) -> R {
    while true {
      // Most of it, before anything is lent: who is lent tables keeps their folder from reusing space.
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
