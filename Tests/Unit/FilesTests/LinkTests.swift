// Threat: a directory prepared by an attacker, with links, FIFOs and devices in place of files, so that files outside
// it are deleted, overwritten or copied, or a read never ends.
import ChildProcess
import Foundation
import Testing

@testable import Files

/// A directory of the program and one outside, which must not change.
private final class Places: Sendable {
  let scratch = Scratch()
  var own: String { scratch.path + "/own" }
  var outside: String { scratch.path + "/outside" }

  init() {
    for path in [own, outside + "/directory"] {
      try! FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
    for name in ["a", "directory/b"] { write("precious", to: outside + "/" + name) }
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
    Operation("contents") { path, _ in _ = try FileSystem.contents(of: path) },
    Operation("mark") { path, own in try FileSystem.mark(path, with: "a", in: own) },
    Operation("append") { path, _ in try FileSystem.append("a", to: path) },
    Operation("copy from") { path, own in try FileSystem.copy(path, to: own + "/copy") },
    Operation("copy to") { path, own in
      try FileSystem.mark(own + "/source", with: "a", in: own)
      try FileSystem.copy(own + "/source", to: path)
    },
    Operation("isFile") { path, _ in _ = try FileSystem.isFile(at: path) },
    Operation("require") { path, _ in
      try FileSystem.require(files: [URL(filePath: path).lastPathComponent], in: FileSystem.parent(of: path))
    },
    Operation("remove") { path, _ in try FileSystem.remove(path) },
    Operation("FileLock") { path, _ in try FileLock(path: path).recordHolder() },
    Operation("RecordFile.append") { path, _ in _ = try file(path).append([1], check: { _ in 0 }) },
    Operation("RecordFile.forEach") { path, _ in _ = try file(path).forEach(check: { _ in 0 }) { _ in } },
    Operation("RecordJournal") { path, _ in
      let (directory, name) = (FileSystem.parent(of: path), URL(filePath: path).lastPathComponent)
      try RecordJournal(name, in: directory) { _ in 0 }.append([[1]], syncs: false)
    },
  ]

  /// The operations on directories.
  static let ofDirectories: [Operation] = [
    Operation("isDirectory") { path, _ in _ = try FileSystem.isDirectory(at: path) },
    Operation("names") { path, _ in _ = try FileSystem.names(in: path) },
    Operation("makeDirectory") { path, _ in try FileSystem.makeDirectory(path) },
    Operation("makeDirectories") { path, _ in try FileSystem.makeDirectories(path) },
    Operation("removeDirectory") { path, _ in try FileSystem.removeDirectory(path) },
    Operation("removeTree") { path, _ in try FileSystem.removeTree(path) },
    Operation("sync") { path, _ in try FileSystem.sync(path) },
  ]

  private static func file(_ path: String) -> RecordFile {
    RecordFile(URL(filePath: path).lastPathComponent, in: FileSystem.parent(of: path))
  }
}

/// Runs a closure that must end; returns false when it takes more than a minute, which no machine needs.
private func ends(_ body: @escaping @Sendable () -> Void) -> Bool {
  let end = DispatchSemaphore(value: 0)
  Thread.detachNewThread {
    body()
    end.signal()
  }
  return end.wait(timeout: .now() + .seconds(Deadline.seconds)) == .success
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
    #expect(FileSystem.kind(at: path + "/a") == .unreachable && FileSystem.kind(at: path) == .special)
    #expect(FileSystem.size(of: path + "/a") == 0 && FileSystem.identity(of: path + "/a") == nil)
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
      if isDeep { try FileSystem.removeTree(path) } else { try FileSystem.removeDirectory(path) }
      // A directory in it remains, unless the tree is removed.
      #expect(FileSystem.kind(at: path + "/file") == .nothing && FileSystem.kind(at: path + "/directory") == .nothing)
      #expect((FileSystem.kind(at: path + "/deep") == .nothing) == isDeep)
    }
    #expect(FileSystem.kind(at: places.own + "/below") == .nothing)
    #expect(places.state == before)
  }

  @Test func `a link is resolved only in a path that a user names`() throws {
    let (own, outside, link) = (places.own, places.outside, places.link("link", to: places.outside))
    for path in [own, own + "/", own + "/none/deep", own + "/../own", "/", "", ".", "a/b", "/none"] {
      #expect(FileSystem.resolved(path) == path)
    }
    #expect(FileSystem.resolved(link) == outside)
    #expect(FileSystem.resolved(link + "/") == outside)
    #expect(FileSystem.resolved(link + "/directory/none/deep") == outside + "/directory/none/deep")
    #expect(FileSystem.resolved(link + "/a") == outside + "/a")
    #expect(FileSystem.resolved(places.link("dangling", to: outside + "/none")) == own + "/dangling")
    #expect(FileSystem.resolvedDirectory(of: link) == link)
    #expect(FileSystem.resolvedDirectory(of: link + "/projections") == outside + "/projections")
    #expect(FileSystem.resolvedDirectory(of: "projections") == "projections")
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
    #expect(throws: FileError.noSuchFile) { try PathEntry.walk(places.own + "/none/deep") }
    let link = places.link("link", to: places.outside)
    for path in [link, link + "/directory", places.outside + "/a", places.outside + "/a/b"] {
      #expect {
        try PathEntry.walk(path)
      } throws: { error in
        guard let entry = (error as? FileError)?.unexpectedFile, entry.expected == .directory else { return false }
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
    #expect(FileSystem.kind(at: places.outside + "/a/b") == .unreachable)
    #expect(throws: FileError.self) { try FileSystem.isFile(at: places.outside + "/a/b") }
    #expect(try !FileSystem.isFile(at: places.outside + "/none/b"))
    #expect(throws: FileError.self) { try FileSystem.names(in: places.outside + "/a") }
  }
}

