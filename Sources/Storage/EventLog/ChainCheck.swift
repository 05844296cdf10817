// A check of the blocks of a log, one after the other.
internal import Digests

/// A check of blocks in order: of each by itself and in the chain, and of the versions of its streams.
package struct ChainCheck {
  /// The end of what was checked; nil before the genesis.
  package private(set) var head: Head?
  /// The append ids of the undamaged blocks.
  package var appends = AppendIDCheck()
  private var versions: [Name: UInt64] = [:]
  /// Whether no block was damaged so far; after a damaged one, a stream may continue with any version.
  private var knowsAllVersions = true

  package init() {}

  /// Begins with the genesis of a log.
  package mutating func begin(_ genesis: Genesis) { head = Head(of: genesis) }

  /// Checks the bytes of the next block, and passes it to the closure; throws its defect, after which the check goes on
  /// with the hash that the block states.
  package mutating func check(
    _ bytes: RawSpan, endingAt last: Position, _ body: (BlockView) -> Void
  ) throws(BlockDefect) {
    do throws(BlockDefect) {
      let block = try BlockView(bytes)
      guard block.last == last else { throw .wrongPosition(expected: last, found: block.last) }
      try block.validate()
      if let head { try block.validate(after: head) }
      try block.validateCanonical()
      try checkVersions(block)
      appends.add(block)
      head = block.head
      body(block)
    } catch {
      skip(bytes, last)
      throw error
    }
  }

  private mutating func skip(_ bytes: RawSpan, _ last: Position) {
    // The versions of its streams are no longer known.
    versions.removeAll()
    knowsAllVersions = false
    guard let before = head, bytes.byteCount >= Frame.tailCount else { return }
    let hash = bytes.withUnsafeBytes { Frame.storedHash(of: $0) }
    head = Head(position: last, hash: hash, blocks: before.blocks + 1, recorded: before.recorded)
  }

  private mutating func checkVersions(_ block: BlockView) throws(BlockDefect) {
    var names: [Int: Name] = [:]
    for index in 0..<block.count {
      let event = block.event(at: index)
      let name: Name
      if let known = names[event.streamNumber] {
        name = known
      } else {
        name = Name(copying: event.stream)
        names[event.streamNumber] = name
      }
      let before = versions[name] ?? (knowsAllVersions ? 0 : event.version.rawValue - 1)
      // Not compared with `before + 1`, which overflows: a damaged block can have any version, the largest included.
      guard event.version.rawValue - 1 == before else {
        throw .malformed(
          "event \(event.position) has version \(event.version) of stream \(name), after version \(before)")
      }
      versions[name] = event.version.rawValue
    }
  }
}
