// Threat: a directory prepared by an attacker, with links, FIFOs and devices in place of files, so that files outside
// it are deleted, overwritten or copied, or a read never ends.
import Foundation
import Testing

@testable import LMDB

/// A directory of the program and one outside, which must not change.
private final class Places: Sendable {
  let scratch = Scratch()
  var own: String { scratch.path + "/own" }
  var outside: String { scratch.path + "/outside" }

  init() {
    for path in [own, outside + "/directory"] {
      try! FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
    for name in ["a", "data.mdb", "lock.mdb", "directory/b"] { write("precious", to: outside + "/" + name) }
  }

  func write(_ text: String, to path: String) {
    _ = FileManager.default.createFile(atPath: path, contents: Data(text.utf8))
  }

  func link(_ name: String, to target: String) -> String {
    symlink(target, own + "/" + name)
    return own + "/" + name
  }

  /// The content of the outside directory: each path with its content.
  var state: [String: Data?] {
    let paths = FileManager.default.subpaths(atPath: outside) ?? []
    return Dictionary(
      uniqueKeysWithValues: paths.map { ($0, FileManager.default.contents(atPath: outside + "/" + $0)) })
  }
}

/// The operations on a path.
private struct Operation: Sendable, CustomTestStringConvertible {
  let name: String
  let run: @Sendable (_ path: String, _ own: String) throws -> Void
  var testDescription: String { name }

  init(_ name: String, _ run: @escaping @Sendable (_ path: String, _ own: String) throws -> Void) {
    (self.name, self.run) = (name, run)
  }

  /// The operations on files.
  static let ofFiles: [Operation] = [
    Operation("contents") { path, _ in _ = try Files.contents(of: path) },
    Operation("writeDurably") { path, own in try Files.writeDurably("a", to: path, in: own) },
    Operation("append") { path, _ in try Files.append("a", to: path) },
    Operation("copy from") { path, own in try Files.copy(path, to: own + "/copy") },
    Operation("copy to") { path, own in
      try Files.writeDurably("a", to: own + "/source", in: own)
      try Files.copy(own + "/source", to: path)
    },
    Operation("isFile") { path, _ in _ = try Files.isFile(at: path) },
    Operation("remove") { path, _ in try Files.remove(path) },
    Operation("FileLock") { path, _ in try FileLock(path: path).recordHolder() },
    Operation("DataFile") { path, _ in _ = try DataFile(path: path) },
    Operation("RecordFile.append") { path, _ in _ = try file(path).append([1], check: { _ in 0 }) },
    Operation("RecordFile.forEach") { path, _ in _ = try file(path).forEach(check: { _ in 0 }) { _ in } },
    Operation("RecordJournal") { path, _ in
      let (directory, name) = (Files.parent(of: path), URL(filePath: path).lastPathComponent)
      try RecordJournal(name, in: directory) { _ in 0 }.append([[1]], syncs: false)
    },
  ]

  /// The operations on directories.
  static let ofDirectories: [Operation] = [
    Operation("isDirectory") { path, _ in _ = try Files.isDirectory(at: path) },
    Operation("names") { path, _ in _ = try Files.names(in: path) },
    Operation("makeDirectory") { path, _ in try Files.makeDirectory(path) },
    Operation("makeDirectories") { path, _ in try Files.makeDirectories(path) },
    Operation("removeDirectory") { path, _ in try Files.removeDirectory(path) },
    Operation("removeTree") { path, _ in try Files.removeTree(path) },
    Operation("sync") { path, _ in try Files.sync(path) },
    Operation("Environment") { path, _ in _ = try Environment(path: path, options: .init(creates: true)) },
    Operation("LockedOut") { path, _ in _ = try ExclusiveEnvironmentLock(of: path) },
    Operation("copy of an environment") { path, own in
      let environment = try Environment(path: own + "/environment", options: .init(creates: true, isSynced: false))
      try environment.copy(to: path)
    },
  ]

