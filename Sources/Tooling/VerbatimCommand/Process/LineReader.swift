// Reads a descriptor line by line, and tells whether another line is there already.

/// The lines that come from a descriptor.
struct LineReader {
  /// What came of asking for a line.
  enum Outcome: Equatable {
    /// A line without its end.
    case line([UInt8])
    /// None yet.
    case nothingYet
    /// None ever.
    case end
  }

  /// The number of the last line that was read, from 1.
  private(set) var number = 0

  private let descriptor: Descriptor
  private let byteCountMax: Int
  private var buffer: [UInt8] = []
  private var start = 0
  /// How far the buffer was searched for the end of a line.
  private var searched = 0
  private var isAtEnd = false

  /// Reads a descriptor whose lines have so many bytes at most.
  init(_ descriptor: Int32, byteCountMax: Int = 32 << 20) {
    self.descriptor = Descriptor(descriptor)
    self.byteCountMax = byteCountMax
  }

  /// The next line; without waiting, only if it is there.
  mutating func next(waits: Bool) throws(Failure) -> Outcome {
    while true {
      if let line = takeLine() { return .line(line) }
      if buffer.count - start > byteCountMax { throw tooLong }
      if isAtEnd { return takeRest() }
      guard waits || descriptor.isReadable else { return .nothingYet }
      try fill()
    }
  }

  private mutating func takeLine() -> [UInt8]? {
    guard let end = buffer[searched...].firstIndex(of: 0x0A), end - start <= byteCountMax else {
      if buffer.count - start <= byteCountMax { searched = buffer.count }
      return nil
    }
    defer {
      start = end + 1
      searched = start
    }
    number += 1
    return Array(buffer[start..<end])
  }

  private mutating func takeRest() -> Outcome {
    guard start < buffer.count else { return .end }
    defer { start = buffer.count }
    number += 1
    return .line(Array(buffer[start...]))
  }

  private mutating func fill() throws(Failure) {
    buffer.removeFirst(start)
    searched -= start
    start = 0
    do throws(SystemError) {
      isAtEnd = try descriptor.receive(into: &buffer, atMost: 1 << 16) == 0
    } catch {
      throw Failure(.unable, "The input cannot be read (\(error)): check where it comes from.")
    }
  }

  private var tooLong: Failure {
    Failure(
      .misused, "Line \(number + 1) has more than \(byteCountMax) bytes: keep large content elsewhere.")
  }
}
