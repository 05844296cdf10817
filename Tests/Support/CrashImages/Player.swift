// Plays a trace: moves a disk from record to record, and names the syncs.
import SeededRandom

/// A fault of the recorded program that a player pretends: the disk that a program without a sync would leave.
package enum Fault: Hashable, Sendable {
  /// All syncs of a kind are missing.
  case without(String)
  /// All syncs of a kind happen after the operation that follows them.
  case late(String)
  /// The disk reports each sync as done, and keeps one in four; the seed chooses which.
  case lying(seed: UInt64)

  /// The kind of sync that is missing or late; nil for a disk that keeps no kind reliably.
  package var kind: String? {
    switch self {
    case .without(let kind), .late(let kind): kind
    case .lying: nil
    }
  }

  /// Whether the disk does not keep what it reports.
  package var isLying: Bool { kind == nil }

  /// Whether a sync has no effect when it ends.
  fileprivate func drops(_ sync: Int, of kind: String) -> Bool {
    guard case .lying(let seed) = self else { return kind == self.kind }
    var random = SeededRandom(seed: seed &+ UInt64(sync))
    return random.below(4) != 0
  }
}

/// A disk that follows a trace.
package struct Player: Sendable {
  private enum Step: Sendable { case begin(Int), end(Int), late(Int) }

  private let trace: Trace
  private let fault: Fault?
  private let steps: [(record: Int, step: Step)]
  private var next = 0
  /// The disk at the present record.
  package private(set) var disk: Disk
  /// The kinds of the syncs that made a change certain.
  package private(set) var effectiveKinds: Set<String> = []

  /// Creates a player at the beginning of a trace, with the disk as it was before.
  package init(_ trace: Trace, on disk: Disk, fault: Fault? = nil) {
    (self.trace, self.disk, self.fault) = (trace, disk, fault)
    var steps: [(record: Int, step: Step)] = []
    for (index, operation) in trace.operations.enumerated() {
      steps.append((operation.began, .begin(index)))
      if operation.ended != operation.began { steps.append((operation.ended, .end(index))) }
    }
    if case .late = fault {
      for (index, operation) in trace.operations.enumerated() where operation.isSync {
        let end = trace.recordOfNextChange(after: index) ?? operation.ended
        steps.append((end, .late(index)))
      }
    }
    // A late sync is after the change that it waited for.
    self.steps = steps.enumerated().sorted { ($0.element.record, $0.offset) < ($1.element.record, $1.offset) }
      .map(\.element)
  }

  /// Moves to the state before a record.
  package mutating func move(to record: Int) {
    while next < steps.count, steps[next].record < record {
      perform(steps[next].step)
      next += 1
    }
  }

  private mutating func perform(_ step: Step) {
    switch step {
    case .begin(let index): disk.begin(trace.operations[index], index)
    case .end(let index):
      guard let kind = kind(of: index) else { return }
      if fault?.drops(index, of: kind) != true { sync(index, kind) }
    case .late(let index): if let kind = kind(of: index), fault == .late(kind) { sync(index, kind) }
    }
  }

  private mutating func sync(_ index: Int, _ kind: String) {
    let (operations, operation) = (trace.operations, trace.operations[index])
    let before = disk.uncertainCount
    switch operation.effect {
    case .sync(let inode, _):
      guard let file = disk.number(of: inode) else { return }
      disk.sync(file) { operations[$0].ended < operation.began }
    case .write(let inode, _, _, isSynchronous: true):
      guard let file = disk.number(of: inode) else { return }
      disk.sync(file) { $0 == index }
    default: return
    }
    if disk.uncertainCount < before { effectiveKinds.insert(kind) }
  }

  /// Returns the kind of a sync: its call, and the form of the path of its file or directory; nil for any other
  /// operation.
  package func kind(of index: Int) -> String? {
    let (inode, call): (UInt64, String)
    switch trace.operations[index].effect {
    case .sync(let file, let isOfData): (inode, call) = (file, isOfData ? "fdatasync " : "fsync ")
    case .write(let file, _, _, isSynchronous: true): (inode, call) = (file, "O_DSYNC write ")
    default: return nil
    }
    guard let file = disk.number(of: inode) else { return nil }
    return call + Self.form(of: disk.path(of: file)) + (disk.isDirectory(file) ? "/" : "")
  }

  /// Returns a description of a change: its call, and the form of the path that it is of.
  package func change(_ index: Int) -> String {
    func form(_ call: String, _ inode: UInt64, _ name: String? = nil) -> String {
      let path = disk.number(of: inode).map { disk.path(of: $0) } ?? "?"
      return call + " " + Self.form(of: name.map { path.isEmpty ? $0 : "\(path)/\($0)" } ?? path)
    }
    return switch trace.operations[index].effect {
    case .write(let file, _, _, _): form("write", file)
    case .setSize(let file, _), .extend(let file, _): form("size of", file)
    case .create(let directory, let name, _, _): form("create", directory, name)
    case .link(let directory, let name, _): form("link", directory, name)
    case .unlink(let directory, let name): form("remove", directory, name)
    case .rename(_, _, let directory, let name): form("rename to", directory, name)
    case .sync, .failedSync, .mark, .map, .unknown: "no change"
    }
  }

  /// Returns whether a kind is of syncs that make changes of a file, or of an entry, at a path certain.
  package static func isKind(_ kind: String, of path: String) -> Bool {
    let parent = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    return kind.hasSuffix(" " + form(of: path)) || kind.hasSuffix(" " + form(of: parent) + "/")
  }

  /// Returns a path in which names that are numbers, hashes or ids are `*`, and so is the workspace of derived tables,
  /// which the same code syncs in each.
  private static func form(of path: String) -> String {
    var names = path.split(separator: "/").map(form(ofName:))
    let isOfTables = names.contains("index") || names.contains("projections") && names.count > 2
    if isOfTables && names.last != "checkpoints" || names.suffix(2) == ["log", "data.mdb"] { names[0] = "*" }
    return names.joined(separator: "/")
  }

  private static func form(ofName name: Substring) -> String {
    func isHash(_ part: Substring) -> Bool { part.utf8.count > 8 && part.allSatisfy(\.isHexDigit) }
    if isHash(name) || name.utf8.count == 2 && name.allSatisfy(\.isHexDigit) { return "*" }
    // The tables after an erasure have a number behind the hash; a file that is moved into place has an id at its end.
    let (hash, number) = (name.prefix { $0 != "-" }, name.drop { $0 != "-" }.dropFirst())
    if isHash(hash), !number.isEmpty, number.allSatisfy(\.isNumber) { return "*" }
    if let dot = name.lastIndex(of: "."), isHash(name[name.index(after: dot)...]) { return name[...dot] + "*" }
    let stem = name.prefix(name.count - name.reversed().prefix(while: \.isNumber).count)
    return stem.isEmpty ? "*" : String(stem)
  }
}

extension Operation {
  /// Whether the operation makes changes certain.
  package var isSync: Bool {
    switch effect {
    case .sync, .write(_, _, _, isSynchronous: true): true
    default: false
    }
  }

  /// Whether it is a mark.
  package var mark: String? { if case .mark(let text) = effect { text } else { nil } }

  fileprivate var isChange: Bool {
    switch effect {
    case .write, .setSize, .extend, .create, .link, .unlink, .rename: true
    case .sync, .failedSync, .mark, .map, .unknown: false
    }
  }
}

extension Trace {
  /// Returns the next change that the process of a sync begins after it; nil if there is none.
  package func nextChange(after index: Int) -> Int? {
    let sync = operations[index]
    return operations.indices[(index + 1)...].first {
      operations[$0].began > sync.ended && operations[$0].process == sync.process && operations[$0].isChange
    }
  }

  /// Returns the record after the next change; nil if there is none.
  func recordOfNextChange(after index: Int) -> Int? { nextChange(after: index).map { operations[$0].ended } }
}