  private static func file(_ path: String) -> RecordFile {
    RecordFile(URL(filePath: path).lastPathComponent, in: Files.parent(of: path))
  }
}

/// Runs a closure that must end; returns false when it takes more than a minute, which no machine needs.
private func ends(_ body: @escaping @Sendable () -> Void) -> Bool {
  let end = DispatchSemaphore(value: 0)
  Thread.detachNewThread {
    body()
    end.signal()
  }
  return end.wait(timeout: .now() + .seconds(60)) == .success
}

// What broke: deletion, type checks and reads followed links: opening our directory linked to another one deleted every
// file there. Fix: each path is reached through directories that are opened without following a link.
@Suite struct `A link in place of a file of the program` {
  private let places = Places()

  @Test(arguments: Operation.ofFiles)
  fileprivate func `a link to a file is not followed`(operation: Operation) throws {
    let (before, path) = (places.state, places.link("link", to: places.outside + "/a"))
    expectMisplaced(operation, at: path)
    expectMisplaced(operation, at: places.link("dangling", to: places.outside + "/none"))
    #expect(places.state == before)
  }

  @Test(arguments: Operation.ofDirectories)
  fileprivate func `a link to a directory is not followed`(operation: Operation) throws {
    let before = places.state
    expectMisplaced(operation, at: places.link("link", to: places.outside))
    #expect(places.state == before)
  }

  @Test(arguments: Operation.ofFiles + Operation.ofDirectories)
  fileprivate func `a link in the directory part of a path is not followed`(operation: Operation) throws {
    let (before, path) = (places.state, places.link("link", to: places.outside))
    let names = Operation.ofFiles.contains { $0.name == operation.name } ? ["a", "none"] : ["directory", "none"]
    // A letter that combines with the slash before it.
    for name in names + ["\u{301}"] { expectMisplaced(operation, at: path + "/" + name) }
    #expect(Files.kind(at: path + "/a") == .unreachable && Files.kind(at: path) == .special)
    #expect(Files.size(of: path + "/a") == 0 && Files.identity(of: path + "/a") == nil)
    #expect(places.state == before)
  }

  private func expectMisplaced(
    _ operation: Operation, at path: String, _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(sourceLocation: location) {
      try operation.run(path, places.own)
    } throws: { error in
      "\(error)".contains("is a symbolic link") || "\(error)".contains("is not a regular file")
    }
  }

  @Test func `a removed directory takes its links along and their targets stay`() throws {
    let before = places.state
    for isDeep in [false, true] {
      try FileManager.default.createDirectory(atPath: places.own + "/below/deep", withIntermediateDirectories: true)
      for (name, target) in [("below/file", "/a"), ("below/directory", ""), ("below/deep/directory", "/directory")] {
        _ = places.link(name, to: places.outside + target)
      }
      let path = places.own + "/below"
      if isDeep { try Files.removeTree(path) } else { try Files.removeDirectory(path) }
      // A directory in it remains, unless the tree is removed.
      #expect(Files.kind(at: path + "/file") == .nothing && Files.kind(at: path + "/directory") == .nothing)
      #expect((Files.kind(at: path + "/deep") == .nothing) == isDeep)
    }
    #expect(Files.kind(at: places.own + "/below") == .nothing)
    #expect(places.state == before)
  }

  @Test(arguments: ["data.mdb", "lock.mdb"])
  func `an environment is not opened through a link`(name: String) throws {
    for target in ["/a", "/none", "/data.mdb"] {
      let (before, directory) = (places.state, places.own + "/environment")
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
      symlink(places.outside + target, directory + "/" + name)
      #expect {
        _ = try Environment(path: directory, options: .init(creates: true))
      } throws: { error in
        "\(error)".hasPrefix("\(directory)/\(name) is a symbolic link where Verbatim keeps a file of its own")
      }
      #expect(throws: (any Error).self) { _ = try Environment(path: directory) }
      #expect(places.state == before)
      try FileManager.default.removeItem(atPath: directory)
    }
  }

