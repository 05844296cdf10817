// Threat: what cannot be added is added by half, or nobody says why.
import ChildProcess
import Dispatch
import Foundation
import Locks
import Testing

@testable import Verbatim

@Suite struct `What cannot be added to the blobs` {
  private let folder: BlobFolder

  init() throws { folder = try BlobFolder() }

  /// Shows that adding throws, says of what in one sentence, and leaves nothing behind.
  private func expect(
    _ error: BlobError, freeSpaceReserve: Int = 0, sourceLocation: SourceLocation = #_sourceLocation,
    adding source: String, during: @escaping @Sendable (Double) -> Void = { _ in }
  ) async {
    let blobs = folder.open(freeSpaceReserve: freeSpaceReserve)
    await #expect(throws: error, sourceLocation: sourceLocation) {
      _ = try await blobs.add(fileAt: source, progress: during)
    }
    #expect(folder.files == [], sourceLocation: sourceLocation)
  }

  @Test func `is no file`() async throws {
    let nowhere = folder.path + "/nowhere"
    await expect(.noFile(path: nowhere), adding: nowhere)
    await expect(.noFile(path: nowhere + "/a"), adding: nowhere + "/a")
    await expect(.noFile(path: ""), adding: "")
    let file = try folder.write([1])
    await expect(.noFile(path: file + "/a"), adding: file + "/a")
    await expect(.noFile(path: file + "\0.png"), adding: file + "\0.png")
    #expect("\(BlobError.noFile(path: "a\0b"))".hasPrefix(#"There is no file at "a\0b", "#))
  }

  @Test func `is a folder, a pipe, a socket or a device`() async throws {
    await expect(.notAFile(path: folder.path), adding: folder.path)
    let pipe = folder.path + "/pipe"
    #expect(mkfifo(pipe, 0o600) == 0)
    await expect(.notAFile(path: pipe), adding: pipe)
    await expect(.notAFile(path: "/dev/zero"), adding: "/dev/zero")
    #if os(Linux)
      let socket = folder.path + "/socket"
      #expect(mknod(socket, S_IFSOCK | 0o600, 0) == 0)
      await expect(.notAFile(path: socket), adding: socket)
    #endif
  }

  @Test func `is not for the eyes of who adds it`() async throws {
    let there = WorkspaceFolder()
    await (try there.open()).close()
    let source = try folder.write([1, 2, 3])
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: source)
    let child = try Child([Child.path(ofWorker: "WorkspaceWorker"), "add-blob-as-nobody", there.path, source])
    #expect(try child.line() == "error \(BlobError.unreadable(path: source, reason: "Permission denied"))")
    // Nor may everybody add to what is the owner's; the superuser, who opened it, was somebody else.
    let second = try #require(try child.line())
    #expect(second.hasPrefix(geteuid() == 0 ? "error The blobs at \(there.path)/blobs could not be" : "added"))
    #expect(try child.finish() == .exit(0))
  }

  @Test func `is a file to which somebody writes meanwhile`() async throws {
    let source = try folder.sparse(3 << 20)
    await expect(.changed(path: source), adding: source) { _ in
      let file = FileHandle(forWritingAtPath: source)
      _ = try? file?.seekToEnd()
      try? file?.write(contentsOf: Data([1]))
      try? file?.close()
    }
  }

  @Test func `is a file in which somebody changes a byte meanwhile`() async throws {
    let source = try folder.sparse(3 << 20)
    await expect(.changed(path: source), adding: source) { _ in
      var (before, after) = (stat(), stat())
      stat(source, &before)
      // The system counts time in ticks: until one has passed, it says of nothing that it was changed.
      repeat {
        let file = FileHandle(forWritingAtPath: source)
        try? file?.write(contentsOf: Data([1]))
        try? file?.close()
        stat(source, &after)
      } while changeTime(before) == changeTime(after)
    }
  }

  @Test func `is a file that makes way for another meanwhile`() async throws {
    let (source, folder) = (try folder.sparse(3 << 20), folder)
    await expect(.changed(path: source), adding: source) { _ in
      if let other = try? folder.write([UInt8](repeating: 0, count: 3 << 20), to: "other") { rename(other, source) }
    }
  }

  @Test func `is a file that vanishes meanwhile`() async throws {
    let source = try folder.sparse(3 << 20)
    await expect(.noFile(path: source), adding: source) { _ in unlink(source) }
  }

  @Test func `is more than the disk has room for beside its reserve`() async throws {
    let source = try folder.write([1])
    await expect(.full(path: folder.path + "/blobs"), freeSpaceReserve: .max, adding: source)
    await #expect(throws: BlobError.full(path: folder.path + "/blobs")) {
      _ = try await folder.open(freeSpaceReserve: .max).add([1])
    }
    #expect(folder.files == [])
    let there = WorkspaceFolder()
    let workspace = try there.open { $0.freeSpaceReserve = .max }
    await #expect(throws: BlobError.full(path: there.path + "/blobs")) { _ = try await workspace.blobs.add([1]) }
    await workspace.close()
  }

  @Test(.enabled(if: geteuid() == 0 && SmallDisk.canBeMade))
  func `is more than a small disk has room for, at first or when others fill it meanwhile`() async throws {
    let disk = try SmallDisk()
    let (blobs, filler) = (BlobStore(in: disk.path, freeSpaceReserve: 1 << 20), disk.path + "/filler")
    let large = try folder.sparse(8 << 20)
    await #expect(throws: BlobError.full(path: blobs.path)) {
      _ = try await blobs.add(fileAt: large) { _ in Issue.record("it began without room for all") }
    }
    let source = try folder.sparse(4 << 20)
    // The first fills it to the brim, the second leaves room for the rest of the blob, but not for the reserve.
    for byteCount in [6 << 20, 7 << 19] {
      await #expect(throws: BlobError.full(path: blobs.path)) {
        _ = try await blobs.add(fileAt: source) { _ in
          try? Data(repeating: 0, count: byteCount).write(to: URL(filePath: filler))
        }
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: blobs.path + "/unfinished") == [])
      try FileManager.default.removeItem(atPath: filler)
    }
    #expect(try await blobs.add(fileAt: source).byteCount == 4 << 20)
  }

  @Test func `is what nobody wants any more`() async throws {
    let source = try folder.sparse(3 << 20)
    let (adding, told, isKnown) = (Locked<Task<Void, Never>?>(nil), Locked(0), DispatchSemaphore(value: 0))
    let task = Task {
      await expect(.cancelled, adding: source) { _ in
        told.withLock { $0 += 1 }
        // It may be told before the test has the task in its hands.
        if told.withLock({ $0 }) == 1 { #expect(throws: Never.self) { try isKnown.wait(for: "the task") } }
        adding.withLock { $0?.cancel() }
      }
    }
    adding.withLock { $0 = task }
    isKnown.signal()
    await task.value
    #expect(told.withLock { $0 } == 1, "it was copied on")
    await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      await #expect(throws: BlobError.cancelled) { _ = try await folder.open().add([1]) }
      await #expect(throws: BlobError.cancelled) { _ = try await folder.open().add([]) }
    }.value
    #expect(folder.files == [])
    let blobs = folder.open()
    let blob = try await blobs.add([1])
    await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      await #expect(throws: BlobError.cancelled) { _ = try await blobs.read(blob.id) }
      await #expect(throws: BlobError.cancelled) { try await blobs.verify(blob.id) }
    }.value
  }

  @Test func `is anything where the blobs cannot lie`() async throws {
    try folder.write([1], to: "blobs")
    let (path, reason) = (folder.path + "/blobs", "\(folder.path)/blobs is a file, not a directory")
    await #expect(throws: BlobError.storage(path: path, reason: reason)) {
      _ = try await folder.open().add([1])
    }
    #expect(try bytes(of: folder.path + "/blobs") == [1])
  }

  @Test func `is told in one sentence that names it`() throws {
    let id = try #require(Blob.ID(String(repeating: "0", count: 64)))
    let errors: [BlobError] = [
      .noFile(path: "/a/b"), .notAFile(path: "/a/b"), .unreadable(path: "/a/b", reason: "why"), .changed(path: "/a/b"),
      .full(path: "/a/b"), .cancelled, .notHere(id, path: "/a/b"), .damaged(id, path: "/a/b"),
      .storage(path: "/a/b", reason: "why"),
    ]
    for words in errors.map(\.description) {
      #expect(words.hasSuffix(".") && !words.dropLast().contains(". ") && words.contains(": "), "\(words)")
      #expect(words.contains("/a/b") || words == BlobError.cancelled.description, "\(words)")
    }
  }
}

/// When the system last noted a change.
private func changeTime(_ status: stat) -> [Int] {
  #if canImport(Glibc)
    [status.st_ctim.tv_sec, status.st_ctim.tv_nsec]
  #else
    [status.st_ctimespec.tv_sec, status.st_ctimespec.tv_nsec]
  #endif
}

/// A disk in memory of a few megabytes, for the superuser.
private final class SmallDisk {
  let path = NSTemporaryDirectory() + "verbatim-blob-disk-\(UUID().uuidString)"

  static var canBeMade: Bool { (try? SmallDisk()) != nil }

  init() throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    let mount = try Child(["mount", "-t", "tmpfs", "-o", "size=8m", "verbatim", path])
    guard try mount.finish() == .exit(0) else {
      try FileManager.default.removeItem(atPath: path)
      throw CocoaError(.fileWriteNoPermission)
    }
  }

  deinit {
    _ = try? Child(["umount", "-l", path]).finish()
    try? FileManager.default.removeItem(atPath: path)
  }
}
