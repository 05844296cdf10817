// The numbers of texts, and the keys of the tables of a search.
package import Bytes
package import Chat
internal import Tables

/// How many texts have been written, or which one it is: 1, 2, 3 … in the order in which they were.
package struct TextNumber: TableRow, Hashable {
  package var rawValue: UInt64

  package init(_ rawValue: UInt64) { self.rawValue = rawValue }

  package init?(decoding bytes: RawSpan) {
    var reader = ByteReader(bytes)
    guard let value = reader.varint(), value > 0, reader.isAtEnd else { return nil }
    rawValue = value
  }

  package func encode(into writer: inout ByteWriter) { writer.varint(rawValue) }
}

/// Which message said a text, and what else is known where it is written.
package struct TextSource: Hashable, Sendable {
  package var key: Message.Key
  /// Who wrote it; nil where that is not known: who edits need not be the author.
  package var author: User.ID?
  /// Whether it took the place of another.
  package var isEdit: Bool

  /// A place with its parts.
  package init(key: Message.Key, author: User.ID?, isEdit: Bool) {
    (self.key, self.author, self.isEdit) = (key, author, isEdit)
  }
}

/// What stands among the words of a run though nobody said it: in which channel a text is, and by whom.
///
/// It begins and ends with a byte that no word has, so that none is found by the beginning of another.
struct TextLabel: Hashable {
  static let byteCountMax = idLengthMax + 2

  let bytes: [UInt8]

  /// Texts of a channel.
  init(_ channel: Channel.ID) { bytes = [1] + channel.text.utf8 + [0] }

  /// Texts that somebody wrote; nil for those of which that is not known.
  init(_ author: User.ID?) { bytes = [2] + (author?.text ?? "").utf8 + [0] }
}

/// The key of a text in the open run: its slot in two bytes, the greater first.
struct SlotKey: TableKey {
  let slot: Int

  /// The key of a slot.
  init(_ slot: Int) { self.slot = slot }

  /// The key that bytes are; nil when they are none.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count == 2 else { return nil }
    slot = Int(UInt16(bigEndian: bytes.loadUnaligned(as: UInt16.self)))
  }

  func withKeyBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
    withUnsafeBytes(of: UInt16(slot).bigEndian, body)
  }
}

/// The key of a row of a run: its number in four bytes, then the last word in the row, or the row's number in two.
struct RunKey: TableKey {
  let run: UInt32
  let rest: [UInt8]

  /// The row whose last word is this.
  init(_ run: UInt64, lastWord: [UInt8]) { (self.run, rest) = (UInt32(run), lastWord) }

  /// The row with a number.
  init(_ run: UInt64, row: Int) { (self.run, rest) = (UInt32(run), [UInt8(row >> 8), UInt8(row & 0xFF)]) }

  func withKeyBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
    withUnsafeTemporaryAllocation(byteCount: 4 + rest.count, alignment: 4) { room in
      room.storeBytes(of: run.bigEndian, as: UInt32.self)
      UnsafeMutableRawBufferPointer(rebasing: room[4...]).copyBytes(from: rest)
      return body(UnsafeRawBufferPointer(room))
    }
  }

  /// Whether a key is that of a row of a run.
  static func belongs(_ key: UnsafeRawBufferPointer, to run: UInt64) -> Bool {
    key.count > 4 && UInt32(bigEndian: key.loadUnaligned(as: UInt32.self)) == UInt32(run)
  }
}
