// The numbers of texts, and the keys of the tables of a search.
package import Bytes
package import Chat
internal import Tables

/// The number of texts written so far, or of one text: 1, 2, 3 … in the order of writing.
package struct TextNumber: BinaryRow, Hashable {
  package var rawValue: UInt64

  package init(_ rawValue: UInt64) { self.rawValue = rawValue }

  package init?(decoding bytes: RawSpan) {
    var reader = ByteReader(bytes)
    guard let value = reader.varint(), value > 0, reader.isAtEnd else { return nil }
    rawValue = value
  }

  package func encode(into writer: inout ByteWriter) { writer.varint(rawValue) }
}

/// The message that a text belongs to, and the other facts known when it is written.
package struct TextSource: Hashable, Sendable {
  package var key: Message.Key
  /// The author of the text; nil where unknown: the author of an edit need not be that of the message.
  package var author: User.ID?
  /// Whether the text replaced another.
  package var isEdit: Bool

  /// Creates a source from its parts.
  package init(key: Message.Key, author: User.ID?, isEdit: Bool) {
    (self.key, self.author, self.isEdit) = (key, author, isEdit)
  }
}

/// A label indexed like a word of a run, which gives the channel or the author of a text.
///
/// It begins and ends with a byte that no word has, so that neither is found by a prefix of the other.
struct TextLabel: Hashable {
  static let byteCountMax = idLengthMax + 2

  let bytes: [UInt8]

  /// Creates the label of the texts of a channel.
  init(_ channel: Channel.ID) { bytes = [1] + channel.text.utf8 + [0] }

  /// Creates the label of the texts of an author; nil for those of an unknown author.
  init(_ author: User.ID?) { bytes = [2] + (author?.text ?? "").utf8 + [0] }
}

/// The key of a text in the open run: its slot as two big-endian bytes.
struct SlotKey: TableKey {
  let slot: Int

  /// Creates the key of a slot.
  init(_ slot: Int) { self.slot = slot }

  /// Decodes a key; nil when the bytes are not a valid one.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count == 2 else { return nil }
    slot = Int(UInt16(bigEndian: bytes.loadUnaligned(as: UInt16.self)))
  }

  func withKeyBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
    withUnsafeBytes(of: UInt16(slot).bigEndian, body)
  }
}

/// The key of a row of a run: the run's number in four bytes, then the row's last word, or its number in two.
struct RunKey: TableKey {
  let run: UInt32
  let rest: [UInt8]

  /// Creates the key of the row with a last word.
  init(_ run: UInt64, lastWord: [UInt8]) { (self.run, rest) = (UInt32(run), lastWord) }

  /// Creates the key of the row with a number.
  init(_ run: UInt64, row: Int) { (self.run, rest) = (UInt32(run), [UInt8(row >> 8), UInt8(row & 0xFF)]) }

  func withKeyBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
    withUnsafeTemporaryAllocation(byteCount: 4 + rest.count, alignment: 4) { room in
      room.storeBytes(of: run.bigEndian, as: UInt32.self)
      UnsafeMutableRawBufferPointer(rebasing: room[4...]).copyBytes(from: rest)
      return body(UnsafeRawBufferPointer(room))
    }
  }

  /// Returns whether a key is that of a row of a run.
  static func belongs(_ key: UnsafeRawBufferPointer, to run: UInt64) -> Bool {
    key.count > 4 && UInt32(bigEndian: key.loadUnaligned(as: UInt32.self)) == UInt32(run)
  }
}
