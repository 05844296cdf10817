// Threat: a directory opened wrongly, twice, or where it must not be.
import Files
import Foundation
import Synchronization
import Testing

@testable import LMDB

@Suite struct `An environment` {
  private let scratch = Scratch()

  @Test func `opening a missing environment throws and creates nothing`() {
    let path = scratch.path + "/none"
    #expect(throws: EnvironmentError.missing(path: path)) { _ = try Environment(path: path) }
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(throws: EnvironmentError.missing(path: scratch.path)) { _ = try Environment(path: scratch.path) }
    #expect((try? FileSystem.names(in: scratch.path)) == [])
  }

  @Test func `an environment with an empty file is missing`() throws {
    try Data().write(to: URL(filePath: scratch.path + "/data.mdb"))
    #expect(throws: EnvironmentError.missing(path: scratch.path)) { _ = try Environment(path: scratch.path) }
    _ = try scratch.open()
  }

  @Test(arguments: [false, true]) func `an environment cannot be opened at the path of a file`(creates: Bool) throws {
    let path = scratch.path + "/file"
    try Data([1]).write(to: URL(filePath: path))
    let error = EnvironmentError.failed(path: path, LMDBError(rawValue: ENOTDIR))
    #expect(throws: error) { _ = try Environment(path: path, options: .init(creates: creates)) }
  }

  @Test func `an environment is not created below a missing directory`() {
    let path = scratch.path + "/none/below"
    let error = EnvironmentError.failed(path: path, LMDBError(rawValue: ENOENT))
    #expect(throws: error) { _ = try Environment(path: path, options: .init(creates: true)) }
  }

  @Test func `an environment cannot be opened on a file that is not of LMDB`() throws {
    try Data((0..<20_000).map { _ in 7 }).write(to: URL(filePath: scratch.path + "/data.mdb"))
    let error = EnvironmentError.failed(path: scratch.path, .invalid)
    #expect(throws: error) { _ = try Environment(path: scratch.path) }
  }

  @Test func `a created environment is accessible to its owner alone`() throws {
    let path = scratch.path + "/new"
    let environment = try Environment(path: path, options: .init(creates: true))
    #expect(try permissions(path) == 0o700)
    #expect(try permissions(path + "/data.mdb") == 0o600)
    #expect(try permissions(path + "/lock.mdb") == 0o600)
    #expect(environment.path == path)
  }

  @Test func `committed values are read after reopening`() throws {
    do {
      let environment = try scratch.open(isSynced: true)
      try environment.set([1], [2], in: environment.table(nil))
    }
    let environment = try Environment(path: scratch.path)
    #expect(try environment.value(of: [1], in: environment.table(nil)) == [2])
  }

  @Test func `two paths of one directory open one environment that closes with its last handle`() throws {
    let other = scratch.path + "/../" + URL(filePath: scratch.path).lastPathComponent
    var first: Environment? = try scratch.open()
    let table = try first!.table("t")
    let second = try Environment(path: other, options: .init(tablesMax: 4, isSynced: false))
    let third = try Environment(path: scratch.path + "/.", options: .init(tablesMax: 4, isSynced: false))
    #expect(second.path == scratch.path)
    try second.set([1], [2], in: table)
    #expect(try third.value(of: [1], in: table) == [2])
    first = nil
    #expect(try second.value(of: [1], in: table) == [2])
    #expect(!openFiles().isEmpty)
  }

  @Test func `the files of an environment are closed with its last handle`() throws {
    let one = try scratch.open()
    do {
      let two = try scratch.open()
      #expect(openFiles() == ["data.mdb", "lock.mdb"])
      #expect(two.path == one.path)
    }
    #expect(openFiles() == ["data.mdb", "lock.mdb"])
    close(one)
    #expect(openFiles() == [])
  }

  @Test func `reopening requires the same options except creates`() throws {
    let environment = try scratch.open()
    for options in [
      Environment.Options(tablesMax: 5, isSynced: false), .init(tablesMax: 4, isSynced: true),
      .init(tablesMax: 4, isSynced: false, mapSize: 1 << 30),
      .init(tablesMax: 4, isSynced: false, readersMax: 10),
    ] {
      let error = EnvironmentError.openWithOtherOptions(path: scratch.path)
      #expect(throws: error) { _ = try Environment(path: scratch.path, options: options) }
    }
    _ = try Environment(path: scratch.path, options: .init(tablesMax: 4, isSynced: false))
    close(environment)
    _ = try Environment(path: scratch.path, options: .init(tablesMax: 5))
  }

