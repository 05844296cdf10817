// The ordered messages of a layout, stored in small chunks.

/// Ordered messages in chunks small enough that an insertion moves few entries, with an index by row id.
struct ChunkedList {
  private(set) var chunks: [Chunk] = []
  /// The number of messages.
  private(set) var count = 0
  /// The chunk and the sort key of the message of each row.
  private var index: [MessageRow.ID: Address] = [:]
  /// The row ids of messages whose row id is derived from the client id.
  private var aliases: [String: MessageRow.ID] = [:]
  /// The position of each chunk by its number; a chunk keeps its number when others are inserted before it.
  private var order: [Int] = []
  /// The number of rows before each chunk.
  private var starts: [Int] = []

  /// The maximum number of messages in a chunk.
  static var capacity: Int { 128 }

  struct Chunk {
    fileprivate(set) var entries: [Entry]
    let number: Int
    fileprivate(set) var rowCount = 0
    fileprivate(set) var visibleCount = 0
    fileprivate(set) var bubbleCount = 0

    fileprivate init(_ entries: [Entry], number: Int) {
      (self.entries, self.number) = (entries, number)
      for entry in entries { count(entry, 1) }
    }

    fileprivate mutating func count(_ entry: Entry, _ sign: Int) {
      rowCount += sign * entry.rowCount
      if entry.shape != .hidden { visibleCount += sign }
      if entry.shape == .bubble { bubbleCount += sign }
    }
  }

  private struct Address {
    var chunk: Int
    let sortKey: MessageSortKey
  }
}

/// The location of a message: a chunk and an entry in it.
struct Slot: Hashable, Comparable {
  var chunk: Int
  var entry: Int

  static func < (a: Slot, b: Slot) -> Bool { (a.chunk, a.entry) < (b.chunk, b.entry) }
}

// MARK: Lookup

extension ChunkedList {
  /// The number of rows of all messages.
  var rowCount: Int { (starts.last ?? 0) + (chunks.last?.rowCount ?? 0) }

  subscript(slot: Slot) -> Entry { chunks[slot.chunk].entries[slot.entry] }

  /// Returns the row id of a message; nil if the list does not contain it.
  func row(of message: String) -> MessageRow.ID? {
    if let row = aliases[message] { return row }
    let row = MessageRow.id(ofMessage: message)
    guard let slot = slot(of: row), self[slot].row.messageID == message else { return nil }
    return row
  }

  /// Returns the slot of the message of a row.
  func slot(of row: MessageRow.ID) -> Slot? {
    guard let address = index[row] else { return nil }
    let chunk = order[address.chunk]
    return Slot(chunk: chunk, entry: chunks[chunk].entries.index(notBefore: address.sortKey))
  }

  /// Returns the slot of the first message at or after a sort key, or ``end``.
  func slot(notBefore sortKey: MessageSortKey) -> Slot {
    var (low, high) = (0, chunks.count)
    while low < high {
      let middle = (low + high) / 2
      if chunks[middle].entries.last!.sortKey < sortKey { low = middle + 1 } else { high = middle }
    }
    if low == chunks.count { return end }
    return Slot(chunk: low, entry: chunks[low].entries.index(notBefore: sortKey))
  }

  /// The slot after the last message.
  var end: Slot { Slot(chunk: chunks.count, entry: 0) }

  var first: Slot? { chunks.isEmpty ? nil : Slot(chunk: 0, entry: 0) }

  /// Returns the slot of the next message.
  func slot(after slot: Slot) -> Slot? {
    if slot.entry + 1 < chunks[slot.chunk].entries.count { return Slot(chunk: slot.chunk, entry: slot.entry + 1) }
    return slot.chunk + 1 < chunks.count ? Slot(chunk: slot.chunk + 1, entry: 0) : nil
  }

  /// Returns the closest previous message that has a row or is represented by a notice.
  func visible(before slot: Slot) -> Slot? { neighbor(before: slot, \.visibleCount) { $0.shape != .hidden } }

  /// Returns the closest next message that has a row or is represented by a notice.
  func visible(after slot: Slot) -> Slot? { neighbor(after: slot, \.visibleCount) { $0.shape != .hidden } }

  /// Returns the closest previous message by a user.
  func bubble(before slot: Slot) -> Slot? { neighbor(before: slot, \.bubbleCount) { $0.shape == .bubble } }

