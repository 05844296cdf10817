// The messages of a layout in their order, on shelves of which each holds a few.

/// Messages in their order, on shelves short enough that one more moves little, and with an index of where each is.
struct Shelves {
  private(set) var shelves: [Shelf] = []
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

  struct Shelf {
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
    var shelf: Int
    let place: MessagePlace
  }
}

/// Where a message is.
struct Slot: Hashable, Comparable {
  var shelf: Int
  var entry: Int

  static func < (a: Slot, b: Slot) -> Bool { (a.shelf, a.entry) < (b.shelf, b.entry) }
}

// MARK: Finding

extension Shelves {
  /// How many rows messages have.
  var rowCount: Int { (starts.last ?? 0) + (shelves.last?.rowCount ?? 0) }

  subscript(slot: Slot) -> Entry { shelves[slot.shelf].entries[slot.entry] }

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
    let shelf = order[address.shelf]
    return Slot(shelf: shelf, entry: shelves[shelf].entries.place(notBefore: address.place))
  }

  /// Where the first message is that does not stand above a place; behind the last when there is none.
  func slot(notBefore place: MessagePlace) -> Slot {
    var (low, high) = (0, shelves.count)
    while low < high {
      let middle = (low + high) / 2
      if shelves[middle].entries.last!.place < place { low = middle + 1 } else { high = middle }
    }
    if low == shelves.count { return end }
    return Slot(shelf: low, entry: shelves[low].entries.place(notBefore: place))
  }

  /// Behind the last message.
  var end: Slot { Slot(shelf: shelves.count, entry: 0) }

  var first: Slot? { shelves.isEmpty ? nil : Slot(shelf: 0, entry: 0) }

  /// The message below another.
  func slot(after slot: Slot) -> Slot? {
    if slot.entry + 1 < shelves[slot.shelf].entries.count { return Slot(shelf: slot.shelf, entry: slot.entry + 1) }
    return slot.shelf + 1 < shelves.count ? Slot(shelf: slot.shelf + 1, entry: 0) : nil
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
    before slot: Slot, _ count: KeyPath<Shelf, Int>, _ isSought: (Entry) -> Bool
  ) -> Slot? {
    var (shelf, entry) = (slot.shelf, slot.entry)
    while true {
      while entry > 0 {
        entry -= 1
        if isSought(shelves[shelf].entries[entry]) { return Slot(shelf: shelf, entry: entry) }
      }
      repeat { shelf -= 1 } while shelf >= 0 && shelves[shelf][keyPath: count] == 0
      if shelf < 0 { return nil }
      entry = shelves[shelf].entries.count
    }
  }

  private func neighbor(
    after slot: Slot, _ count: KeyPath<Shelf, Int>, _ isSought: (Entry) -> Bool
  ) -> Slot? {
    var (shelf, entry) = (slot.shelf, slot.entry + 1)
    while shelf < shelves.count {
      while entry < shelves[shelf].entries.count {
        if isSought(shelves[shelf].entries[entry]) { return Slot(shelf: shelf, entry: entry) }
        entry += 1
      }
      repeat { shelf += 1 } while shelf < shelves.count && shelves[shelf][keyPath: count] == 0
      entry = 0
    }
    return nil
  }
}

// MARK: Rows

extension Shelves {
  /// How many rows there are before those of a message.
  func rowCount(before slot: Slot) -> Int {
    if slot.shelf == shelves.count { return rowCount }
    return shelves[slot.shelf].entries[..<slot.entry].reduce(starts[slot.shelf]) { $0 + $1.rowCount }
  }

  /// The message that has a row, and which of its rows that is.
  func entry(ofRow row: Int) -> (slot: Slot, row: Int) {
    var (low, high) = (0, shelves.count)
    while low < high {
      let middle = (low + high) / 2
      if starts[middle] + shelves[middle].rowCount <= row { low = middle + 1 } else { high = middle }
    }
    var rest = row - starts[low]
    var entry = 0
    while rest >= shelves[low].entries[entry].rowCount {
      rest -= shelves[low].entries[entry].rowCount
      entry += 1
    }
    return (Slot(shelf: low, entry: entry), rest)
  }
}

// MARK: Changing

extension Shelves {
  /// Puts another row where one is; what neighbors know of the message stays.
  mutating func show(_ row: MessageRow, leads: Leads, isShown: Bool, at slot: Slot) {
    let entry = own(slot)
    let before = entry.rowCount
    (entry.row, entry.leads, entry.isShown) = (row, leads, isShown)
    shelves[slot.shelf].rowCount += entry.rowCount - before
    if entry.rowCount != before { forgetRowCounts(behind: slot.shelf) }
  }

  /// Changes where a row stands in its group.
  mutating func place(_ placement: MessageRow.Placement, at slot: Slot) {
    own(slot).row.placement = placement
  }

