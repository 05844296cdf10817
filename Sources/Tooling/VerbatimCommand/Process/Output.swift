// Buffered output to a descriptor; no content of a log or an argument reaches a terminal as control characters.
internal import Files
internal import Terminal

/// A buffer of bytes for a descriptor; bytes that were not flushed are lost.
///
/// Everything that the program prints is written here. Text for people has visible signs in place of control characters
/// and bidirectional controls. Bytes are written unchanged: JSON, whose writer escapes the same characters, and
/// documents and scripts that the program generates.
struct Output {
  private let descriptor: Descriptor
  private var buffer: [UInt8] = []
  private static let byteCountMax = 1 << 16

  init(_ descriptor: Int32) { self.descriptor = Descriptor(descriptor) }

  /// Writes bytes unchanged, at the latest with the next flush: JSON, a document, a script.
  mutating func write(_ bytes: [UInt8]) throws(Failure) {
    buffer.append(contentsOf: bytes)
    if buffer.count >= Self.byteCountMax { try flush() }
  }

  /// Writes a text; control characters in it, except line ends, become visible signs.
  mutating func write(_ text: String) throws(Failure) { try write(Array(text.visible().utf8)) }

  /// Writes styled lines; styles are kept on a terminal, all other control characters become visible signs.
  mutating func write(styled text: String) throws(Failure) {
    try write(Array(text.visible(keepingStyles: descriptor.isTerminal).utf8))
  }

  /// Writes the buffer to the descriptor.
  mutating func flush() throws(Failure) {
    defer { buffer.removeAll(keepingCapacity: true) }
    do throws(FileError) { try descriptor.send(buffer) } catch {
      if error.isClosedPipe { throw .outputClosed }
      throw Failure(.unable, "The output cannot be written (\(error)): free space, or write it elsewhere.")
    }
  }
}
