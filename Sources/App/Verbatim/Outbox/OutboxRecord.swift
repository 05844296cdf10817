// The records of an outbox's file.
internal import Bytes
internal import Chat
internal import EventLog
internal import Files

/// A record of an outbox; the page *Outbox on disk* describes its bytes.
internal enum OutboxRecord: Hashable {
  /// An entry was added: its id, its time, its encoded submission.
  case added(AppendID, Timestamp, [UInt8])
  /// An entry was delivered.
  case delivered(AppendID)
  /// An entry was refused.
  case refused(AppendID, intent: Int?, reason: String)
  /// A refused entry was forgotten.
  case forgotten(AppendID)
  /// Damaged bytes that the user chose to skip.
  case skipped([UInt8])
  /// The composers and drafts after the entries that are no longer kept, as an encoded submission.
  case composers(Timestamp, [UInt8])

  fileprivate enum Kind: UInt8 { case added = 1, delivered, refused, forgotten, skipped, composers, addedWith }

  /// The encoded content.
  var content: [UInt8] { content(isFirst: true) }

  /// Returns the encoded content of a record that is the first one of its append, or a later one.
  func content(isFirst: Bool) -> [UInt8] {
    var writer = ByteWriter()
    writer.fixed32(0)
    switch self {
    case .added(let id, let instant, let submission):
      writer.head((isFirst ? Kind.added : .addedWith).rawValue, id)
      writer.fixed64(UInt64(bitPattern: instant.rawValue))
      submission.withUnsafeBytes { writer.bytes($0) }
    case .delivered(let id): writer.head(Kind.delivered.rawValue, id)
    case .refused(let id, let intent, let reason):
      writer.head(Kind.refused.rawValue, id)
      writer.varint(intent.map { UInt64($0) + 1 } ?? 0)
      Array(reason.utf8).withUnsafeBytes { writer.bytes($0) }
    case .forgotten(let id): writer.head(Kind.forgotten.rawValue, id)
    case .skipped(let bytes):
      writer.byte(Kind.skipped.rawValue)
      bytes.withUnsafeBytes { writer.bytes($0) }
    case .composers(let instant, let submission):
      writer.byte(Kind.composers.rawValue)
      writer.fixed64(UInt64(bitPattern: instant.rawValue))
      submission.withUnsafeBytes { writer.bytes($0) }
    }
    writer.replace32(at: 0, with: UInt32(writer.count))
    return writer.array()
  }

  /// Decodes a record; nil if a newer program wrote it.
  init?(_ content: [UInt8]) {
    var reader = ByteReader(content.span.bytes)
    guard reader.fixed32() == UInt32(content.count), content.count > 4, let kind = Kind(rawValue: content[4]) else {
      return nil
    }
    if kind == .skipped {
      self = .skipped(Array(content[5...]))
      return
    }
    if kind == .composers {
      var rest = ByteReader(content.span.bytes, from: 5)
      guard let instant = rest.fixed64() else { return nil }
      self = .composers(Timestamp(rawValue: Int64(bitPattern: instant)), Array(content[rest.offset...]))
      return
    }
    let idEnd = 5 + AppendID.byteCount
    guard content.count >= idEnd, let id = AppendID(bytes: content[5..<idEnd].span.bytes) else { return nil }
    var rest = ByteReader(content.span.bytes, from: idEnd)
    switch kind {
    case .added, .addedWith:
      guard let instant = rest.fixed64() else { return nil }
      self = .added(id, Timestamp(rawValue: Int64(bitPattern: instant)), Array(content[rest.offset...]))
    case .refused:
      guard let intent = rest.varint(), intent <= UInt32.max else { return nil }
      let reason = String(decoding: content[rest.offset...], as: UTF8.self)
      self = .refused(id, intent: intent == 0 ? nil : Int(intent) - 1, reason: reason)
    case .delivered where rest.isAtEnd: self = .delivered(id)
    case .forgotten where rest.isAtEnd: self = .forgotten(id)
    case .delivered, .forgotten, .skipped, .composers: return nil
    }
  }

  /// The size of the shortest record with its head.
  private static let byteCountMin = 12 + 5

  /// Returns whether the last bytes of a file are a torn record, which no caller was informed of.
  ///
  /// A record has its length in its head and again in its content, so a damaged length is not mistaken for a torn
  /// record.
  static func isTorn(_ tail: UnsafeRawBufferPointer) -> Bool {
    if tail.count < byteCountMin { return true }
    let length = tail.loadUnaligned(fromByteOffset: 4, as: UInt32.self)
    return tail.starts(with: "VBR1".utf8) && length == tail.loadUnaligned(fromByteOffset: 12, as: UInt32.self)
      && tail.count - 12 < Int(UInt32(littleEndian: length))
  }

  /// Returns whether bytes of a file that are no record may be the rest of one that was never on the disk as a whole:
  /// those in a sector are zeros, as an append that was not yet synced leaves them when the power fails after the file
  /// was extended. A bit that flips in a record leaves no sector without the bits of the record.
  static func isUnwritten(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Bool {
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, (offset + start) / sectorSize * sectorSize + sectorSize - offset)
      if bytes[start..<end].allSatisfy({ $0 == 0 }) { return true }
      start = end
    }
    return false
  }

  /// The size of a record of a delivery with its head.
  fileprivate static let deliveredByteCount = RecordJournal.headCount + 5 + AppendID.byteCount

  /// The smallest unit that disks write as a whole.
  private static let sectorSize = 512
}

/// The part of an outbox's file that its records prove to have been on the disk.
///
/// Entries that are added at once are one append, and so is each refused or forgotten entry: these are synced before
/// anything else is written, also by another process. So a record of another append proves that all before it were on
/// the disk, but for deliveries since; and so does one that only a compaction writes, which syncs the file.
internal struct DurableExtent {
  /// The end of what was on the disk.
  private(set) var end = 0
  /// The end of the last record of an append that is synced.
  private var synced = 0

  /// Takes bytes between two records that may be the rest of others.
  mutating func add(unwritten range: Range<Int>) {
    if range.count % OutboxRecord.deliveredByteCount != 0 { synced = range.upperBound }
  }

  /// Takes the next record, which has a range of the file.
  mutating func add(_ content: UnsafeRawBufferPointer, at range: Range<Int>) {
    // Of a newer program's records it is unknown.
    guard content.count > 4, let kind = OutboxRecord.Kind(rawValue: content[4]) else { return }
    if kind != .addedWith { end = max(end, synced) }
    switch kind {
    case .added, .addedWith, .refused, .forgotten: synced = range.upperBound
    case .skipped, .composers: (end, synced) = (range.upperBound, range.upperBound)
    case .delivered: break
    }
  }
}

extension ByteWriter {
  fileprivate mutating func head(_ kind: UInt8, _ id: AppendID) {
    byte(kind)
    id.withBytes { bytes($0) }
  }
}
