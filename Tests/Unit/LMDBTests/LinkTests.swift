// Threat: a directory prepared by an attacker, with links or FIFOs in place of the files of an environment, so that
// files outside it are overwritten or copied, or an opening never ends.
import Files
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
    for name in ["a", "data.mdb", "lock.mdb"] {
      _ = FileManager.default.createFile(atPath: outside + "/" + name, contents: Data("precious".utf8))
    }
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

  /// The operations on the directory of an environment.
  static let all: [Operation] = [
    Operation("Environment") { path, _ in _ = try Environment(path: path, options: .init(creates: true)) },
    Operation("ExclusiveEnvironmentLock") { path, _ in try ExclusiveEnvironmentLock.hold(of: path) { _ in } },
    Operation("copy of an environment") { path, own in
      let environment = try Environment(path: own + "/environment", options: .init(creates: true, isSynced: false))
      try environment.copy(to: path)
    },
  ]
}

@Suite struct `A link in place of a file of an environment` {
  private let places = Places()

  @Test(arguments: Operation.all)
  fileprivate func `a link in a path is not followed`(operation: Operation) throws {
    let (before, link) = (places.state, places.own + "/link")
    symlink(places.outside, link)
    for path in [link, link + "/directory", link + "/none"] {
      #expect {
        try operation.run(path, places.own)
      } throws: { error in
        "\(error)".contains("is a symbolic link")
      }
    }
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
        "\(error)".hasPrefix("\(directory)/\(name) is a symbolic link where Verbatim stores a file")
      }
      #expect(throws: (any Error).self) { _ = try Environment(path: directory) }
      #expect(places.state == before)
      try FileManager.default.removeItem(atPath: directory)
    }
  }

  @Test(arguments: ["data.mdb", "lock.mdb"])
  func `an environment is not opened with another file type in place of a file`(name: String) throws {
    let path = places.own + "/" + name
    for (words, make) in [("a FIFO", { mkfifo($0, 0o600) }), ("a directory", { mkdir($0, 0o700) })]
      as [(String, (String) -> CInt)]
    {
      try #require(make(path) == 0)
      #expect {
        _ = try Environment(path: places.own, options: .init(creates: true))
      } throws: { error in
        "\(error)".hasPrefix("\(path) is \(words) where Verbatim stores a file")
      }
      try FileManager.default.removeItem(atPath: path)
    }
  }
}

@Suite struct `The files of an environment` {
  private let scratch = Scratch()

  // What broke: LMDB creates the file of a copy with the permissions that the umask allows, so that others could read
  // backups.
  @Test(arguments: [0, 0o022, 0o077] as [UInt32])
  func `created files are accessible to their owner alone under any umask`(mask: UInt32) async throws {
    // The umask belongs to the process, and other tests create files concurrently.
    await #expect(processExitsWith: .success) { [path = scratch.path as String, mask = mask as UInt32] in
      umask(mode_t(mask))
      for name in ["one", "copy"] { try FileSystem.makeDirectory(path + "/" + name) }
      try copyEnvironment(from: path + "/one", to: path + "/copy")
      let files = FileManager.default
      for name in try files.subpathsOfDirectory(atPath: path) {
        let facts = try files.attributesOfItem(atPath: path + "/" + name)
        let expected = facts[.type] as? FileAttributeType == .typeDirectory ? 0o700 : 0o600
        guard facts[.posixPermissions] as? Int == expected else { fatalError("\(name): \(facts)") }
      }
      guard try holdsCopy(path + "/copy") else { fatalError("the copy is not whole") }
    }
  }

  @Test func `a copy never replaces a file`() throws {
    let environment = try scratch.open()
    try FileSystem.makeDirectory(scratch.path + "/copy")
    try FileSystem.mark(scratch.path + "/copy/data.mdb", with: "a", in: scratch.path + "/copy")
    #expect(throws: LMDBError(rawValue: EEXIST)) { try environment.copy(to: scratch.path + "/copy") }
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