  /// A process with a hundred open files had no addresses left for its own memory, and crashed.
  ///
  /// It takes most addresses of the process, which concurrent tests need: so it runs only with the long tests.
  @Test(.enabled(if: ProcessInfo.processInfo.environment["VERBATIM_LONG_TESTS"] != nil))
  func `an open environment leaves address space for many others`() throws {
    final class Box {
      let environment: Environment

      init(_ path: String) throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        environment = try Environment(path: path, options: .init(creates: true, isSynced: false))
      }
    }
    var boxes: [Box] = []
    for number in 0..<300 { boxes.append(try Box(scratch.path + "/\(number)")) }
    let sizes = boxes.map { $0.environment.statistics().mapSize }
    // Later openings get less, so that some is left for all.
    #expect(sizes.allSatisfy { $0 >= 1 << 30 } && sizes[299] <= max(sizes[0] / 4, 1 << 30))
    for box in boxes { try box.environment.set([1], [1], in: box.environment.table(nil)) }
  }

  @Test func `statistics report sizes and transactions`() throws {
    let environment = try Environment(
      path: scratch.path, options: .init(creates: true, isSynced: false, mapSize: 1 << 30, readersMax: 7))
    let empty = environment.statistics()
    #expect(empty.mapSize == 1 << 30 && empty.readersMax == 7 && empty.readersUsed == 1)
    #expect(empty.pageSize == environment.pageSize && empty.lastTransaction == 0 && empty.pages == 2)
    try environment.set([1], [UInt8](repeating: 1, count: 50_000), in: environment.table(nil))
    let later = environment.statistics()
    #expect(later.lastTransaction == 1 && later.pages > 2 + 50_000 / later.pageSize)
    #expect(environment.lastTransaction() == 1)
    environment.prefetch()
    try environment.sync()
  }

  // What broke: it was found by reading. A thread opened an environment after the look whether this process had it
  // open, and closing the lock file then dropped the lock that LMDB holds on it.
  @Test func `a thread opens an environment only after another has released its lock`() throws {
    close(try scratch.open())
    let (path, isHeld, hasOpened) = (scratch.path, Flag(), DispatchSemaphore(value: 0))
    try ExclusiveEnvironmentLock.hold(of: path) { _ in
      isHeld.value.store(true, ordering: .relaxed)
      Thread.detachNewThread {
        let environment = try? Environment(path: path)
        #expect(environment?.path == path && !isHeld.value.load(ordering: .relaxed))
        hasOpened.signal()
      }
      // The thread opens here if nothing keeps it from that.
      for _ in 0..<20_000 { sched_yield() }
      isHeld.value.store(false, ordering: .relaxed)
    }
    hasOpened.wait()
  }

  private func permissions(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  /// The files in the directory that this process has open.
  private func openFiles() -> Set<String> {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    let targets = names.compactMap {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0)
    }
    return Set(
      targets.filter { $0.hasPrefix(scratch.path + "/") }.map { String($0.dropFirst(scratch.path.count + 1)) }
    )
  }
}

private func close(_ environment: consuming Environment) {}

private final class Flag: Sendable {
  let value = Atomic(false)
}

@Suite struct `Errors of opening an environment` {
  @Test(
    arguments: [
      .networkFileSystem(path: "/a", kind: "nfs"), .missing(path: "/a"), .openWithOtherOptions(path: "/a"),
      .failed(path: "/a", .invalid), .failed(path: "/a", .versionMismatch),
      .failed(path: "/a", LMDBError(rawValue: EACCES)),
    ] as [EnvironmentError])
  func `an error is one sentence that names the path and ends with advice`(error: EnvironmentError) {
    let text = error.description
    #expect(text.contains("/a") && text.hasSuffix(".") && !text.contains(". "))
    let advice = text.split(separator: ": ").last ?? ""
    #expect(["choose", "check", "open"].contains { advice.hasPrefix($0 + " ") })
  }

  @Test func `an error keeps codes without a name`() {
    #expect(LMDBError(rawValue: EACCES).description == "Permission denied")
    #expect(LMDBError.keyExists.description.hasPrefix("MDB_KEYEXIST"))
    #expect(LMDBError(rawValue: -30_000).description != "")
  }

  @Test func `damage is distinguished from refusal`() {
    let damage: [LMDBError] = [.pageNotFound, .corrupted, .invalid, .versionMismatch]
    #expect(damage.allSatisfy { $0.isDamage })
    let refusals: [LMDBError] = [
      .keyExists, .notFound, .panic, .mapFull, .readersFull, .badValueSize, .noSpace, .inputOutput,
    ]
    #expect(!refusals.contains { $0.isDamage })
    #expect(Set(damage + refusals).count == 12)
  }
}
