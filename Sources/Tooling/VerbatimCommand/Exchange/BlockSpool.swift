// The blocks of an import, kept until all lines are checked.
internal import EventLog
internal import Files

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Consecutive blocks in a file without a name, of which each follows its length.
struct BlockSpool: ~Copyable {
  private let descriptor: Int32
  private var unwritten: [UInt8] = []

  /// Creates an empty spool, in a file beside a path if possible.
  init(beside path: String) throws(Failure) { descriptor = try namelessFile(beside: path) }

  /// Adds a block.
  mutating func add(_ block: BlockView) throws(Failure) {
    withUnsafeBytes(of: UInt64(block.bytes.byteCount)) { unwritten.append(contentsOf: $0) }
    block.bytes.withUnsafeBytes { unwritten.append(contentsOf: $0) }
    if unwritten.count >= 1 << 20 { try write() }
  }

  /// Passes the blocks, of which the first follows a head, in their order to the closure, each with the head before it.
  mutating func forEachBlock(after head: Head, _ body: (BlockView, Head) throws(Failure) -> Void) throws(Failure) {
    try write()
    lseek(descriptor, 0, SEEK_SET)
    var head = head
    var (bytes, start) = ([UInt8](), 0)
    while try fill(&bytes, from: &start, count: 8) {
      let count = bytes.withUnsafeBytes { Int($0.loadUnaligned(fromByteOffset: start, as: UInt64.self)) }
      start += 8
      guard try fill(&bytes, from: &start, count: count) else { throw unreadable(nil) }
      guard let block = try? BlockView(bytes.span.bytes.extracting(start..<start + count)),
        (try? block.validate(after: head)) != nil
      else { throw unreadable(nil) }
      try body(block, head)
      head = block.head
      start += count
    }
  }

  /// Reads until `count` bytes follow the start; returns false at the end of the file.
  private func fill(_ bytes: inout [UInt8], from start: inout Int, count: Int) throws(Failure) -> Bool {
    while bytes.count - start < count {
      if start > 0 {
        bytes.removeFirst(start)
        start = 0
      }
      let received: Int
      do throws(FileError) {
        received = try Descriptor(descriptor).receive(into: &bytes, atMost: max(1 << 18, count - bytes.count))
      } catch {
        throw unreadable(error)
      }
      if received > 0 { continue }
      if bytes.isEmpty { return false }
      throw unreadable(nil)
    }
    return true
  }

  private mutating func write() throws(Failure) {
    do throws(FileError) { try Descriptor(descriptor).send(unwritten) } catch {
      throw Failure(
        .unable, "The blocks cannot be kept in a temporary file until all lines are checked (\(error)): free space.")
    }
    unwritten.removeAll(keepingCapacity: true)
  }

  private func unreadable(_ error: FileError?) -> Failure {
    let reason = error.map { "\($0)" } ?? "its content has changed"
    return Failure(.unable, "The temporary file with the blocks cannot be read (\(reason)): import again.")
  }

  deinit { close(descriptor) }
}
