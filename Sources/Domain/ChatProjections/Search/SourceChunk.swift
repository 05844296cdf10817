// A row of the sources of a run's texts.
package import Bytes
internal import Chat
internal import ChatCodec
internal import Tables

/// The sources of consecutive texts of a run.
///
/// Channels and authors are stored first, each once, in the order of their first use; then for each text: its channel's
/// number and whether it is an edit, its author's number, the length of the prefix that its message's id shares with
/// the previous one, and the rest of the id.
package struct SourceChunk: BinaryRow, Hashable {
  package static let isWrittenOnce = true

  private var names: [String] = []
  private var ids: [UInt8] = []
  private var entries: [Entry] = []

  private struct Entry: Hashable {
    let channel: Int
    /// The author's number from 1; 0 for an unknown author.
    let author: Int
    let isEdit: Bool
    let id: Range<Int>
  }

  /// Creates a row of text sources.
  package init(_ sources: some Sequence<TextSource>) {
    var numbers: [String: Int] = [:]
    for source in sources {
      let channel = number(of: source.key.channel.text, &numbers)
      let author = source.author.map { number(of: $0.text, &numbers) + 1 } ?? 0
      let start = ids.count
      ids.append(contentsOf: source.key.id.text.utf8)
      entries.append(Entry(channel: channel, author: author, isEdit: source.isEdit, id: start..<ids.count))
    }
  }

  private mutating func number(of name: String, _ numbers: inout [String: Int]) -> Int {
    if let number = numbers[name] { return number }
    numbers[name] = names.count
    names.append(name)
    return names.count - 1
  }

  /// The number of sources.
  package var count: Int { entries.count }

  /// Returns the source with an index.
  package func source(at number: Int) -> TextSource? {
    guard entries.indices.contains(number) else { return nil }
    let entry = entries[number]
    let id = ids.span.bytes.extracting(entry.id)
    guard let id = Message.ID(spelledBy: id), let channel = Channel.ID(rawValue: names[entry.channel]) else {
      return nil
    }
    let author = entry.author == 0 ? nil : User.ID(rawValue: names[entry.author - 1])
    return TextSource(key: Message.Key(channel, id), author: author, isEdit: entry.isEdit)
  }
}

// MARK: Stored form

extension SourceChunk {
  package init?(decoding bytes: RawSpan) {
    var reader = ByteReader(bytes)
    guard let nameCount = reader.varint(), nameCount <= UInt64(bytes.byteCount) else { return nil }
    for _ in 0..<nameCount {
      guard let range = reader.lengthDelimited(), let id = Channel.ID(spelledBy: bytes.extracting(range)) else {
        return nil
      }
      names.append(id.text)
    }
    var known = 0
    while !reader.isAtEnd {
      guard let entry = readEntry(&reader, &known) else { return nil }
      entries.append(entry)
    }
    guard known == names.count, !entries.isEmpty else { return nil }
  }

  @_lifetime(reader: copy reader)
  private mutating func readEntry(_ reader: inout ByteReader, _ known: inout Int) -> Entry? {
    guard let channel = reader.varint(), let author = reader.varint(), let shared = reader.varint(),
      let rest = reader.lengthDelimited(), isKnown(channel >> 1, &known),
      author == 0 || isKnown(author - 1, &known), let id = readID(shared, rest, reader.bytes)
    else { return nil }
    return Entry(channel: Int(channel >> 1), author: Int(author), isEdit: channel & 1 == 1, id: id)
  }

  /// Returns whether a name was used before, or is the next new one.
  private func isKnown(_ number: UInt64, _ known: inout Int) -> Bool {
    guard number < names.count, number <= known else { return false }
    known = max(known, Int(number) + 1)
    return true
  }

  private mutating func readID(_ shared: UInt64, _ rest: Range<Int>, _ bytes: RawSpan) -> Range<Int>? {
    let last = entries.last?.id ?? 0..<0
    guard shared <= last.count else { return nil }
    let start = ids.count
    ids.append(contentsOf: ids[last.prefix(Int(shared))])
    bytes.extracting(rest).withUnsafeBytes { ids.append(contentsOf: $0) }
    let id = start..<ids.count
    guard Message.ID(spelledBy: ids.span.bytes.extracting(id)) != nil, self.shared(id, last) == shared else {
      return nil
    }
    return id
  }

  package func encode(into writer: inout ByteWriter) {
    writer.varint(UInt64(names.count))
    for name in names { writer.name(name) }
    var last = 0..<0
    for entry in entries {
      writer.varint(UInt64(entry.channel << 1 | (entry.isEdit ? 1 : 0)))
      writer.varint(UInt64(entry.author))
      let shared = shared(entry.id, last)
      writer.varint(UInt64(shared))
      writer.varint(UInt64(entry.id.count - shared))
      ids.withUnsafeBytes { writer.bytes(UnsafeRawBufferPointer(rebasing: $0[entry.id.dropFirst(shared)])) }
      last = entry.id
    }
  }

  /// Returns the length of the common prefix of two ids.
  private func shared(_ one: Range<Int>, _ other: Range<Int>) -> Int {
    zip(ids[one], ids[other]).prefix { $0 == $1 }.count
  }
}