  @Test func `a link is resolved only in a path that a user names`() throws {
    let (own, outside, link) = (places.own, places.outside, places.link("link", to: places.outside))
    for path in [own, own + "/", own + "/none/deep", own + "/../own", "/", "", ".", "a/b", "/none"] {
      #expect(Files.resolved(path) == path)
    }
    #expect(Files.resolved(link) == outside)
    #expect(Files.resolved(link + "/") == outside)
    #expect(Files.resolved(link + "/directory/none/deep") == outside + "/directory/none/deep")
    #expect(Files.resolved(link + "/a") == outside + "/a")
    #expect(Files.resolved(places.link("dangling", to: outside + "/none")) == own + "/dangling")
    #expect(Files.resolvedDirectory(of: link) == link)
    #expect(Files.resolvedDirectory(of: link + "/projections") == outside + "/projections")
    #expect(Files.resolvedDirectory(of: "projections") == "projections")
  }
}

@Suite struct `Another file type in place of a file` {
  private let places = Places()

  /// The type of the file that is created there.
  enum Kind: CaseIterable { case fifo, socket, device, directory, zeroes }

  @Test(arguments: Operation.ofFiles, Kind.allCases)
  fileprivate func `an unexpected file type throws without blocking`(operation: Operation, kind: Kind) throws {
    let (path, own) = (places.own + "/file", places.own)
    guard make(kind, at: path) else { return }
    let hasEnded = ends {
      #expect {
        try operation.run(path, own)
      } throws: { error in
        "\(error)".contains("\(path) is \(kind.words)") || "\(error)".contains("is not a regular file")
      }
    }
    #expect(hasEnded)
  }

  @Test(arguments: ["data.mdb", "lock.mdb"], Kind.allCases)
  func `an environment is not opened with another file type in place of a file`(name: String, kind: Kind) throws {
    let own = places.own
    guard make(kind, at: own + "/" + name) else { return }
    let hasEnded = ends {
      #expect {
        _ = try Environment(path: own, options: .init(creates: true))
      } throws: { error in
        "\(error)".hasPrefix("\(own)/\(name) is \(kind.words) where Verbatim keeps a file of its own")
      }
    }
    #expect(hasEnded)
  }

  /// Creates a file of a type at a path; returns false where this user has no permission.
  private func make(_ kind: Kind, at path: String) -> Bool {
    switch kind {
    case .fifo: return mkfifo(path, 0o600) == 0
    case .directory: return mkdir(path, 0o700) == 0
    case .zeroes: return symlink("/dev/zero", path) == 0
    case .device:
      #if os(Linux)
        return mknod(path, S_IFCHR | 0o600, 1 << 8 | 5) == 0
      #else
        return false
      #endif
    case .socket:
      var address = sockaddr_un()
      guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else { return false }
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
      #if os(Linux)
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      #else
        let descriptor = socket(AF_UNIX, SOCK_STREAM, 0)
      #endif
      defer { close(descriptor) }
      return withUnsafePointer(to: &address) { address in
        address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
        }
      }
    }
  }
}

extension `Another file type in place of a file`.Kind {
  fileprivate var words: String {
    switch self {
    case .fifo: "a FIFO"
    case .socket: "a socket"
    case .device: "a device"
    case .directory: "a directory"
    case .zeroes: "a symbolic link"
    }
  }
}

@Suite struct `A path` {
  private let places = Places()

