// The keys of one person, one channel, or the workspace.
internal import Bytes
internal import Digests
public import EventLog

/// A holder of keys.
public enum KeyHolder: Hashable, Sendable {
  /// A person, by the name that authors have in the log.
  case person(Name)
  /// A channel, by its id.
  case channel(Name)
  /// The workspace: for the content of events without an author.
  case workspace
}

/// The keys of one holder, of one generation: they begin anew when all are replaced, those of a person also after an
/// erasure.
internal struct KeyEntry: Sendable {
  let holder: KeyHolder
  /// The number of the generation, from 0.
  let generation: UInt32
  /// The generation of the keys of channels with which these are used.
  let channelGeneration: UInt32
  /// The secret from which keys without a day are derived; nil when it was destroyed.
  var secret: SecretKey?
  /// The keys of what was typed; nil when they were destroyed.
  var typing: DayKey?
  /// The keys of messages, of a channel only; nil when they were destroyed.
  var messages: DayKey?

  init(
    of holder: KeyHolder, _ generation: UInt32, with channelGeneration: UInt32, from day: Day, _ newKey: () -> SecretKey
  ) {
    (self.holder, self.generation, self.channelGeneration) = (holder, generation, channelGeneration)
    secret = newKey()
    typing = DayKey(newKey(), from: day)
    if case .channel = holder { messages = DayKey(newKey(), from: day) }
  }
}

// MARK: Stored form

extension KeyEntry {
  /// The stored form, which <doc:KeyFile> describes.
  var stored: [UInt8] {
    var writer = ByteWriter()
    switch holder {
    case .person(let name): name.withBytes { writer.field(1, bytes: $0) }
    case .channel(let name): name.withBytes { writer.field(2, bytes: $0) }
    case .workspace: break
    }
    if generation != 0 { writer.field(3, varint: UInt64(generation)) }
    secret?.withBytes { writer.field(4, bytes: $0) }
    Self.write(typing, 5, &writer)
    Self.write(messages, 6, &writer)
    if channelGeneration != 0 { writer.field(7, varint: UInt64(channelGeneration)) }
    return writer.array()
  }

  private static func write(_ key: DayKey?, _ number: UInt64, _ writer: inout ByteWriter) {
    guard let key else { return }
    writer.field(
      number,
      message: { inner in
        inner.field(1, varint: UInt64(bitPattern: Int64(key.first.rawValue)))
        key.key.withBytes { inner.field(2, bytes: $0) }
      })
  }

  init?(stored bytes: RawSpan) {
    var reader = ByteReader(bytes)
    if reader.skip(1 << 3 | 2) {
      guard let name = reader.name(in: bytes) else { return nil }
      holder = .person(name)
    } else if reader.skip(2 << 3 | 2) {
      guard let name = reader.name(in: bytes) else { return nil }
      holder = .channel(name)
    } else {
      holder = .workspace
    }
    guard let generation = reader.generation(3) else { return nil }
    self.generation = generation
    if reader.skip(4 << 3 | 2) {
      guard let range = reader.lengthDelimited(), let key = SecretKey(stored: bytes.extracting(range)) else {
        return nil
      }
      secret = key
    }
    for number in 5...6 as ClosedRange<UInt8> where reader.skip(number << 3 | 2) {
      guard let range = reader.lengthDelimited(), let key = DayKey(stored: bytes.extracting(range)) else { return nil }
      if number == 5 { typing = key } else { messages = key }
    }
    guard let channelGeneration = reader.generation(7), reader.isAtEnd else { return nil }
    self.channelGeneration = channelGeneration
  }
}

extension ByteReader {
  /// Reads a field with the number of a generation, which is absent for 0; nil when it is malformed.
  fileprivate mutating func generation(_ number: UInt8) -> UInt32? {
    guard skip(number << 3) else { return 0 }
    guard let value = varint(), value > 0, value <= UInt32.max else { return nil }
    return UInt32(value)
  }
}

extension SecretKey {
  fileprivate init?(stored bytes: RawSpan) {
    guard let key = bytes.withUnsafeBytes({ SecretKey(bytes: $0) }) else { return nil }
    self = key
  }
}

extension DayKey {
  fileprivate init?(stored bytes: RawSpan) {
    var reader = ByteReader(bytes)
    guard reader.skip(1 << 3), let day = reader.varint(), let day = Int32(exactly: Int64(bitPattern: day)),
      reader.skip(2 << 3 | 2), let range = reader.lengthDelimited(),
      let key = SecretKey(stored: bytes.extracting(range)), reader.isAtEnd
    else { return nil }
    self.init(key, from: Day(rawValue: day))
  }
}
