// A model of a disk: what is certain to be on it, and which changes may be.

/// A file or directory of a ``Disk``: its index.
package typealias FileNumber = Int

/// The files below a directory at some point of a trace: their certain content, and the changes that a power cut may
/// undo.
///
/// A sector of 512 bytes is on the disk as it was at some moment, since programs write to memory first: a write that is
/// there implies all earlier ones to the same sectors. Sectors and sizes are independent of each other, in any order.
///
/// A change of a file's content is certain once a sync of the file began after it; a change of an entry once a sync of
/// the directory did (of the new one, for a rename from another directory). A rename happens whole or not at all.
package struct Disk {
  /// A change that may be on the disk or not.
  struct Change {
    /// The effect of a change.
    enum Effect {
      case write(FileNumber, offset: Int, [UInt8])
      case setSize(FileNumber, Int)
      case extend(FileNumber, Int)
      /// Entries that change together: a name in a directory, and what it names afterwards.
      case entries([(directory: FileNumber, name: String, file: FileNumber?)])
    }

    let effect: Effect
    /// The index of the operation in the trace.
    let operation: Int
    /// Whether it is certain, and only waits for older changes that are not.
    var isCertain = false
  }

  private struct File {
    let isDirectory: Bool
    var bytes: [UInt8] = []
    var entries: [String: FileNumber] = [:]
    /// The changes of the content since it was certain; of a directory, none.
    var changes: [Change] = []
    /// The directory and the name by which running programs see it.
    var place: (directory: FileNumber, name: String)?
    /// The entries that running programs see.
    var seen: [String: FileNumber] = [:]
  }

  private var files: [File] = [File(isDirectory: true)]
  private var inodes: [UInt64: FileNumber]
  private var entryChanges: [Change] = []
  /// The number of uncertain changes.
  package private(set) var uncertainCount = 0
  /// The files that programs have mapped for writing.
  package private(set) var mapped: Set<FileNumber> = []

  /// Creates an empty disk whose root directory has an inode number.
  package init(root: UInt64) { inodes = [root: 0] }

  /// Adds a file or directory that is certain from the beginning.
  package mutating func addCertain(
    _ name: String, inode: UInt64, in directory: UInt64, isDirectory: Bool, bytes: [UInt8] = []
  ) {
    guard let parent = inodes[directory] else { return }
    let number = add(inode, isDirectory: isDirectory)
    files[number].bytes = bytes
    files[parent].entries[name] = number
    place(number, in: parent, name)
  }

  private mutating func add(_ inode: UInt64, isDirectory: Bool) -> FileNumber {
    files.append(File(isDirectory: isDirectory))
    inodes[inode] = files.count - 1
    return files.count - 1
  }

  /// Returns the path of a file as running programs see it, from the root; the last one if it was removed.
  package func path(of file: FileNumber) -> String {
    guard let place = files[file].place else { return "" }
    let parent = path(of: place.directory)
    return parent.isEmpty ? place.name : parent + "/" + place.name
  }

  /// Returns the number of the file with an inode number now; nil if the trace has not shown its creation.
  package func number(of inode: UInt64) -> FileNumber? { inodes[inode] }

  /// Returns whether a file is a directory.
  package func isDirectory(_ file: FileNumber) -> Bool { files[file].isDirectory }
}

// MARK: Operations

extension Disk {
  /// Begins an operation, which may be on the disk from now on.
  package mutating func begin(_ operation: Operation, _ index: Int) {
    switch operation.effect {
    case .write(let file, let offset, let bytes, _): change(file, index) { .write($0, offset: offset, bytes) }
    case .setSize(let file, let size): change(file, index) { .setSize($0, size) }
    case .extend(let file, let end): change(file, index) { .extend($0, end) }
    case .create(let directory, let name, let file, let isDirectory):
      guard let parent = inodes[directory] else { return }
      // Two programs that create a file at once both see that it was missing.
      if let known = inodes[file], files[parent].seen[name] == known { return }
      let number = add(file, isDirectory: isDirectory)
      changeEntries([(parent, name, number)], index)
    case .link(let directory, let name, let file):
      guard let parent = inodes[directory], let number = inodes[file] else { return }
      changeEntries([(parent, name, number)], index)
    case .unlink(let directory, let name):
      guard let parent = inodes[directory] else { return }
      changeEntries([(parent, name, nil)], index)
    case .rename(let directory, let name, let to, let newName):
      guard let from = inodes[directory], let target = inodes[to], let file = files[from].seen[name] else { return }
      changeEntries([(from, name, nil), (target, newName, file)], index)
    case .map(let file): if let number = inodes[file] { mapped.insert(number) }
    case .failedSync(let file): if let number = inodes[file] { dropChanges(of: number) }
    case .sync, .mark, .unknown: return
    }
  }

  private mutating func change(_ inode: UInt64, _ index: Int, _ effect: (FileNumber) -> Change.Effect) {
    guard let number = inodes[inode] else { return }
    files[number].changes.append(Change(effect: effect(number), operation: index))
    uncertainCount += 1
  }

  private mutating func changeEntries(
    _ entries: [(directory: FileNumber, name: String, file: FileNumber?)], _ index: Int
  ) {
    entryChanges.append(Change(effect: .entries(entries), operation: index))
    uncertainCount += 1
    for (directory, name, file) in entries {
      files[directory].seen[name] = nil
      if let file { place(file, in: directory, name) }
    }
  }