  /// An entry that is in no other layout.
  private mutating func own(_ slot: Slot) -> Entry {
    if !isKnownUniquelyReferenced(&shelves[slot.shelf].entries[slot.entry]) {
      shelves[slot.shelf].entries[slot.entry] = shelves[slot.shelf].entries[slot.entry].copy()
    }
    return shelves[slot.shelf].entries[slot.entry]
  }

  /// Says anew how many rows there are before each shelf. Until then nobody may ask where a row is.
  mutating func countRows() {
    for shelf in starts.count..<max(shelves.count, starts.count) {
      starts.append(shelf == 0 ? 0 : starts[shelf - 1] + shelves[shelf - 1].rowCount)
    }
  }

  private mutating func forgetRowCounts(behind shelf: Int) { starts.removeLast(max(0, starts.count - shelf - 1)) }

  /// Takes a message in whose row is not there yet.
  mutating func insert(_ entry: Entry) {
    count += 1
    if entry.isNamedBySender { aliases[entry.place.id] = entry.row.id }
    if shelves.isEmpty {
      index[entry.row.id] = Address(shelf: 0, place: entry.place)
      shelves = [Shelf([entry], number: 0)]
      renumber(from: 0)
      return
    }
    var slot = slot(notBefore: entry.place)
    if slot == end { slot = Slot(shelf: shelves.count - 1, entry: shelves[shelves.count - 1].entries.count) }
    shelves[slot.shelf].entries.insert(entry, at: slot.entry)
    shelves[slot.shelf].count(entry, 1)
    index[entry.row.id] = Address(shelf: shelves[slot.shelf].number, place: entry.place)
    if shelves[slot.shelf].entries.count > Self.capacity {
      split(slot.shelf, isLast: slot.shelf == shelves.count - 1)
    } else {
      forgetRowCounts(behind: slot.shelf)
    }
  }

  /// Takes a message out.
  mutating func remove(at slot: Slot) -> Entry {
    count -= 1
    let entry = shelves[slot.shelf].entries.remove(at: slot.entry)
    shelves[slot.shelf].count(entry, -1)
    index[entry.row.id] = nil
    if entry.isNamedBySender { aliases[entry.place.id] = nil }
    if shelves[slot.shelf].entries.isEmpty {
      shelves.remove(at: slot.shelf)
      renumber(from: slot.shelf)
    } else {
      forgetRowCounts(behind: slot.shelf)
    }
    return entry
  }

  /// Takes many messages in, in their order, whose rows are not there yet.
  mutating func merge(_ added: [Entry]) {
    var all: [Entry] = []
    all.reserveCapacity(count + added.count)
    var next = 0
    for shelf in shelves {
      for entry in shelf.entries {
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
    (shelves, order, index, aliases) = ([], [], [:], [:])
    count = entries.count
    index.reserveCapacity(count)
    if entries.last?.isNamedBySender ?? false { aliases.reserveCapacity(count) }
    var isEachOnce = true
    let filling = Self.capacity * 3 / 4
    for start in stride(from: 0, to: count, by: filling) {
      let some = Array(entries[start..<min(start + filling, count)])
      for entry in some {
        let address = Address(shelf: shelves.count, place: entry.place)
        if index.updateValue(address, forKey: entry.row.id) != nil { isEachOnce = false }
        if entry.isNamedBySender, aliases.updateValue(entry.row.id, forKey: entry.place.id) != nil {
          isEachOnce = false
        }
      }
      shelves.append(Shelf(some, number: shelves.count))
    }
    renumber(from: 0)
    if aliases.isEmpty || aliases.count == count { return isEachOnce }
    return isEachOnce && entries.allSatisfy { $0.isNamedBySender || aliases[$0.place.id] == nil }
  }

  /// Makes two shelves of a full one: the last is left full, since most messages come behind it.
  private mutating func split(_ shelf: Int, isLast: Bool) {
    let entries = shelves[shelf].entries
    let middle = isLast ? entries.count - 1 : entries.count / 2
    let number = order.count
    shelves[shelf] = Shelf(Array(entries[..<middle]), number: shelves[shelf].number)
    shelves.insert(Shelf(Array(entries[middle...]), number: number), at: shelf + 1)
    for entry in entries[middle...] { index[entry.row.id]!.shelf = number }
    renumber(from: shelf)
  }

  /// Says anew where shelves stand, from one on.
  private mutating func renumber(from first: Int) {
    forgetRowCounts(behind: first - 1)
    for shelf in first..<max(first, shelves.count) {
      let number = shelves[shelf].number
      while order.count <= number { order.append(0) }
      order[number] = shelf
    }
  }
}

extension Array {
  /// Where the first message is that does not stand above a place.
  fileprivate func place(notBefore place: MessagePlace) -> Int where Element == Entry {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle].place < place { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