  /// Returns the closest next message by a user.
  func bubble(after slot: Slot) -> Slot? { neighbor(after: slot, \.bubbleCount) { $0.shape == .bubble } }

  /// Returns the closest previous entry that matches; chunks whose count is 0 are skipped whole.
  private func neighbor(
    before slot: Slot, _ count: KeyPath<Chunk, Int>, _ isSought: (Entry) -> Bool
  ) -> Slot? {
    var (chunk, entry) = (slot.chunk, slot.entry)
    while true {
      while entry > 0 {
        entry -= 1
        if isSought(chunks[chunk].entries[entry]) { return Slot(chunk: chunk, entry: entry) }
      }
      repeat { chunk -= 1 } while chunk >= 0 && chunks[chunk][keyPath: count] == 0
      if chunk < 0 { return nil }
      entry = chunks[chunk].entries.count
    }
  }

  private func neighbor(
    after slot: Slot, _ count: KeyPath<Chunk, Int>, _ isSought: (Entry) -> Bool
  ) -> Slot? {
    var (chunk, entry) = (slot.chunk, slot.entry + 1)
    while chunk < chunks.count {
      while entry < chunks[chunk].entries.count {
        if isSought(chunks[chunk].entries[entry]) { return Slot(chunk: chunk, entry: entry) }
        entry += 1
      }
      repeat { chunk += 1 } while chunk < chunks.count && chunks[chunk][keyPath: count] == 0
      entry = 0
    }
    return nil
  }
}

// MARK: Rows

extension ChunkedList {
  /// Returns the number of rows before those of a message.
  func rowCount(before slot: Slot) -> Int {
    if slot.chunk == chunks.count { return rowCount }
    return chunks[slot.chunk].entries[..<slot.entry].reduce(starts[slot.chunk]) { $0 + $1.rowCount }
  }

  /// Returns the message to which a row index belongs, and the number of the row within the message.
  func entry(ofRow row: Int) -> (slot: Slot, row: Int) {
    var (low, high) = (0, chunks.count)
    while low < high {
      let middle = (low + high) / 2
      if starts[middle] + chunks[middle].rowCount <= row { low = middle + 1 } else { high = middle }
    }
    var rest = row - starts[low]
    var entry = 0
    while rest >= chunks[low].entries[entry].rowCount {
      rest -= chunks[low].entries[entry].rowCount
      entry += 1
    }
    return (Slot(chunk: low, entry: entry), rest)
  }
}

// MARK: Changes

extension ChunkedList {
  /// Replaces the row of an entry; what its neighbors know of the message stays.
  mutating func show(_ row: MessageRow, leads: LeadingRows, isShown: Bool, at slot: Slot) {
    let entry = own(slot)
    let before = entry.rowCount
    (entry.row, entry.leads, entry.isShown) = (row, leads, isShown)
    chunks[slot.chunk].rowCount += entry.rowCount - before
    if entry.rowCount != before { forgetRowCounts(behind: slot.chunk) }
  }

  /// Changes the group placement of a row.
  mutating func setPlacement(_ placement: MessageRow.Placement, at slot: Slot) {
    own(slot).row.placement = placement
  }

  /// Returns the entry after copying it if another layout shares it.
  private mutating func own(_ slot: Slot) -> Entry {
    if !isKnownUniquelyReferenced(&chunks[slot.chunk].entries[slot.entry]) {
      chunks[slot.chunk].entries[slot.entry] = chunks[slot.chunk].entries[slot.entry].copy()
    }
    return chunks[slot.chunk].entries[slot.entry]
  }

  /// Recomputes the number of rows before each chunk. Until then, row indices must not be queried.
  mutating func countRows() {
    for chunk in starts.count..<max(chunks.count, starts.count) {
      starts.append(chunk == 0 ? 0 : starts[chunk - 1] + chunks[chunk - 1].rowCount)
    }
  }

  private mutating func forgetRowCounts(behind chunk: Int) { starts.removeLast(max(0, starts.count - chunk - 1)) }

