// Blocks that follow the end of a log and are not in force.
internal import EventLog
internal import LMDBPages

/// The blocks in unused pages of a log's file that continue the chain after its head.
///
/// A commit writes its pages, syncs them, and then writes the meta page that puts them in force. If that last write
/// fails, or a damaged number in a meta page puts an older state in force, the block is still in the file. Position and
/// chain hash prove that it follows the head, so that nothing else can be mistaken for it.
internal struct LostTail {
  /// The bytes of the blocks, in order; at least one.
  let blocks: [[UInt8]]
  /// The end of the log with these blocks.
  let head: Head

  /// Searches the unused pages of a file; nil when none of them holds a block that follows the head.
  init?(in file: DataFile, unused: [Range<UInt64>], after head: Head) throws(DataFileError) {
    var candidates: [Position: [[UInt8]]] = [:]
    for pages in unused {
      let range = Int(pages.lowerBound) * file.pageSize..<Int(pages.upperBound) * file.pageSize
      try file.forEachFrame(in: range) { _, bytes in
        if let block = try? BlockView(bytes.span.bytes), block.first > head.position {
          candidates[block.first, default: []].append(bytes)
        }
        // Its checksum is not verified here: it may only look like a block, and contain the beginning of a real one.
        return false
      }
    }
    var (blocks, end) = ([[UInt8]](), head)
    while let next = Self.block(among: candidates[end.position.next] ?? [], after: end) {
      blocks.append(next.bytes)
      end = next.head
    }
    guard !blocks.isEmpty else { return nil }
    (self.blocks, self.head) = (blocks, end)
  }

  private static func block(among candidates: [[UInt8]], after head: Head) -> (bytes: [UInt8], head: Head)? {
    for bytes in candidates {
      guard let block = try? BlockView(bytes.span.bytes), (try? block.validate(after: head)) != nil else { continue }
      return (bytes, block.head)
    }
    return nil
  }
}
