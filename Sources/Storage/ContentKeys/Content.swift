// Which keys encrypt the content of an event.
internal import Bytes
internal import EventLog

/// The kinds of content, which have keys of their own.
internal enum ContentKind: UInt8, Sendable {
  /// Profiles, and notes that only their author sees.
  case profile
  /// Messages, with reasons and notes of moderators.
  case message
  /// Unsent text: typed, and in drafts.
  case typing
  /// The profile of a channel: its name and its picture.
  case channel
}

/// The kind of content of a stream, and the channel it is in.
internal struct ContentPlace: ~Escapable {
  let kind: ContentKind
  /// The bytes of the channel's id; nil for a stream outside channels.
  let channel: RawSpan?

  /// Reads the place from a stream's name.
  @_lifetime(copy stream)
  init(_ stream: RawSpan) {
    var path = PathReader(stream)
    switch path.next() {
    case .channel: (kind, channel) = (.message, path.part())
    case .draft:
      _ = path.part()
      (kind, channel) = (.typing, path.part())
    case .composer:
      _ = path.part()
      _ = path.part()
      (kind, channel) = (.typing, path.part())
    case .other: (kind, channel) = (.profile, nil)
    }
  }
}

extension UnsafeRawBufferPointer {
  fileprivate func isWord(_ word: StaticString) -> Bool {
    hasSameBytes(as: UnsafeRawBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
  }
}

/// A cursor over the parts of a stream's name.
private struct PathReader: ~Escapable {
  enum Word { case channel, draft, composer, other }

  private let bytes: RawSpan
  private var offset = 0

  @_lifetime(copy bytes)
  init(_ bytes: RawSpan) { self.bytes = bytes }

  @_lifetime(self: copy self)
  mutating func next() -> Word {
    let word = part()
    guard let word else { return .other }
    return word.withUnsafeBytes { word in
      if word.isWord("channel") { return .channel }
      if word.isWord("composer") { return .composer }
      return word.isWord("draft") ? .draft : .other
    }
  }

  /// Returns the next part; nil when there is none.
  @_lifetime(copy self)
  @_lifetime(self: copy self)
  mutating func part() -> RawSpan? {
    guard offset <= bytes.byteCount else { return nil }
    let rest = bytes.extracting(offset..<bytes.byteCount)
    let count = rest.withUnsafeBytes { $0.firstIndex(of: UInt8(ascii: "/")) ?? $0.count }
    offset += count + 1
    return rest.extracting(0..<count)
  }
}

/// The bytes before an envelope: the generation of the keys, and all that does not follow from the event.
internal struct ContentHeader {
  var generation: UInt32 = 0
  /// Whether the content belongs to the channel.
  var isOfChannel = false
  /// The day of the keys, where it is not that of the event.
  var day: Day?
  /// The owner of the content, where that is not the author of the event.
  var owner: Owner?

  /// A person, or the workspace.
  enum Owner: Hashable { case person(Name), workspace }

  /// Writes the header: a number of flags and the generation, then the day, then the owner.
  func write(to writer: inout ByteWriter) {
    writer.varint(
      UInt64(generation) << 3 | (isOfChannel ? 4 : 0) | (day == nil ? 0 : 2) | (owner == nil ? 0 : 1))
    if let day { writer.varint(UInt64(UInt32(bitPattern: day.rawValue))) }
    switch owner {
    case .person(let name):
      name.withBytes { name in
        writer.varint(UInt64(name.count))
        writer.bytes(name)
      }
    case .workspace: writer.varint(0)
    case nil: return
    }
  }

  init() {}

  /// Reads a header; nil when it is malformed.
  @_lifetime(reader: copy reader)
  init?(_ reader: inout ByteReader) {
    guard let flags = reader.varint(), flags >> 3 <= UInt32.max else { return nil }
    generation = UInt32(flags >> 3)
    isOfChannel = flags & 4 != 0
    if flags & 2 != 0 {
      guard let day = reader.varint(), day <= UInt32.max else { return nil }
      self.day = Day(rawValue: Int32(bitPattern: UInt32(day)))
    }
    if flags & 1 != 0 {
      guard let range = reader.lengthDelimited() else { return nil }
      if range.isEmpty {
        owner = .workspace
      } else {
        guard let name = Name(reader.bytes.extracting(range)) else { return nil }
        owner = .person(name)
      }
    }
  }
}

extension EventView {
  /// A copy of the author's name.
  var actorName: Name? {
    guard let actor else { return nil }
    return Name(copying: actor)
  }
}

extension ContentPlace {
  /// A copy of the parts.
  var copy: (kind: ContentKind, channel: Name?) {
    guard let channel else { return (kind, nil) }
    return (kind, Name(copying: channel))
  }
}
