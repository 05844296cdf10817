// The rows that a statement returned.
internal import CPostgres

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The result of a statement, in binary form.
internal final class Rows {
  private let result: UnsafeMutableRawPointer
  private let pq: verbatim_pq

  init(_ result: UnsafeMutableRawPointer, _ pq: verbatim_pq) { (self.result, self.pq) = (result, pq) }

  deinit { pq.clear(result) }

  /// The number of rows.
  var count: Int { Int(pq.row_count(result)) }

  /// The number of rows that the statement inserted, changed or returned.
  var changedCount: Int { pq.changed_count(result).map { Int(atol($0)) } ?? 0 }

  /// Returns the integer in a row and column; 0 for NULL.
  func integer(_ row: Int, _ column: Int) -> Int64 {
    bytes(row, column).reduce(0) { $0 << 8 | Int64($1) }
  }

  /// Returns the truth value in a row and column.
  func bool(_ row: Int, _ column: Int) -> Bool { integer(row, column) != 0 }

  /// Returns the text in a row and column.
  func text(_ row: Int, _ column: Int) -> String { String(decoding: bytes(row, column), as: UTF8.self) }

  /// Returns the bytes in a row and column, which are valid as long as the rows are; none for NULL.
  func bytes(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer {
    let (row, column) = (Int32(row), Int32(column))
    if pq.is_null(result, row, column) != 0 { return UnsafeRawBufferPointer(start: nil, count: 0) }
    return UnsafeRawBufferPointer(start: pq.value(result, row, column), count: Int(pq.length(result, row, column)))
  }
}