  private mutating func place(_ file: FileNumber, in directory: FileNumber, _ name: String) {
    files[directory].seen[name] = file
    files[file].place = (directory, name)
  }

  /// Makes changes certain: those of a file or directory for which the closure returns true, by their operation.
  package mutating func sync(_ file: FileNumber, where isCovered: (Int) -> Bool) {
    if files[file].isDirectory {
      for index in entryChanges.indices where isCovered(entryChanges[index].operation) {
        if case .entries(let entries) = entryChanges[index].effect, entries.last?.directory == file {
          uncertainCount -= entryChanges[index].isCertain ? 0 : 1
          entryChanges[index].isCertain = true
        }
      }
      settleEntries()
    } else {
      for index in files[file].changes.indices where isCovered(files[file].changes[index].operation) {
        uncertainCount -= files[file].changes[index].isCertain ? 0 : 1
        files[file].changes[index].isCertain = true
      }
      settle(file)
    }
  }

  /// Drops the uncertain writes to a file: after a failed sync, Linux takes its pages for written.
  private mutating func dropChanges(of file: FileNumber) {
    let before = files[file].changes.count
    files[file].changes.removeAll { change in
      if case .write = change.effect { !change.isCertain } else { false }
    }
    uncertainCount -= before - files[file].changes.count
    settle(file)
  }

  /// Applies the certain changes that no older uncertain one precedes.
  private mutating func settle(_ file: FileNumber) {
    let count = files[file].changes.prefix { $0.isCertain }.count
    for change in files[file].changes.prefix(count) { Self.apply(change, to: &files[file].bytes) }
    files[file].changes.removeFirst(count)
  }

  private mutating func settleEntries() {
    var blocked: Set<FileNumber> = []
    entryChanges.removeAll { change in
      guard case .entries(let entries) = change.effect else { return false }
      let directories = entries.map(\.directory)
      guard change.isCertain, blocked.isDisjoint(with: directories) else {
        blocked.formUnion(directories)
        return false
      }
      for (directory, name, file) in entries { files[directory].entries[name] = file }
      return true
    }
  }
}

// MARK: States

extension Disk {
  /// The part of a change that is on the disk.
  package enum Part: Hashable, Sendable {
    case nothing, whole
    /// Of a write, the size alone: the bytes are zeros where the file was extended, and the old ones elsewhere.
    case sizeOnly
    /// Of a write, some pieces of a size, by a seed.
    case pieces(of: Int, seed: UInt64)
  }

  /// A change that may be on the disk: its operation, and the path of the file or entry.
  package struct Uncertain: Sendable {
    package let operation: Int
    package let path: String
    package let isWrite: Bool
    /// Whether it only removes a name.
    package let isRemoval: Bool
  }

  /// Returns the uncertain changes in the order of their operations.
  package var uncertain: [Uncertain] {
    var found: [Uncertain] = []
    for change in entryChanges where !change.isCertain {
      guard case .entries(let entries) = change.effect, let last = entries.last else { continue }
      let parent = path(of: last.directory)
      found.append(
        Uncertain(
          operation: change.operation, path: parent.isEmpty ? last.name : parent + "/" + last.name, isWrite: false,
          isRemoval: last.file == nil))
    }
    for (number, file) in files.enumerated() where !file.changes.isEmpty {
      let path = path(of: number)
      for change in file.changes where !change.isCertain {
        let isWrite = if case .write = change.effect { true } else { false }
        found.append(Uncertain(operation: change.operation, path: path, isWrite: isWrite, isRemoval: false))
      }
    }
    return found.sorted { $0.operation < $1.operation }
  }

  /// Returns the files and directories that a power cut leaves, with the given parts of the uncertain changes.
  package func image(_ part: (Int) -> Part) -> DiskImage {
    var entries = files.map(\.entries)
    for change in entryChanges where change.isCertain || part(change.operation) != .nothing {
      guard case .entries(let changed) = change.effect else { continue }
      for (directory, name, file) in changed { entries[directory][name] = file }
    }
    var image = DiskImage()
    collect(0, "", entries, part, &image)
    return image
  }

  private func collect(
    _ directory: FileNumber, _ path: String, _ entries: [[String: FileNumber]], _ part: (Int) -> Part,
    _ image: inout DiskImage
  ) {
    for (name, number) in entries[directory].sorted(by: { $0.key < $1.key }) {
      let path = path.isEmpty ? name : path + "/" + name
      if files[number].isDirectory {
        image.directories.append(path)
        collect(number, path, entries, part, &image)
      } else {
        image.files.append((path, content(of: number, part), mapped.contains(number)))
      }
    }
  }

  private func content(of number: FileNumber, _ part: (Int) -> Part) -> [UInt8] {
    var content = TornContent(files[number].bytes)
    for change in files[number].changes { content.add(change, change.isCertain ? .whole : part(change.operation)) }
    return content.bytes
  }

  private static func apply(_ change: Change, to bytes: inout [UInt8]) {
    var content = TornContent(bytes)
    bytes = []
    content.add(change, .whole)
    bytes = content.bytes
  }
}
