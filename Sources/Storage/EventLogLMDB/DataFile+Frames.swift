// The search for the frames of blocks in a file whose trees are not used.
internal import EventLog
internal import LMDBPages

extension DataFile {
  /// Passes each sequence of bytes in a range of the file that begins like a frame to the closure, with its offset.
  ///
  /// The closure returns whether the sequence is a frame: the bytes within one are its content, and are not searched.
  internal func forEachFrame(
    in range: Range<Int>, _ body: (_ offset: Int, _ bytes: [UInt8]) -> Bool
  ) throws(DataFileError) {
    let window = UnsafeMutableRawBufferPointer.allocate(byteCount: min(range.count, 1 << 20), alignment: 16)
    defer { window.deallocate() }
    var start = range.lowerBound
    while start + Frame.headCount <= range.upperBound {
      let part = UnsafeMutableRawBufferPointer(rebasing: window[..<min(window.count, range.upperBound - start)])
      let count = try read(at: start, into: part)
      guard count >= Frame.headCount else { return }
      var index = 0
      // The last bytes of a window are read again as the first of the next.
      while index + Frame.headCount <= count {
        let offset = start + index
        guard part[index] == UInt8(ascii: "V"), let byteCount = Frame.length(at: UnsafeRawBufferPointer(part), index),
          byteCount <= range.upperBound - offset
        else {
          index += 1
          continue
        }
        index += body(offset, try bytes(at: offset, count: byteCount)) ? byteCount : 1
      }
      start += index
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
