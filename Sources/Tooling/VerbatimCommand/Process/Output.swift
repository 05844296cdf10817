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
  /// Whether it is the output of a check, which goes on without a reader.
  private let isOfCheck: Bool
  private var buffer: [UInt8] = []
  /// Whether the reader of a check's output has gone.
  private(set) var isClosed = false
  private static let byteCountMax = 1 << 16

  /// Creates the output to a descriptor.
  ///
  /// The reader of a check's output may close it and read only the exit code: nothing more is written then.
  init(_ descriptor: Int32, ofCheck isOfCheck: Bool = false) {
    (self.descriptor, self.isOfCheck) = (Descriptor(descriptor), isOfCheck)
  }

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
      if error.isClosedPipe, isOfCheck {
        isClosed = true
        return
      }
      if error.isClosedPipe { throw .outputClosed }
      throw Failure(.unable, "The output cannot be written (\(error)): free space, or write it elsewhere.")
    }
  }
}
