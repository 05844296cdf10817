// What is written is read back, and what was not written so is refused.
import Bytes
import SeededRandom
import Testing

/// The numbers around each limit at which a varint becomes a byte longer.
private let limits: [UInt64] =
  [0, .max]
  + (1...9).flatMap { groups -> [UInt64] in
    let limit = UInt64(1) << (7 * UInt64(groups))
    return [limit - 1, limit, limit + 1]
  }

@Suite struct `A number of seven-bit groups` {
  @Test(arguments: limits) func `is read as it was written`(value: UInt64) {
    let bytes = varint(value)
    #expect(bytes.count == varintByteCount(value))
    #expect(readVarint(bytes) == value)
  }

  @Test func `of any size is read as it was written, in as many bytes as were counted`() {
    var random = SeededRandom.printingSeed()
    for _ in 0..<20_000 {
      let value = random.number()
      let bytes = varint(value)
      if bytes.count != varintByteCount(value) || readVarint(bytes) != value { Issue.record("\(value)") }
    }
  }

  @Test func `is written as the format says`() {
    #expect(varint(1) == [1])
    #expect(varint(127) == [0x7F])
    #expect(varint(128) == [0x80, 1])
    #expect(varint(300) == [0xAC, 2])
    #expect(varint(.max) == [UInt8](repeating: 0xFF, count: 9) + [1])
  }

  @Test(arguments: limits) func `in more bytes than it needs is refused`(value: UInt64) {
    var bytes = varint(value)
    while bytes.count < 12 {
      bytes[bytes.count - 1] |= 0x80
      bytes.append(0)
      #expect(readVarint(bytes) == nil)
    }
  }

  @Test func `of more than 64 bits is refused`() {
    for last in 2...255 as ClosedRange<UInt8> {
      #expect(readVarint([UInt8](repeating: 0xFF, count: 9) + [last]) == nil)
    }
    #expect(readVarint([UInt8](repeating: 0xFF, count: 10) + [0]) == nil)
    #expect(readVarint([UInt8](repeating: 0x80, count: 100)) == nil)
  }

  @Test(arguments: limits) func `is refused when it is cut short anywhere`(value: UInt64) {
    let bytes = varint(value)
    for count in bytes.indices { #expect(readVarint(Array(bytes.prefix(count))) == nil) }
  }
}

@Suite struct `A run of bytes` {
  @Test func `is read value for value as it was written`() {
    var random = SeededRandom.printingSeed()
    for _ in 0..<300 {
      let values = (0..<random.below(30)).map { _ in random.value() }
      let bytes = written(values)
      #expect(read(values, from: bytes) == nil)
    }
  }

  @Test func `is refused when it is cut short anywhere`() {
    var random = SeededRandom.printingSeed()
    for _ in 0..<50 {
      let values = (0..<1 + random.below(5)).map { _ in random.value() }
      let bytes = written(values)
      for count in bytes.indices {
        if read(values, from: Array(bytes.prefix(count))) == nil { Issue.record("\(values) cut to \(count)") }
      }
    }
  }

  @Test(arguments: [6, 7, 127, 128, 1 << 31, 1 << 32, 1 << 62, 1 << 63, .max] as [UInt64])
  func `is refused when a length reaches past its end`(length: UInt64) {
    let bytes = varint(length) + [1, 2, 3, 4, 5]
    var reader = ByteReader(bytes.span.bytes)
    let range = reader.lengthDelimited()
    #expect(range == nil)
  }

  @Test func `is read within the part that was asked for and not beyond`() {
    let bytes: [UInt8] = [9, 5, 1, 2, 3, 4, 5, 6, 7, 8]
    var reader = ByteReader(bytes.span.bytes, from: 1, to: 6)
    let beyond = reader.lengthDelimited()
    #expect(beyond == nil)
    reader = ByteReader(bytes.span.bytes, from: 1, to: 7)
    let range = reader.lengthDelimited()
    #expect(range == 2..<7)
    let atEnd = (
      reader.isAtEnd, reader.peek, reader.varint(), reader.fixed32(), reader.fixed64(), reader.skip(6)
    )
    #expect(atEnd == (true, nil, nil, nil, nil, false))
    reader = ByteReader(bytes.span.bytes, from: 3, to: 6)
    let four = (reader.fixed32(), reader.offset)
    #expect(four == (nil, 3))
    reader = ByteReader(bytes.span.bytes, from: 3, to: 10)
    let both = (reader.fixed64(), reader.fixed32())
    #expect(both == (nil, 0x0504_0302))
  }

