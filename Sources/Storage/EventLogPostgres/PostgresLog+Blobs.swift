// The contents of attachments, in chunks beside the blocks.
package import EventLog

extension PostgresLog {
  /// Stores a blob under an id that names its content: all of it, durable when the call returns, or none that is found.
  ///
  /// `chunk` returns the chunk with a number, from 0, and nil after the last. The error that it throws is returned.
  // Each chunk is committed by itself, since a long transaction keeps all earlier states of the head's row, which slows
  // down the appends of all machines. The first chunk, by which a blob is found, is the last to be stored.
  package func storeBlob<Failure: Error>(
    _ id: [UInt8], _ chunk: (Int) throws(Failure) -> [UInt8]?
  ) throws(LogError) -> Failure? {
    if isReadOnly { throw .readOnly(path: address.description) }
    var (first, number) = ([UInt8]?.none, 0)
    while true {
      let bytes: [UInt8]?
      do throws(Failure) { bytes = try chunk(number) } catch { return error }
      guard let bytes else { break }
      if number == 0 { first = bytes } else { try store(bytes, number, ofBlob: id) }
      number += 1
    }
    if let first { try store(first, 0, ofBlob: id) }
    return nil
  }

  /// Stores a chunk, unless an earlier upload of the same content did.
  private func store(_ bytes: [UInt8], _ number: Int, ofBlob id: [UInt8]) throws(LogError) {
    try run { connection, _ throws(PostgresError) in
      try id.withBytes { id throws(PostgresError) in
        try bytes.withBytes { bytes throws(PostgresError) in
          _ = try connection.execute(Schema.storeChunk, [self.id, Int64(number)], [id, bytes])
        }
      }
    }
  }

  /// Returns whether a blob is stored.
  package func hasBlob(_ id: [UInt8]) throws(LogError) -> Bool {
    try run { connection, _ throws(PostgresError) in
      try id.withBytes { id throws(PostgresError) in
        try connection.execute(Schema.hasBlob, [self.id], [id]).bool(0, 0)
      }
    }
  }

  /// Returns the chunk of a blob with a number, from 0; nil after the last, and for a blob that is not stored.
  package func chunk(_ number: Int, ofBlob id: [UInt8]) throws(LogError) -> [UInt8]? {
    try run { connection, _ throws(PostgresError) in
      try id.withBytes { id throws(PostgresError) in
        let rows = try connection.execute(Schema.chunk, [self.id, Int64(number)], [id])
        return rows.count == 1 ? Array(rows.bytes(0, 0)) : nil
      }
    }
  }

  /// Returns the ids of all blobs in order.
  package func blobs() throws(LogError) -> [[UInt8]] {
    try run { connection, _ throws(PostgresError) in
      let rows = try connection.execute(Schema.blobs, [id])
      return (0..<rows.count).map { Array(rows.bytes($0, 0)) }
    }
  }
}
