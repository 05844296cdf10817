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
      try file.forEachBlock(in: pages) { block, bytes in
        if block.first > head.position { candidates[block.first, default: []].append(bytes) }
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

extension DataFile {
  /// Passes each sequence of bytes in a range of pages that has the form of a block to the closure.
  fileprivate func forEachBlock(
    in pages: Range<UInt64>, _ body: (BlockView, [UInt8]) -> Void
  ) throws(DataFileError) {
    let (start, end) = (Int(pages.lowerBound) * pageSize, Int(pages.upperBound) * pageSize)
    let window = UnsafeMutableRawBufferPointer.allocate(byteCount: min(end - start, 1 << 20), alignment: 16)
    defer { window.deallocate() }
    var offset = start
    while offset + Frame.headCount <= end {
      let part = UnsafeMutableRawBufferPointer(rebasing: window[..<min(window.count, end - offset)])
      let count = try read(at: offset, into: part)
      guard count >= Frame.headCount else { return }
      var index = 0
      // The last bytes of a window are read again as the first of the next.
      while index + Frame.headCount <= count {
        if part[index] == UInt8(ascii: "V"), let byteCount = Frame.length(at: part, index),
          byteCount <= end - offset - index
        {
          let bytes = try bytes(at: offset + index, count: byteCount)
          if let block = try? BlockView(bytes.span.bytes) { body(block, bytes) }
        }
        index += 1
      }
      offset += index
    }
  }

  /// Returns `count` bytes at an offset; none when the file ends before.
  internal func bytes(at offset: Int, count: Int) throws(DataFileError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let read = bytes.withUnsafeMutableBytes { buffer in
      Result { () throws(DataFileError) in try self.read(at: offset, into: buffer) }
    }
    return try read.get() == count ? bytes : []
  }
}
