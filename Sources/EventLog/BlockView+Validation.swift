// Whether every part of a block can be read, and whether it is written as it must be.
internal import Bytes
internal import Digests

extension BlockView {
  /// Checks the checksum and the form of every part.
  ///
  /// A block that passes can be read without a trap. Whether it follows the one before is ``validate(after:)``'s.
  public func validate() throws(BlockDefect) {
    try Frame.checkSum(of: bytes)
    try checkForm()
  }

  /// Checks checksum, form, place and hash against the head that the block follows.
  public func validate(after head: Head) throws(BlockDefect) {
    try validate()
    try checkPlace(after: head)
    try Frame.checkHash(of: bytes, after: head.hash)
  }

  /// Checks that it begins where a log ends.
  internal func checkPlace(after head: Head) throws(BlockDefect) {
    guard first == head.position.next else { throw .wrongPlace(expected: head.position.next, found: first) }
    guard ordinal == head.blocks + 1 else { throw .wrongOrdinal(expected: head.blocks + 1, found: ordinal) }
    guard recorded >= head.recorded else {
      throw .malformed("it was recorded at \(recorded), before the block it follows (\(head.recorded))")
    }
  }

  private func checkForm() throws(BlockDefect) {
    var reader = ByteReader(bytes, from: namesStart, to: bytes.byteCount - Frame.tailCount)
    var offsets = count == 1 ? nil : ByteReader(bytes, from: offsetsStart, to: reader.end - 5)
    let names = try checkNames(&reader, &offsets)
    try checkAppends(&reader, names)
    try checkRecords(&reader, &offsets, names)
    try checkOffsetsField(&reader, offsets?.isAtEnd ?? true)
  }

  @_lifetime(reader: copy reader)
  @_lifetime(offsets: copy offsets)
  private func checkNames(
    _ reader: inout ByteReader, _ offsets: inout ByteReader?
  ) throws(BlockDefect) -> Int {
    var names = 0
    while reader.peek == BlockField.name {
      try checkOffset(&offsets, reader.offset)
      guard reader.skip(BlockField.name), let range = reader.lengthDelimited(),
        bytes.extracting(range).withUnsafeBytes({ Name.defect(in: $0) == nil })
      else { throw .malformed("its name \(names) is none") }
      names += 1
    }
    return names
  }

  @_lifetime(reader: copy reader)
  private func checkAppends(_ reader: inout ByteReader, _ names: Int) throws(BlockDefect) {
    var index = 0
    while reader.skip(BlockField.append) {
      guard let range = reader.lengthDelimited(), let append = AppendView(bytes, range, firstIndex: index),
        append.count <= count - index, append.correlation ?? -1 < names
      else { throw .malformed("its append at event \(index) is malformed") }
      index += append.count
    }
    guard index == count else { throw .malformed("its appends hold \(index) events instead of \(count)") }
  }

  @_lifetime(reader: copy reader)
  @_lifetime(offsets: copy offsets)
  private func checkRecords(
    _ reader: inout ByteReader, _ offsets: inout ByteReader?, _ names: Int
  ) throws(BlockDefect) {
    var record = Record()
    for index in 0..<count {
      try checkOffset(&offsets, reader.offset)
      let position = Position(rawValue: first.rawValue + UInt64(index))
      guard record.read(&reader), record.isValid(names: names, at: position) else {
        throw .malformed("its event \(position) is malformed")
      }
    }
  }

  @_lifetime(offsets: copy offsets)
  private func checkOffset(_ offsets: inout ByteReader?, _ place: Int) throws(BlockDefect) {
    guard offsets != nil else { return }
    guard let offset = offsets?.fixed32(), Int(offset) == place else {
      throw .malformed("its offsets do not lead to its names and events")
    }
  }

  @_lifetime(reader: copy reader)
  private func checkOffsetsField(_ reader: inout ByteReader, _ allUsed: Bool) throws(BlockDefect) {
    if count > 1 {
      guard allUsed, reader.skip(BlockField.offsets), let range = reader.lengthDelimited(),
        range.lowerBound == offsetsStart, reader.skip(BlockField.offsetsStart), reader.fixed32() != nil
      else { throw .malformed("its offsets do not lie where it says") }
    }
    guard reader.isAtEnd else { throw .malformed("there are bytes behind its last field") }
  }

  /// Checks that names stand in the order of their first use, each once and each used, which makes the form of a block
  /// the only one for what it holds.
  package func validateCanonical() throws(BlockDefect) {
    var distinct = ByteMap()
    var used = 0
    var isInOrder = true
    func use(_ number: Int?) {
      guard let number else { return }
      if number > used { isInOrder = false }
      if number == used { used += 1 }
    }
    var correlations: [(index: Int, name: Int?)] = []
    forEachAppend { correlations.append(($0.firstIndex, $0.correlation)) }
    var append = 0
    for index in 0..<count {
      if append < correlations.count, correlations[append].index == index {
        use(correlations[append].name)
        append += 1
      }
      let numbers = event(at: index).nameNumbers
      use(numbers.stream)
      use(numbers.type)
      use(numbers.actor)
      use(numbers.device)
    }
    for number in 0..<used {
      let isNew = name(number).withUnsafeBytes { distinct.insert($0).isNew }
      if !isNew { isInOrder = false }
    }
    guard isInOrder, used == totalNames else {
      throw .malformed("its names are not in the order of their first use, each once")
    }
  }

  private var totalNames: Int {
    var reader = ByteReader(bytes, from: namesStart, to: bytes.byteCount - Frame.tailCount)
    var names = 0
    while reader.skip(BlockField.name) {
      _ = reader.lengthDelimited()
      names += 1
    }
    return names
  }
}

extension BlockView {
  /// Reads the block that ends at a position, with or without checks of its content.
  @_lifetime(copy bytes)
  package init(_ bytes: RawSpan, checks: Checks, at last: Position) throws(LogError) {
    do throws(BlockDefect) {
      let block = try BlockView(bytes)
      if checks == .full { try block.validate() }
      guard block.last == last else { throw .wrongPlace(expected: last, found: block.last) }
      self = block
    } catch {
      throw .damaged(at: last, error)
    }
  }
}
