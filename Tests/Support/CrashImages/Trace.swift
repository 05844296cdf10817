// The recorded changes to the files below a directory, in the order in which they began and ended.
import Foundation

/// A recorded call that changes files, or a mark.
package struct Operation: Sendable {
  /// The effect of a call; files and directories are inode numbers.
  package enum Effect: Sendable {
    /// Bytes written to a file at an offset; durable when the call ends if it is synchronous.
    case write(file: UInt64, offset: Int, bytes: [UInt8], isSynchronous: Bool)
    /// The size of a file is set.
    case setSize(file: UInt64, Int)
    /// The size of a file becomes at least this.
    case extend(file: UInt64, to: Int)
    /// A file or directory gets its first name.
    case create(directory: UInt64, name: String, file: UInt64, isDirectory: Bool)
    /// A file gets another name.
    case link(directory: UInt64, name: String, file: UInt64)
    /// A name is removed.
    case unlink(directory: UInt64, name: String)
    /// A name is moved, and replaces the one there.
    case rename(directory: UInt64, name: String, to: UInt64, newName: String)
    /// A sync of a file or directory; `isOfData` is true for `fdatasync`.
    case sync(file: UInt64, isOfData: Bool)
    /// A sync that failed: what it was to write is never written, even if a later sync succeeds.
    case failedSync(file: UInt64)
    /// A note of the recorded program.
    case mark(String)
    /// A file is mapped for writing, so that changes to it are not recorded.
    case map(file: UInt64)
    /// A call whose effect is not recorded.
    case unknown(String)
  }

  /// The effect.
  package let effect: Effect
  /// The process that made the call.
  package let process: UInt32
  /// The index of the record before the call.
  package let began: Int
  /// The index of the record after the call.
  package let ended: Int
  /// The time of the first record in nanoseconds, by the machine's monotonic clock.
  package let time: UInt64

  /// Creates an operation.
  package init(effect: Effect, process: UInt32, began: Int, ended: Int, time: UInt64) {
    (self.effect, self.process, self.began, self.ended, self.time) = (effect, process, began, ended, time)
  }
}

/// A trace: operations in the order in which they began.
package struct Trace: Sendable {
  /// The operations that succeeded, and failed syncs.
  package let operations: [Operation]
  /// The number of records.
  package let recordCount: Int
  /// The time of each record in nanoseconds.
  package let times: [UInt64]

  /// A trace that is cut short or was not written by the recorder.
  package struct Malformed: Error {
    package let offset: Int
  }

  /// Reads the trace in a file.
  package init(at path: String) throws {
    try self.init(Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped))
  }

  /// Creates a trace of operations.
  package init(_ operations: [Operation]) {
    self.operations = operations
    recordCount = (operations.map(\.ended).max() ?? -1) + 1
    times = [UInt64](repeating: 0, count: recordCount)
  }

  /// Parses a trace.
  init(_ data: Data) throws {
    var records: [Record] = []
    var offset = 0
    while offset < data.count {
      guard let record = Record(data, at: offset) else { throw Malformed(offset: offset) }
      records.append(record)
      offset += record.size
    }
    var ends: [UInt64: Int] = [:]
    for (index, record) in records.enumerated() where record.isEnd { ends[record.call] = index }
    recordCount = records.count
    times = records.map(\.time)
    operations = records.enumerated().compactMap { index, record in
      record.isEnd ? nil : record.operation(at: index, endedBy: ends[record.call].map { ($0, records[$0]) })
    }
  }
}

/// A record of the file that the recorder writes, as its struct `record` has it.
private struct Record {
  static let headCount = 80

  let size: Int
  let process: UInt32
  let kind: UInt16
  let isEnd: Bool
  let flags: UInt16
  let call: UInt64
  let time: UInt64
  let result: Int64
  let file: UInt64
  let other: UInt64
  let offset: Int
  let count: Int
  let name: String
  let otherName: String
  let bytes: Range<Int>
  private let data: Data

  init?(_ data: Data, at start: Int) {
    guard data.count - start >= Self.headCount else { return nil }
    func number<N: FixedWidthInteger>(_ offset: Int, _: N.Type = N.self) -> N {
      data.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: start + offset, as: N.self) }
    }
    size = Int(number(0, UInt32.self))
    process = number(4)
    kind = number(8)
    isEnd = number(10, UInt16.self) == 1
    flags = number(12)
    let nameCount = Int(number(14, UInt16.self))
    (call, time, result) = (number(16), number(24), number(32))
    (file, other) = (number(40), number(48))
    (offset, count) = (Int(number(56, Int64.self)), Int(number(64, Int64.self)))
    let otherCount = Int(number(72, UInt32.self))
    let byteCount = Int(number(76, UInt32.self))
    guard size == Self.headCount + nameCount + otherCount + byteCount, data.count - start >= size else {
      return nil
    }
    let names = start + Self.headCount
    name = String(decoding: data[names..<names + nameCount], as: UTF8.self)
    otherName = String(decoding: data[names + nameCount..<names + nameCount + otherCount], as: UTF8.self)
    bytes = start + size - byteCount..<start + size
    self.data = data
  }

  /// Returns the operation that begins with this record; nil if it failed or never ended.
  func operation(at index: Int, endedBy end: (index: Int, record: Record)?) -> Operation? {
    if kind == 9, let end, end.record.result < 0 {
      return Operation(
        effect: .failedSync(file: file), process: process, began: index, ended: end.index, time: time)
    }
    let isInstant = kind >= 10
    guard isInstant || (end.map { $0.record.result >= 0 } ?? false) else { return nil }
    guard let effect = effect(endedBy: end?.record ?? self) else { return nil }
    return Operation(
      effect: effect, process: process, began: index, ended: end?.index ?? index, time: time)
  }

  private func effect(endedBy end: Record) -> Operation.Effect? {
    switch kind {
    case 1:
      let written = Array(data[bytes].prefix(Int(end.result)))
      return .write(file: file, offset: end.offset, bytes: written, isSynchronous: flags & 1 != 0)
    case 2: return .setSize(file: file, offset)
    case 3: return .extend(file: file, to: offset + count)
    case 4: return .create(directory: file, name: name, file: end.other, isDirectory: false)
    case 5: return .create(directory: file, name: name, file: end.other, isDirectory: true)
    case 6: return .unlink(directory: file, name: name)
    case 7: return .rename(directory: file, name: name, to: other, newName: otherName)
    case 8: return .link(directory: file, name: name, file: end.other)
    case 9: return .sync(file: file, isOfData: flags & 2 != 0)
    case 10: return .mark(String(decoding: data[bytes], as: UTF8.self))
    case 11: return .map(file: file)
    case 12: return .unknown(name)
    default: return nil
    }
  }
}