  /// Inserts a message whose row is not in the list.
  mutating func insert(_ entry: Entry) {
    count += 1
    if entry.isNamedBySender { aliases[entry.sortKey.id] = entry.row.id }
    if chunks.isEmpty {
      index[entry.row.id] = Address(chunk: 0, sortKey: entry.sortKey)
      chunks = [Chunk([entry], number: 0)]
      renumber(from: 0)
      return
    }
    var slot = slot(notBefore: entry.sortKey)
    if slot == end { slot = Slot(chunk: chunks.count - 1, entry: chunks[chunks.count - 1].entries.count) }
    chunks[slot.chunk].entries.insert(entry, at: slot.entry)
    chunks[slot.chunk].count(entry, 1)
    index[entry.row.id] = Address(chunk: chunks[slot.chunk].number, sortKey: entry.sortKey)
    if chunks[slot.chunk].entries.count > Self.capacity {
      split(slot.chunk, isLast: slot.chunk == chunks.count - 1)
    } else {
      forgetRowCounts(behind: slot.chunk)
    }
  }

  /// Removes a message.
  mutating func remove(at slot: Slot) -> Entry {
    count -= 1
    let entry = chunks[slot.chunk].entries.remove(at: slot.entry)
    chunks[slot.chunk].count(entry, -1)
    index[entry.row.id] = nil
    if entry.isNamedBySender { aliases[entry.sortKey.id] = nil }
    if chunks[slot.chunk].entries.isEmpty {
      chunks.remove(at: slot.chunk)
      renumber(from: slot.chunk)
    } else {
      forgetRowCounts(behind: slot.chunk)
    }
    return entry
  }

  /// Merges many ordered messages whose rows are not in the list.
  mutating func merge(_ added: [Entry]) {
    var all: [Entry] = []
    all.reserveCapacity(count + added.count)
    var next = 0
    for chunk in chunks {
      for entry in chunk.entries {
        while next < added.count, added[next].sortKey < entry.sortKey {
          all.append(added[next])
          next += 1
        }
        all.append(entry)
      }
    }
    all += added[next...]
    fill(with: all)
  }

  /// Replaces all chunks with ordered messages. Returns whether every message and every row was unique; if not, the
  /// list must be filled again.
  @discardableResult
  mutating func fill(with entries: [Entry]) -> Bool {
    (chunks, order, index, aliases) = ([], [], [:], [:])
    count = entries.count
    index.reserveCapacity(count)
    if entries.last?.isNamedBySender ?? false { aliases.reserveCapacity(count) }
    var isEachOnce = true
    let filling = Self.capacity * 3 / 4
    for start in stride(from: 0, to: count, by: filling) {
      let some = Array(entries[start..<min(start + filling, count)])
      for entry in some {
        let address = Address(chunk: chunks.count, sortKey: entry.sortKey)
        if index.updateValue(address, forKey: entry.row.id) != nil { isEachOnce = false }
        if entry.isNamedBySender, aliases.updateValue(entry.row.id, forKey: entry.sortKey.id) != nil {
          isEachOnce = false
        }
      }
      chunks.append(Chunk(some, number: chunks.count))
    }
    renumber(from: 0)
    if aliases.isEmpty || aliases.count == count { return isEachOnce }
    return isEachOnce && entries.allSatisfy { $0.isNamedBySender || aliases[$0.sortKey.id] == nil }
  }

  /// Splits an overfull chunk: the last chunk stays full, since most messages are appended.
  private mutating func split(_ chunk: Int, isLast: Bool) {
    let entries = chunks[chunk].entries
    let middle = isLast ? entries.count - 1 : entries.count / 2
    let number = order.count
    chunks[chunk] = Chunk(Array(entries[..<middle]), number: chunks[chunk].number)
    chunks.insert(Chunk(Array(entries[middle...]), number: number), at: chunk + 1)
    for entry in entries[middle...] { index[entry.row.id]!.chunk = number }
    renumber(from: chunk)
  }

  /// Updates the positions of chunks from an index on.
  private mutating func renumber(from first: Int) {
    forgetRowCounts(behind: first - 1)
    for chunk in first..<max(first, chunks.count) {
      let number = chunks[chunk].number
      while order.count <= number { order.append(0) }
      order[number] = chunk
    }
  }
}

extension Array {
  /// Returns the index of the first entry at or after a sort key.
  fileprivate func index(notBefore sortKey: MessageSortKey) -> Int where Element == Entry {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle].sortKey < sortKey { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
