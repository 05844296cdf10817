// Reads a descriptor line by line; can return only lines that are available without blocking.
internal import Errors
internal import Files

/// The lines of a descriptor.
struct LineReader {
  /// The result of reading a line.
  enum Outcome: Equatable {
    /// A line without its line end.
    case line([UInt8])
    /// No complete line is available yet.
    case nothingYet
    /// The input has ended.
    case end
  }

  /// The number of the last line read, from 1.
  private(set) var number = 0

  private let descriptor: Descriptor
  private let byteCountMax: Int
  private var buffer: [UInt8] = []
  private var start = 0
  /// The end of the buffer's part that was searched for a line end.
  private var searched = 0
  private var isAtEnd = false

  /// Creates a reader of lines of at most `byteCountMax` bytes.
  init(_ descriptor: Int32, byteCountMax: Int = 32 << 20) {
    self.descriptor = Descriptor(descriptor)
    self.byteCountMax = byteCountMax
  }

  /// Returns the next line; without `waits`, only if it is available without blocking.
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
    isAtEnd = try rethrow(
      descriptor.receive(into: &buffer, atMost: 1 << 16) == 0,
      as: { (error: FileError) in Failure(.unable, "The input cannot be read (\(error)): check its source.") })
  }

  private var tooLong: Failure {
    Failure(
      .misused, "Line \(number + 1) has more than \(byteCountMax) bytes: keep large content elsewhere.")
  }
}
