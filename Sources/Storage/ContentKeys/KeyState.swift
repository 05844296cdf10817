// The keys in memory: found, created, destroyed.
internal import Digests
internal import EventLog

/// The keys of a workspace in memory, and those that are not in the key file yet.
internal struct KeyState: ~Copyable {
  private(set) var file: KeyFile
  private var master: MasterKey
  private let newKey: @Sendable () -> SecretKey

  /// The erasures of the log, as far as it was read.
  var erasures = Erasures() {
    didSet { cache.removeAll() }
  }

  private var entries: [KeyEntry] = []
  private var numbers: [EntryID: Int] = [:]
  /// The entries that are not in the file yet, by their numbers.
  private var pending: [Int] = []
  /// Whether an entry was missing or another when the file was read again since the last ``sync()``, after something
  /// may have been encrypted with it.
  private var hasLostEntries = false
  /// The keys that were used last.
  var cache = ContentKeyCache()
  var buffers = ContentBuffers()

  fileprivate struct EntryID: Hashable {
    let holder: KeyHolder
    let generation: UInt32
  }

  init(
    _ file: KeyFile, _ master: MasterKey, _ newKey: @escaping @Sendable () -> SecretKey
  ) {
    (self.file, self.master, self.newKey) = (file, master, newKey)
  }

  // MARK: The file

  mutating func create() throws(KeyError) {
    try master.create()
    // That of the workspace is there from the beginning: if it is missing later, it was lost.
    try replaceFile(with: [KeyEntry(of: .workspace, 0, with: 0, from: Day(rawValue: 0), newKey)])
    try read()
  }

  mutating func read() throws(KeyError) {
    let found = try file.read(with: { () throws(KeyError) in try master.read() })
    entries.removeAll(keepingCapacity: true)
    numbers.removeAll(keepingCapacity: true)
    pending.removeAll()
    for entry in found { put(entry) }
    cache.removeAll()
  }

  /// Reads the file again if another process has changed it; returns whether it was read.
  private mutating func readChanges() throws(KeyError) -> Bool {
    guard file.hasChanged else { return false }
    try readKeepingPending()
    return true
  }

  private mutating func readKeepingPending() throws(KeyError) {
    let (before, added) = (entries, pending.map { entries[$0] })
    try read()
    for entry in added where numbers[EntryID(entry)] == nil { pending.append(put(entry)) }
    for entry in before {
      if let number = numbers[EntryID(entry)], entries[number].stored == entry.stored { continue }
      hasLostEntries = true
    }
  }

  /// Takes the erasures of the log, if they are newer, and forgets the keys that were destroyed.
  mutating func take(_ erasures: Erasures) throws(LogError) {
    guard erasures.version > self.erasures.version else { return }
    self.erasures = erasures
    do throws(KeyError) { _ = try readChanges() } catch { throw LogError(error) }
  }

  /// Makes all keys durable, new ones and those that another process added; returns false if what was encrypted must be
  /// encrypted again, since another process created keys of the same holder meanwhile, or could not add its own.
  ///
  /// It is called under the writer lock, and looks at the file only if there is something to make durable.
  mutating func sync() throws(LogError) -> Bool {
    if pending.isEmpty, !hasLostEntries, file.isDurable { return true }
    do throws(KeyError) {
      _ = try readChanges()
      try file.sync()
      if hasLostEntries {
        hasLostEntries = false
        return false
      }
      if pending.isEmpty { return true }
      try file.add(pending.map { entries[$0] })
      pending.removeAll()
      return true
    } catch {
      throw LogError(error)
    }
  }

  /// Destroys all keys that were erased, durably; returns whether there were any.
  mutating func destroyErased() throws(KeyError) -> Bool {
    _ = try readChanges()
    var kept: [KeyEntry] = []
    var isChanged = false
    for entry in entries {
      var entry = entry
      if erasures.destroy(from: &entry) { isChanged = true }
      if !entry.isEmpty { kept.append(entry) }
    }
    guard isChanged else {
      try file.sync()
      return false
    }
    try replaceFile(with: kept)
    try read()
    return true
  }

  private mutating func replaceFile(with entries: [KeyEntry]) throws(KeyError) {
    let masters = try master.read()
    try file.replace(with: entries, masters[min(file.masterIndex, masters.count - 1)])
  }

  /// Whether the key file was read with a master key that has yet to take the place of the other.
  var isReplacingMaster: Bool { file.masterIndex > 0 }

  /// Completes a replacement of the master key that was interrupted after the key file was written.
  mutating func finishReplacingMaster() throws(KeyError) {
    // The new key of another replacement, which did not come so far, must not take its place.
    try readAnew()
    guard case .file(let path) = master, isReplacingMaster else { return }
    try MasterKey.takeNext(to: path)
    try readAnew()
  }

