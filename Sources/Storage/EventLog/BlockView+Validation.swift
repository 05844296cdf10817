// Validation of a block: readability of every part, and canonical form.
internal import Bytes
internal import Digests

extension BlockView {
  /// Checks the checksum and the form of every part.
  ///
  /// A block that passes can be read without a trap. ``validate(after:)`` checks that it follows the one before.
  public func validate() throws(BlockDefect) {
    try Frame.checkSum(of: bytes)
    try checkForm()
  }

  /// Checks checksum, form, position and hash against the head that the block follows.
  public func validate(after head: Head) throws(BlockDefect) {
    try validate()
    guard first == head.position.next else { throw .wrongPosition(expected: head.position.next, found: first) }
    guard ordinal == head.blocks + 1 else { throw .wrongOrdinal(expected: head.blocks + 1, found: ordinal) }
    guard hasTime(after: head) else {
      throw .malformed("it was recorded at \(recorded), before the block it follows (\(head.recorded))")
    }
    try Frame.checkHash(of: bytes, after: head.hash)
  }

  /// Reads the block that ends at a position, with or without validation of its content.
  @_lifetime(copy bytes)
  package init(_ bytes: RawSpan, checks: Checks, at last: Position) throws(LogError) {
    do throws(BlockDefect) {
      let block = try BlockView(bytes)
      if checks == .full { try block.validate() }
      guard block.last == last else { throw .wrongPosition(expected: last, found: block.last) }
      self = block
    } catch {
      throw .damaged(at: last, error)
    }
  }

  /// Reads all fields in their order and compares the offset of each with the offset table.
  private func checkForm() throws(BlockDefect) {
    let end = bytes.byteCount - Frame.tailCount
    var reader = ByteReader(bytes, from: namesStart, to: end)
    var offsets = ByteReader(bytes, from: directory.start, to: directory.isThere ? end - Directory.byteCount : 0)
    let streams = try checkNames(BlockField.stream, &reader, &offsets)
    let types = try checkNames(BlockField.type, &reader, &offsets)
    let names = try checkNames(BlockField.name, &reader, &offsets)
    guard !directory.isThere || (streams, types, names) == (directory.streams, directory.types, directory.names) else {
      throw .malformed("it does not have the stated number of names")
    }
    try checkAppends(&reader, names)
    try checkRecords(&reader, &offsets, streams, types, names)
    if directory.isThere {
      guard reader.skip(BlockField.offsets), let range = reader.lengthDelimited(),
        range == directory.start..<end - Directory.byteCount, reader.skip(BlockField.directory),
        reader.lengthDelimited()?.count == 16
      else { throw .malformed("its offsets are not at the stated place") }
    }
    guard reader.isAtEnd else { throw .malformed("there are bytes after its last field") }
  }

  @_lifetime(reader: copy reader)
  @_lifetime(offsets: copy offsets)
  private func checkNames(
    _ tag: UInt8, _ reader: inout ByteReader, _ offsets: inout ByteReader
  ) throws(BlockDefect) -> Int {
    var names = 0
    while reader.peek == tag {
      try checkOffset(&offsets, reader.offset)
      guard reader.skip(tag), let range = reader.lengthDelimited(),
        bytes.extracting(range).withUnsafeBytes({ Name.defect(in: $0) == nil })
      else { throw .malformed("its name \(names + 1) is not a valid name") }
      names += 1
    }
    return names
  }

  @_lifetime(reader: copy reader)
  private func checkAppends(_ reader: inout ByteReader, _ names: Int) throws(BlockDefect) {
    guard var appends = AppendFields(&reader, events: count) else {
      throw .malformed("it does not state its appends")
    }
    while let append = appends.next() {
      guard append.correlation ?? -1 < names else {
        throw .malformed("the append \(append.id) refers to a missing name")
      }
    }
    guard appends.isComplete else { throw .malformed("its appends do not contain its \(count) events") }
  }

