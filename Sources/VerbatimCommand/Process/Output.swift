// Writes to a descriptor, many lines at a time.

/// Bytes on their way to a descriptor; what was not flushed is lost with it.
struct Output {
  private let descriptor: Descriptor
  private var buffer: [UInt8] = []
  private static let byteCountMax = 1 << 16

  init(_ descriptor: Int32) { self.descriptor = Descriptor(descriptor) }

  /// Writes bytes, at the latest when it is flushed.
  mutating func write(_ bytes: [UInt8]) throws(Failure) {
    buffer.append(contentsOf: bytes)
    if buffer.count >= Self.byteCountMax { try flush() }
  }

  /// Writes a text.
  mutating func write(_ text: String) throws(Failure) { try write(Array(text.utf8)) }

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