  // Where the kernel has no call that refuses links in a whole path, `walk` is used: both must open the same directory.
  @Test func `walk opens the directory that the system opens`() throws {
    for path in ["", "/.", "/own", "/own/../outside/directory", "//own/"].map({ places.scratch.path + $0 }) + [
      "/", ".",
    ] {
      let walked = try PathEntry.walk(path)
      defer { if walked >= 0 { close(walked) } }
      var (one, other) = (stat(), stat())
      #expect((walked == AT_FDCWD ? stat(".", &one) : fstat(walked, &one)) == 0 && stat(path, &other) == 0)
      #expect(one.st_ino == other.st_ino && one.st_dev == other.st_dev, "\(path)")
    }
    #expect(throws: LMDBError.noSuchFile) { try PathEntry.walk(places.own + "/none/deep") }
    let link = places.link("link", to: places.outside)
    for path in [link, link + "/directory", places.outside + "/a", places.outside + "/a/b"] {
      #expect {
        try PathEntry.walk(path)
      } throws: { error in
        guard let entry = (error as? LMDBError)?.unexpectedFile, entry.expected == .directory else { return false }
        return entry.path == (entry.found == .link ? link : places.outside + "/a")
      }
    }
  }

  @Test(arguments: [
    ("a", "", "a"), ("/", "/", "."), ("/a", "/", "a"), ("a/b", "a/", "b"), ("a//b//", "a//", "b"),
    ("a/..", "a/..", "."),
    (".", ".", "."), ("a/\u{301}b", "a/", "\u{301}b"),
  ])
  func `a path is split at its last slash byte by byte`(path: String, parent: String, name: String) {
    let split = PathEntry.split(path)
    #expect(Array(split.parent.utf8) == Array(parent.utf8) && Array(split.name.utf8) == Array(name.utf8))
  }

  @Test func `a path below an unsearchable directory is not taken for a missing one`() throws {
    #expect(Files.kind(at: places.outside + "/a/b") == .unreachable)
    #expect(throws: LMDBError.self) { try Files.isFile(at: places.outside + "/a/b") }
    #expect(try !Files.isFile(at: places.outside + "/none/b"))
    #expect(throws: LMDBError.self) { try Files.names(in: places.outside + "/a") }
  }
}

@Suite struct `Created files` {
  private let scratch = Scratch()

  // What broke: LMDB creates the file of a copy with the permissions that the umask allows, so that others could read
  // backups.
  @Test(arguments: [0, 0o022, 0o077] as [UInt32])
  func `created files are accessible to their owner alone under any umask`(mask: UInt32) async throws {
    // The umask belongs to the process, and other tests create files concurrently.
    await #expect(processExitsWith: .success) { [path = scratch.path as String, mask = mask as UInt32] in
      umask(mode_t(mask))
      for name in ["one", "copy"] { try Files.makeDirectory(path + "/" + name) }
      try copyEnvironment(from: path + "/one", to: path + "/copy")
      try Files.writeDurably("a", to: path + "/one/a", in: path)
      try Files.copy(path + "/one/a", to: path + "/one/b")
      _ = try FileLock(path: path + "/one/c")
      _ = try RecordFile("d", in: path + "/one").append([1]) { _ in 0 }
      _ = try RecordJournal("e", in: path + "/one") { _ in 0 }
      let files = FileManager.default
      for name in try files.subpathsOfDirectory(atPath: path) {
        let facts = try files.attributesOfItem(atPath: path + "/" + name)
        let expected = facts[.type] as? FileAttributeType == .typeDirectory ? 0o700 : 0o600
        guard facts[.posixPermissions] as? Int == expected else { fatalError("\(name): \(facts)") }
      }
      guard try holdsCopy(path + "/copy") else { fatalError("the copy is not whole") }
    }
  }

  @Test func `a created file never replaces another`() throws {
    let environment = try scratch.open()
    try Files.makeDirectory(scratch.path + "/copy")
    try Files.writeDurably("a", to: scratch.path + "/copy/data.mdb", in: scratch.path + "/copy")
    #expect(throws: LMDBError(rawValue: EEXIST)) { try environment.copy(to: scratch.path + "/copy") }
  }

  @Test func `an oversized file of records is not read`() throws {
    _ = FileManager.default.createFile(atPath: scratch.path + "/records", contents: nil)
    try #require(truncate(scratch.path + "/records", 1 << 40) == 0)
    let records = RecordFile("records", in: scratch.path)
    #expect(throws: LMDBError(rawValue: EFBIG)) { try records.forEach(check: { _ in 0 }) { _ in } }
    #expect(throws: LMDBError(rawValue: EFBIG)) { try records.append([1]) { _ in 0 } }
  }
}

/// Creates an environment with one entry, and a copy of it.
private func copyEnvironment(from path: String, to other: String) throws {
  let environment = try Environment(path: path, options: .init(creates: true, isSynced: false))
  try environment.set([1], [1], in: environment.table(nil))
  try environment.copy(to: other)
}

private func holdsCopy(_ path: String) throws -> Bool {
  let copy = try Environment(path: path)
  return try copy.value(of: [1], in: copy.table(nil)) == [1]
}