  @Test func `lets step over the byte that was expected only`() {
    let bytes: [UInt8] = [7, 8]
    var reader = ByteReader(bytes.span.bytes)
    let first = (reader.skip(8), reader.offset, reader.skip(7), reader.peek, reader.skip(8), reader.isAtEnd)
    #expect(first == (false, 0, true, 8, true, true))
  }

  @Test func `can be emptied and written again`() {
    var random = SeededRandom.printingSeed()
    var writer = ByteWriter()
    for size in [10, 3_000_000, 0, 5, 2_000_000, 1000] {
      let bytes = random.noise(min(size, 1000)) + [UInt8](repeating: 7, count: max(0, size - 1000))
      bytes.withUnsafeBytes { writer.bytes($0) }
      #expect(writer.count == size)
      #expect(writer.array() == bytes)
      writer.removeAll()
      #expect(writer.array() == [])
    }
    writer.byte(1)
    writer.removeAll()
    writer.byte(2)
    #expect(writer.array() == [2])
  }

  @Test func `names its fields as Protocol Buffers does`() {
    var writer = ByteWriter()
    writer.field(1, varint: 150)
    writer.field(2, fixed64: 1)
    [UInt8]("testing".utf8).withUnsafeBytes { writer.field(2, bytes: $0) }
    writer.field(16, fixed32: 0x0102_0304)
    let expected: [UInt8] =
      [0x08, 0x96, 0x01, 0x11, 1, 0, 0, 0, 0, 0, 0, 0, 0x12, 7] + Array("testing".utf8)
      + [0x85, 0x01, 4, 3, 2, 1]
    #expect(writer.array() == expected)
  }
}

private enum Value {
  case number(UInt64)
  case four(UInt32)
  case eight(UInt64)
  case byte(UInt8)
  case bytes([UInt8])
}

extension SeededRandom {
  fileprivate mutating func value() -> Value {
    switch below(5) {
    case 0: .number(number())
    case 1: .four(UInt32(truncatingIfNeeded: next()))
    case 2: .eight(next())
    case 3: .byte(UInt8(below(256)))
    default: .bytes(noise(below(200)))
    }
  }
}

private func varint(_ value: UInt64) -> [UInt8] { written([.number(value)]) }

/// The number that bytes begin with.
private func readVarint(_ bytes: [UInt8]) -> UInt64? {
  var reader = ByteReader(bytes.span.bytes)
  return reader.varint()
}

private func written(_ values: [Value]) -> [UInt8] {
  var writer = ByteWriter()
  for value in values {
    switch value {
    case .number(let number): writer.varint(number)
    case .four(let number): writer.fixed32(number)
    case .eight(let number): writer.fixed64(number)
    case .byte(let byte): writer.byte(byte)
    case .bytes(let bytes):
      writer.varint(UInt64(bytes.count))
      bytes.withUnsafeBytes { writer.bytes($0) }
    }
  }
  return writer.array()
}

/// The index of the first value that is not read as it was; nil when all are and nothing is left.
private func read(_ values: [Value], from bytes: [UInt8]) -> Int? {
  var reader = ByteReader(bytes.span.bytes)
  for (index, value) in values.enumerated() {
    let isRead =
      switch value {
      case .number(let number): reader.varint() == number
      case .four(let number): reader.fixed32() == number
      case .eight(let number): reader.fixed64() == number
      case .byte(let byte): reader.skip(byte)
      case .bytes(let content): reader.lengthDelimited().map { Array(bytes[$0]) } == content
      }
    if !isRead { return index }
  }
  return reader.isAtEnd ? nil : values.count
}