  private mutating func readAnew() throws(KeyError) {
    file.forgetMaster()
    try readKeepingPending()
  }

  /// Writes the file with another master key; with nil, one that takes the place of the one in its file.
  mutating func replaceMaster(by other: MasterKey?) throws(KeyError) {
    try finishReplacingMaster()
    if let other {
      try other.create()
      try file.replace(with: entries, other.read()[0])
      master = other
    } else {
      guard case .file(let path) = master else { throw .master("no new one was given") }
      try file.replace(with: entries, MasterKey.createNext(to: path))
      try MasterKey.takeNext(to: path)
    }
    pending.removeAll()
    try readAnew()
  }

  // MARK: Entries

  /// Returns the ids of the channels that have keys, in order.
  mutating func channels() throws(KeyError) -> [Name] {
    _ = try readChanges()
    let names = entries.compactMap { if case .channel(let name) = $0.holder { name } else { nil } }
    return names.sorted { Array($0.text.utf8).lexicographicallyPrecedes(Array($1.text.utf8)) }
  }

  /// Whether there are keys that an erasure would destroy.
  mutating func hasKeys(of scope: Erasure.Scope) throws(KeyError) -> Bool {
    _ = try readChanges()
    return entries.contains { entry in
      if case .user(let name) = scope { return entry.holder == .person(name) }
      guard let days = scope.days, days.holder == .workspace || days.holder == entry.holder,
        let key = days.isOfMessages ? entry.messages : entry.typing
      else { return false }
      return key.first < days.end
    }
  }

  /// Whether a holder has keys of a generation or a later one.
  mutating func hasKeys(of holder: KeyHolder, from generation: UInt32) throws(KeyError) -> Bool {
    _ = try readChanges()
    return entries.contains { $0.holder == holder && $0.generation >= generation }
  }

  @discardableResult
  private mutating func put(_ entry: KeyEntry) -> Int {
    if let number = numbers[EntryID(entry)] {
      entries[number] = entry
      return number
    }
    entries.append(entry)
    numbers[EntryID(entry)] = entries.count - 1
    return entries.count - 1
  }

  /// Returns the number of the keys of a holder; nil when there are none.
  mutating func entry(of holder: KeyHolder, _ generation: UInt32) throws(KeyError) -> Int? {
    let id = EntryID(holder: holder, generation: generation)
    if let number = numbers[id] { return number }
    return try readChanges() ? numbers[id] : nil
  }

  /// Returns the number of the keys of a holder, which are created if there are none and the log has nothing of theirs.
  ///
  /// The first event of a user or a channel is its creation, which has content. After an erasure or a replacement of
  /// all keys, nothing shows whether keys of the new generation were lost, except that those of the workspace are there
  /// from the replacement on.
  mutating func entry(
    of holder: KeyHolder, _ generation: UInt32, from day: Day, _ hasStream: (Name) throws(LogError) -> Bool
  ) throws(KeyError) -> Int {
    if let number = try entry(of: holder, generation) { return number }
    let isKnown: Bool
    do throws(LogError) {
      switch holder {
      case .person(let name) where generation == 0: isKnown = try hasStream(name.prefixed("user/"))
      case .channel(let name) where generation == 0: isKnown = try hasStream(name.prefixed("channel/"))
      case .person, .channel:
        isKnown = numbers[EntryID(holder: .workspace, generation: erasures.generation)] == nil
      case .workspace: isKnown = true
      }
    } catch {
      throw .log(error)
    }
    if isKnown { throw .missing(holder) }
    return add(KeyEntry(of: holder, generation, with: erasures.generation, from: day, newKey))
  }

  /// Adds the keys of the workspace of the next generation, if they are not there; it begins with an event of the log.
  mutating func beginGeneration(from day: Day) throws(KeyError) {
    let generation = erasures.generation + 1
    if try entry(of: .workspace, generation) != nil { return }
    _ = add(KeyEntry(of: .workspace, generation, with: generation, from: day, newKey))
  }

  private mutating func add(_ entry: KeyEntry) -> Int {
    let number = put(entry)
    pending.append(number)
    return number
  }

  subscript(number: Int) -> KeyEntry {
    get { entries[number] }
    set { entries[number] = newValue }
  }
}

extension Name {
  /// The name of the stream of a user or a channel.
  fileprivate func prefixed(_ prefix: String) -> Name {
    // The names of users and channels are short.
    (try? Name(prefix + text)) ?? self
  }
}

extension KeyState.EntryID {
  fileprivate init(_ entry: KeyEntry) { self.init(holder: entry.holder, generation: entry.generation) }
}

extension KeyEntry {
  /// Whether all keys were destroyed.
  var isEmpty: Bool { secret == nil && typing == nil && messages == nil }
}
