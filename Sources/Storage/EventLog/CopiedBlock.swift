// A block that is written again as it was.
internal import Bytes

/// A block whose appends come with their ids, versions and time, as another log had them; used again for the next.
///
/// It decides nothing and looks nothing up: whether versions and ids are right is its caller's to know. There is one
/// encoding of a block, so that what held the same comes out byte for byte.
package struct CopiedBlock: ~Copyable {
  private var builder = BlockBuilder()

  package init() {}

  /// How many events were added.
  package var count: Int { builder.count }

  /// Takes back all that was added.
  package mutating func removeAll() { builder.removeAll() }

  /// Adds an append, which has an id and one event at least, with the version of each event in its stream.
  package mutating func add(_ append: Append, _ id: AppendID, versions: [StreamVersion]) {
    precondition(append.events.count == versions.count && !versions.isEmpty, "each event has a version")
    builder.beginAppend(id, count: versions.count, correlation: append.correlation, proposal: append.proposal)
    for (event, version) in zip(append.events, versions) {
      builder.add(event, stream: builder.number(ofStream: event.stream), version: version.rawValue)
    }
  }

  /// Adds consecutive events of one block, of whose appends the last may end early.
  package mutating func add(_ events: [RecordedEvent]) {
    var start = events.startIndex
    while start < events.endIndex {
      let first = events[start]
      let part = events[start...].prefix { $0.append == first.append }
      let append = Append(part.map(\.proposed), correlation: first.correlation, proposal: first.proposal)
      add(append, first.append, versions: part.map(\.version))
      start = part.endIndex
    }
  }

  /// Lends the block of what was added, of which there is one event at least, as it follows a head.
  package mutating func withBlock<R, E: Error>(
    after head: Head, at recorded: Timestamp, _ body: (BlockView) throws(E) -> R
  ) throws(E) -> R {
    builder.finish(after: head, recorded: recorded)
    return try builder.withBlock(body)
  }
}

extension RecordedEvent {
  /// The proposal that the event was recorded for.
  fileprivate var proposed: ProposedEvent {
    ProposedEvent(stream: stream, type: type, payload: payload, actor: actor, device: device, cause: cause)
  }
}
