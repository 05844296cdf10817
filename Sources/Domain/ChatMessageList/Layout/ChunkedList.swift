// The messages of a layout in their order, on shelves of which each holds a few.

/// Messages in their order, on shelves short enough that one more moves little, and with an index of where each is.
struct ChunkedList {
  private(set) var chunks: [Chunk] = []
  /// How many messages there are.
  private(set) var count = 0
  /// On which shelf the message of a row is, and where among the others.
  private var index: [MessageRow.ID: Address] = [:]
  /// Rows of messages whose row is not called after them.
  private var aliases: [String: MessageRow.ID] = [:]
  /// Where each shelf stands; a shelf keeps its number when others come before it.
  private var order: [Int] = []
  /// How many rows there are before each shelf.
  private var starts: [Int] = []

  /// How many messages a shelf holds at most.
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
    let place: MessageSortKey
  }
}

/// Where a message is.
struct Slot: Hashable, Comparable {
  var chunk: Int
  var entry: Int

  static func < (a: Slot, b: Slot) -> Bool { (a.chunk, a.entry) < (b.chunk, b.entry) }
}

// MARK: Finding

extension ChunkedList {
  /// How many rows messages have.
  var rowCount: Int { (starts.last ?? 0) + (chunks.last?.rowCount ?? 0) }

  subscript(slot: Slot) -> Entry { chunks[slot.chunk].entries[slot.entry] }

  /// What the row of a message is called that is there; nil when it is not.
  func row(of message: String) -> MessageRow.ID? {
    if let row = aliases[message] { return row }
    let row = MessageRow.id(ofMessage: message)
    guard let slot = slot(of: row), self[slot].row.messageID == message else { return nil }
    return row
  }

  /// Where the message of a row is.
  func slot(of row: MessageRow.ID) -> Slot? {
    guard let address = index[row] else { return nil }
    let chunk = order[address.chunk]
    return Slot(chunk: chunk, entry: chunks[chunk].entries.place(notBefore: address.place))
  }

  /// Where the first message is that does not stand above a place; behind the last when there is none.
  func slot(notBefore place: MessageSortKey) -> Slot {
    var (low, high) = (0, chunks.count)
    while low < high {
      let middle = (low + high) / 2
      if chunks[middle].entries.last!.place < place { low = middle + 1 } else { high = middle }
    }
    if low == chunks.count { return end }
    return Slot(chunk: low, entry: chunks[low].entries.place(notBefore: place))
  }

  /// Behind the last message.
  var end: Slot { Slot(chunk: chunks.count, entry: 0) }

  var first: Slot? { chunks.isEmpty ? nil : Slot(chunk: 0, entry: 0) }

  /// The message below another.
  func slot(after slot: Slot) -> Slot? {
    if slot.entry + 1 < chunks[slot.chunk].entries.count { return Slot(chunk: slot.chunk, entry: slot.entry + 1) }
    return slot.chunk + 1 < chunks.count ? Slot(chunk: slot.chunk + 1, entry: 0) : nil
  }

  /// The next message above a place that has a row, or is one that a notice stands for.
  func visible(before slot: Slot) -> Slot? { neighbor(before: slot, \.visibleCount) { $0.shape != .hidden } }

  /// The next message below one that has a row, or is one that a notice stands for.
  func visible(after slot: Slot) -> Slot? { neighbor(after: slot, \.visibleCount) { $0.shape != .hidden } }

  /// The next message above a place that somebody said.
  func bubble(before slot: Slot) -> Slot? { neighbor(before: slot, \.bubbleCount) { $0.shape == .bubble } }

  /// The next message below one that somebody said.
  func bubble(after slot: Slot) -> Slot? { neighbor(after: slot, \.bubbleCount) { $0.shape == .bubble } }

  /// The next message above a place that is like what is looked for; shelves that have none are passed over whole.
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
  /// How many rows there are before those of a message.
  func rowCount(before slot: Slot) -> Int {
    if slot.chunk == chunks.count { return rowCount }
    return chunks[slot.chunk].entries[..<slot.entry].reduce(starts[slot.chunk]) { $0 + $1.rowCount }
  }

  /// The message that has a row, and which of its rows that is.
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

// MARK: Changing

extension ChunkedList {
  /// Puts another row where one is; what neighbors know of the message stays.
  mutating func show(_ row: MessageRow, leads: Leads, isShown: Bool, at slot: Slot) {
    let entry = own(slot)
    let before = entry.rowCount
    (entry.row, entry.leads, entry.isShown) = (row, leads, isShown)
    chunks[slot.chunk].rowCount += entry.rowCount - before
    if entry.rowCount != before { forgetRowCounts(behind: slot.chunk) }
  }

