// A block encoded from recorded appends.
internal import Bytes

/// An encoder of blocks whose appends keep their ids, versions and time from another log; reusable.
///
/// It decides nothing and searches nothing: the caller is responsible for versions and ids. The encoding of a block is
/// canonical, so that equal content is encoded to equal bytes.
package struct CopiedBlock: ~Copyable {
  private var builder = BlockBuilder()
  private var parts = ContentParts()

  package init() {}

  /// The number of added events.
  package var count: Int { builder.count }

  /// Discards all that was added.
  package mutating func removeAll() { builder.removeAll() }

  /// Adds an append, which has an id and at least one event, with the version of each event in its stream.
  package mutating func add(_ append: Append, _ id: AppendID, versions: [StreamVersion]) {
    precondition(append.events.count == versions.count && !versions.isEmpty, "each event has a version")
    builder.beginAppend(id, count: versions.count, correlation: append.correlation, proposal: append.proposal)
    let events = append.events.span
    for index in events.indices {
      let stream = builder.number(ofStream: events[index].stream)
      builder.add(index, of: events, stream: stream, version: versions[index].rawValue)
    }
  }

  /// Adds an append to a new log whose content is encrypted with a cipher, as a store adds it.
  package mutating func add(
    _ append: Append, _ id: AppendID, versions: [StreamVersion], at recorded: Timestamp,
    encryptedWith cipher: (any ContentCipher)?
  ) throws(LogError) {
    guard let cipher else { return add(append, id, versions: versions) }
    var append = append
    if let proposal = append.proposal {
      append.proposal = try cipher.hidden(
        proposal, of: id, by: append.events.first?.actor, at: recorded, hasStream: { _ in false })
    }
    for index in append.events.indices {
      parts.removeAll()
      let isEncrypted = try cipher.encrypt(
        append.events[index], AppendPlace(id, index), at: recorded, into: &parts, hasStream: { _ in false })
      guard isEncrypted else { continue }
      append.events[index].payload = parts.readable.array()
      append.events[index].encrypted = parts.encrypted.array()
    }
    add(append, id, versions: versions)
  }

  /// Adds consecutive events of one block; the last of its appends may be cut off.
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

  /// Passes the block of the added events (at least one), encoded to follow a head, to the closure.
  package mutating func withBlock<R, E: Error>(
    after head: Head, at recorded: Timestamp, _ body: (BlockView) throws(E) -> R
  ) throws(E) -> R {
    builder.finish(after: head, recorded: recorded)
    return try builder.withBlock(body)
  }
}

extension RecordedEvent {
  /// The event as it was proposed, with its content as it is stored.
  package var proposed: ProposedEvent {
    var proposed = ProposedEvent(
      stream: stream, type: type, payload: payload, actor: actor, device: device, cause: cause)
    proposed.encrypted = encrypted
    return proposed
  }
}