  @_lifetime(reader: copy reader)
  @_lifetime(offsets: copy offsets)
  private func checkRecords(
    _ reader: inout ByteReader, _ offsets: inout ByteReader, _ streams: Int, _ types: Int, _ names: Int
  ) throws(BlockDefect) {
    var record = Record()
    for index in 0..<count {
      try checkOffset(&offsets, reader.offset)
      let position = Position(rawValue: first.rawValue + UInt64(index))
      guard record.read(&reader), record.isValid(streams: streams, types: types, names: names, at: position) else {
        throw .malformed("its event \(position) is malformed")
      }
    }
  }

  @inline(__always)
  @_lifetime(offsets: copy offsets)
  private func checkOffset(_ offsets: inout ByteReader, _ expected: Int) throws(BlockDefect) {
    guard directory.isThere else { return }
    guard let offset = offsets.fixed32(), Int(offset) == expected else {
      throw .malformed("its offsets do not match its names and events")
    }
  }
}

extension BlockView {
  /// Checks that names are in the order of their first use, each once and each used, and that no optional field is
  /// written needlessly: a block has one canonical form.
  package func validateCanonical() throws(BlockDefect) {
    var streams = Uses()
    var types = Uses()
    var names = Uses()
    var isProposedTwice = false
    forEachAppend { append in
      names.use(append.correlation)
      for index in append.firstIndex..<append.firstIndex + append.count {
        let event = event(at: index)
        if event.proposal != nil, index > append.firstIndex { isProposedTwice = true }
        streams.use(event.streamNumber)
        types.use(event.typeNumber)
        names.use(event.actorNumber)
        names.use(event.deviceNumber)
      }
    }
    var (distinctStreams, distinctTypes, distinctNames) = (ByteMap(), ByteMap(), ByteMap())
    let isInOrder =
      streams.areAll(fieldCount(BlockField.stream)) { isNew(stream($0), &distinctStreams) }
      && types.areAll(fieldCount(BlockField.type)) { isNew(type($0), &distinctTypes) }
      && names.areAll(fieldCount(BlockField.name)) { isNew(name($0), &distinctNames) }
    guard isInOrder else { throw .malformed("its names are not unique and in the order of their first use") }
    guard !isProposedTwice else { throw .malformed("it has a proposal after the first event of an append") }
    guard !hasNeedlessZeros else { throw .malformed("it has a field with its default value") }
  }

  private func isNew(_ name: RawSpan, _ names: inout ByteMap) -> Bool {
    name.withUnsafeBytes { names.insert($0).isNew }
  }

  /// Whether a field of the appends is present although all its numbers are 0.
  private var hasNeedlessZeros: Bool {
    var reader = ByteReader(bytes, from: namesStart, to: bytes.byteCount - Frame.tailCount)
    while let tag = reader.peek, tag < BlockField.record, reader.skip(tag), let range = reader.lengthDelimited() {
      guard tag == BlockField.appendFurther || tag == BlockField.correlations else { continue }
      if bytes.extracting(range).withUnsafeBytes({ $0.allSatisfy { $0 == 0 } }) { return true }
    }
    return false
  }

  private func fieldCount(_ wanted: UInt8) -> Int {
    var reader = ByteReader(bytes, from: namesStart, to: bytes.byteCount - Frame.tailCount)
    var count = 0
    while let tag = reader.peek, tag <= wanted, reader.skip(tag), reader.lengthDelimited() != nil {
      if tag == wanted { count += 1 }
    }
    return count
  }

  /// The uses of names of one kind, in order.
  private struct Uses {
    private var count = 0
    private var isInOrder = true

    mutating func use(_ number: Int?) {
      guard let number else { return }
      if number > count { isInOrder = false }
      if number == count { count += 1 }
    }

    /// Returns whether all names of the kind were used, in order, and each is new.
    func areAll(_ total: Int, _ isNew: (Int) -> Bool) -> Bool {
      isInOrder && count == total && (0..<total).allSatisfy(isNew)
    }
  }
}