  /// Changes where a row stands in its group.
  mutating func place(_ placement: MessageRow.Placement, at slot: Slot) {
    own(slot).row.placement = placement
  }

  /// An entry that is in no other layout.
  private mutating func own(_ slot: Slot) -> Entry {
    if !isKnownUniquelyReferenced(&chunks[slot.chunk].entries[slot.entry]) {
      chunks[slot.chunk].entries[slot.entry] = chunks[slot.chunk].entries[slot.entry].copy()
    }
    return chunks[slot.chunk].entries[slot.entry]
  }

  /// Says anew how many rows there are before each shelf. Until then nobody may ask where a row is.
  mutating func countRows() {
    for chunk in starts.count..<max(chunks.count, starts.count) {
      starts.append(chunk == 0 ? 0 : starts[chunk - 1] + chunks[chunk - 1].rowCount)
    }
  }

  private mutating func forgetRowCounts(behind chunk: Int) { starts.removeLast(max(0, starts.count - chunk - 1)) }

  /// Takes a message in whose row is not there yet.
  mutating func insert(_ entry: Entry) {
    count += 1
    if entry.isNamedBySender { aliases[entry.place.id] = entry.row.id }
    if chunks.isEmpty {
      index[entry.row.id] = Address(chunk: 0, place: entry.place)
      chunks = [Chunk([entry], number: 0)]
      renumber(from: 0)
      return
    }
    var slot = slot(notBefore: entry.place)
    if slot == end { slot = Slot(chunk: chunks.count - 1, entry: chunks[chunks.count - 1].entries.count) }
    chunks[slot.chunk].entries.insert(entry, at: slot.entry)
    chunks[slot.chunk].count(entry, 1)
    index[entry.row.id] = Address(chunk: chunks[slot.chunk].number, place: entry.place)
    if chunks[slot.chunk].entries.count > Self.capacity {
      split(slot.chunk, isLast: slot.chunk == chunks.count - 1)
    } else {
      forgetRowCounts(behind: slot.chunk)
    }
  }

  /// Takes a message out.
  mutating func remove(at slot: Slot) -> Entry {
    count -= 1
    let entry = chunks[slot.chunk].entries.remove(at: slot.entry)
    chunks[slot.chunk].count(entry, -1)
    index[entry.row.id] = nil
    if entry.isNamedBySender { aliases[entry.place.id] = nil }
    if chunks[slot.chunk].entries.isEmpty {
      chunks.remove(at: slot.chunk)
      renumber(from: slot.chunk)
    } else {
      forgetRowCounts(behind: slot.chunk)
    }
    return entry
  }

  /// Takes many messages in, in their order, whose rows are not there yet.
  mutating func merge(_ added: [Entry]) {
    var all: [Entry] = []
    all.reserveCapacity(count + added.count)
    var next = 0
    for chunk in chunks {
      for entry in chunk.entries {
        while next < added.count, added[next].place < entry.place {
          all.append(added[next])
          next += 1
        }
        all.append(entry)
      }
    }
    all += added[next...]
    fill(with: all)
  }

  /// Puts messages on new shelves, in their order, in place of all that were there. Answers whether each message and
  /// each row was there once: where not, they have to be put up again.
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
        let address = Address(chunk: chunks.count, place: entry.place)
        if index.updateValue(address, forKey: entry.row.id) != nil { isEachOnce = false }
        if entry.isNamedBySender, aliases.updateValue(entry.row.id, forKey: entry.place.id) != nil {
          isEachOnce = false
        }
      }
      chunks.append(Chunk(some, number: chunks.count))
    }
    renumber(from: 0)
    if aliases.isEmpty || aliases.count == count { return isEachOnce }
    return isEachOnce && entries.allSatisfy { $0.isNamedBySender || aliases[$0.place.id] == nil }
  }

  /// Makes two shelves of a full one: the last is left full, since most messages come behind it.
  private mutating func split(_ chunk: Int, isLast: Bool) {
    let entries = chunks[chunk].entries
    let middle = isLast ? entries.count - 1 : entries.count / 2
    let number = order.count
    chunks[chunk] = Chunk(Array(entries[..<middle]), number: chunks[chunk].number)
    chunks.insert(Chunk(Array(entries[middle...]), number: number), at: chunk + 1)
    for entry in entries[middle...] { index[entry.row.id]!.chunk = number }
    renumber(from: chunk)
  }

  /// Says anew where shelves stand, from one on.
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
  /// Where the first message is that does not stand above a place.
  fileprivate func place(notBefore place: MessageSortKey) -> Int where Element == Entry {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle].place < place { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