@Suite struct `Created files` {
  private let scratch = Scratch()

  @Test(arguments: [0, 0o022, 0o077] as [UInt32])
  func `created files are accessible to their owner alone under any umask`(mask: UInt32) async throws {
    // The umask belongs to the process, and other tests create files concurrently.
    await #expect(processExitsWith: .success) { [path = scratch.path as String, mask = mask as UInt32] in
      umask(mode_t(mask))
      try FileSystem.makeDirectory(path + "/one")
      guard try FileSystem.makeNewDirectory(path + "/two"), try !FileSystem.makeNewDirectory(path + "/one") else {
        fatalError("a directory is new only once")
      }
      try FileSystem.mark(path + "/one/a", with: "a", in: path)
      try FileSystem.copy(path + "/one/a", to: path + "/one/b")
      _ = try FileLock(path: path + "/one/c")
      _ = try RecordFile("d", in: path + "/one").append([1]) { _ in 0 }
      _ = try RecordJournal("e", in: path + "/one") { _ in 0 }
      let files = FileManager.default
      for name in try files.subpathsOfDirectory(atPath: path) {
        let facts = try files.attributesOfItem(atPath: path + "/" + name)
        let expected = facts[.type] as? FileAttributeType == .typeDirectory ? 0o700 : 0o600
        guard facts[.posixPermissions] as? Int == expected else { fatalError("\(name): \(facts)") }
      }
    }
  }

  @Test func `an oversized file of records is not read`() throws {
    _ = FileManager.default.createFile(atPath: scratch.path + "/records", contents: nil)
    try #require(truncate(scratch.path + "/records", 1 << 40) == 0)
    let records = RecordFile("records", in: scratch.path)
    #expect(throws: FileError(rawValue: EFBIG)) { try records.forEach(check: { _ in 0 }) { _ in } }
    #expect(throws: FileError(rawValue: EFBIG)) { try records.append([1]) { _ in 0 } }
  }
}
