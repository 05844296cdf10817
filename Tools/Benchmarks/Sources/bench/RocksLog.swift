// A typical log on RocksDB: three keys for each event, one synced batch for each append.
import CRocksDB
import EventLog
import Synchronization

// Safe because RocksDB orders the writes of threads, and the numbers are within the lock.
/// A log in one directory of RocksDB, whose threads share commits by themselves.
final class RocksLog: @unchecked Sendable {
  /// The numbers of the events of an append.
  private struct Numbers {
    var position: UInt64 = 0
    var versions: [Int: UInt64] = [:]
    var generator = SplitMix(seed: 7)
  }

  /// The first bytes of keys, which separate the tables.
  private enum Table: UInt8 {
    case events = 1, streams, appends
  }

  private let database: OpaquePointer
  private let writing = rocksdb_writeoptions_create()!
  private let vocabulary: Vocabulary
  private let numbers = Mutex(Numbers())

  var position: Int { Int(numbers.withLock { $0.position }) }

  init(path: String, _ vocabulary: Vocabulary, isSynced: Bool = true) throws {
    self.vocabulary = vocabulary
    let options = rocksdb_options_create()!
    defer { rocksdb_options_destroy(options) }
    rocksdb_options_set_create_if_missing(options, 1)
    database = try checked { rocksdb_open(options, path, $0) }!
    rocksdb_writeoptions_set_sync(writing, isSynced ? 1 : 0)
  }

  deinit {
    rocksdb_writeoptions_destroy(writing)
    rocksdb_close(database)
  }

  /// Appends events in one batch; returns the id of the append.
  @discardableResult
  func append(_ draws: [Draw]) throws -> AppendID {
    let recorded = Timestamp.now
    let (first, versions, random) = numbers.withLock { numbers in
      let first = numbers.position + 1
      numbers.position += UInt64(draws.count)
      let versions = draws.map { draw in
        numbers.versions[draw.stream, default: 0] += 1
        return numbers.versions[draw.stream]!
      }
      return (first, versions, numbers.generator.next())
    }
    let id = AppendID.timeOrdered(at: recorded, random: random)
    let batch = rocksdb_writebatch_create()!
    defer { rocksdb_writebatch_destroy(batch) }
    for (index, draw) in draws.enumerated() {
      put(draw, at: first + UInt64(index), versions[index], id, recorded, to: batch)
    }
    var key = [Table.appends.rawValue]
    id.withBytes { key.append(contentsOf: $0) }
    put(key, bytes(of: first), to: batch)
    try checked { rocksdb_write(database, writing, batch, $0) }
    return id
  }

  private func put(
    _ draw: Draw, at position: UInt64, _ version: UInt64, _ id: AppendID, _ recorded: Timestamp,
    to batch: OpaquePointer
  ) {
    let (stream, type) = (vocabulary.streamBytes[draw.stream], vocabulary.typeBytes[draw.type])
    let payload = vocabulary.payloadBytes[draw.payload]
    var value: [UInt8] = []
    value.reserveCapacity(34 + stream.count + type.count + payload.count)
    for part in [stream, type] {
      value.append(UInt8(part.count))
      value.append(contentsOf: part.bytes)
    }
    value.append(contentsOf: bytes(of: version))
    value.append(contentsOf: bytes(of: UInt64(bitPattern: recorded.rawValue)))
    id.withBytes { value.append(contentsOf: $0) }
    value.append(contentsOf: payload.bytes)
    put([Table.events.rawValue] + bytes(of: position), value, to: batch)
    put([Table.streams.rawValue] + stream.bytes + [0] + bytes(of: version), bytes(of: position), to: batch)
  }

  private func put(_ key: [UInt8], _ value: [UInt8], to batch: OpaquePointer) {
    key.withUnsafeBytes { key in
      value.withUnsafeBytes { value in
        let characters = (key.baseAddress, value.baseAddress)
        rocksdb_writebatch_put(
          batch, characters.0?.assumingMemoryBound(to: CChar.self), key.count,
          characters.1?.assumingMemoryBound(to: CChar.self), value.count)
      }
    }
  }

  /// Reads each event in order; returns a value that depends on all of them.
  func scan() -> Int {
    let reading = rocksdb_readoptions_create()!
    let iterator = rocksdb_create_iterator(database, reading)!
    defer {
      rocksdb_iter_destroy(iterator)
      rocksdb_readoptions_destroy(reading)
    }
    let (start, end) = ([CChar(Table.events.rawValue)], CChar(Table.events.rawValue))
    var (sum, length) = (0, 0)
    rocksdb_iter_seek(iterator, start, 1)
    while rocksdb_iter_valid(iterator) != 0, rocksdb_iter_key(iterator, &length).pointee == end {
      let value = rocksdb_iter_value(iterator, &length)!
      sum &+= Int(value[length - Vocabulary.payloadByteCount]) &+ length
      rocksdb_iter_next(iterator)
    }
    return sum
  }
}

extension LastingBytes {
  /// The bytes, where they are.
  fileprivate var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }
}

/// Returns the bytes of a number, which order as it does.
private func bytes(of number: UInt64) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }

private struct RocksFailure: Error {
  let message: String
}

/// Calls a function of RocksDB, and throws the message that it leaves.
@discardableResult
private func checked<R>(_ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> R) throws -> R {
  var message: UnsafeMutablePointer<CChar>?
  let result = body(&message)
  guard let message else { return result }
  defer { rocksdb_free(message) }
  throw RocksFailure(message: String(cString: message))
}
