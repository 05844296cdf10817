// Writes to a descriptor, many lines at a time; nothing that a log or an argument holds acts on a terminal.
internal import Terminal

/// Bytes on their way to a descriptor; what was not flushed is lost with it.
///
/// All that the program prints goes through here. Text for people has signs in place of control characters and marks
/// of direction, whatever it quotes. Bytes go as they are: they are for JSON, whose writer escapes the same
/// characters, and for documents and scripts that the program makes.
struct Output {
  private let descriptor: Descriptor
  private var buffer: [UInt8] = []
  private static let byteCountMax = 1 << 16

  init(_ descriptor: Int32) { self.descriptor = Descriptor(descriptor) }

  /// Writes bytes as they are, at the latest when it is flushed: JSON, a document, a script.
  mutating func write(_ bytes: [UInt8]) throws(Failure) {
    buffer.append(contentsOf: bytes)
    if buffer.count >= Self.byteCountMax { try flush() }
  }

  /// Writes a text: a control character in it, but for line ends, becomes a sign.
  mutating func write(_ text: String) throws(Failure) { try write(Array(text.visible().utf8)) }

  /// Writes a text of lines with looks, which stay where there is a terminal; all else in it becomes signs.
  mutating func write(styled text: String) throws(Failure) {
    try write(Array(text.visible(keepingStyles: descriptor.isTerminal).utf8))
  }

  /// Writes what was held back.
  mutating func flush() throws(Failure) {
    defer { buffer.removeAll(keepingCapacity: true) }
    var rest = buffer[...]
    do throws(SystemError) {
      while !rest.isEmpty { rest = rest.dropFirst(try descriptor.send(rest)) }
    } catch {
      if error.isClosedPipe { throw .outputClosed }
      throw Failure(.unable, "The output cannot be written (\(error)): make room, or write it elsewhere.")
    }
  }
}
