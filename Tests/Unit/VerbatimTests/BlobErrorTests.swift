// Threat: a failed add leaves a partial blob, or throws without the reason.
import ChildProcess
import Dispatch
import Foundation
import Locks
import Testing

@testable import Verbatim

@Suite struct `Adding a blob that fails` {
  private let folder: BlobFolder

  init() throws { folder = try BlobFolder() }

  /// Expects that adding throws one sentence that names the file, and leaves nothing behind.
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

  @Test func `adding a missing file throws`() async throws {
    let nowhere = folder.path + "/nowhere"
    await expect(.noFile(path: nowhere), adding: nowhere)
    await expect(.noFile(path: nowhere + "/a"), adding: nowhere + "/a")
    await expect(.noFile(path: ""), adding: "")
    let file = try folder.write([1])
    await expect(.noFile(path: file + "/a"), adding: file + "/a")
    await expect(.noFile(path: file + "\0.png"), adding: file + "\0.png")
    #expect("\(BlobError.noFile(path: "a\0b"))".hasPrefix(#"There is no file at "a\0b": "#))
  }

  @Test func `adding a directory, a pipe, a socket or a device throws`() async throws {
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

  @Test func `adding an unreadable file throws`() async throws {
    let there = WorkspaceFolder()
    let workspace = try there.open()
    await workspace.close()
    let source = try folder.write([1, 2, 3])
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: source)
    let child = try there.startWorker("add-blob-as-nobody", source)
    #expect(try child.line() == "error \(BlobError.unreadable(path: source, reason: "Permission denied"))")
    // Only the owner may add; the superuser, who created the workspace, is another user.
    let second = try #require(try child.line())
    #expect(second.hasPrefix(geteuid() == 0 ? "error The blobs at \(workspace.path)/blobs could not be" : "added"))
    #expect(try child.finish() == .exit(0))
  }

  @Test func `adding a file throws if it is appended to concurrently`() async throws {
    let source = try folder.sparse(3 << 20)
    await expect(.changed(path: source), adding: source) { _ in
      let file = FileHandle(forWritingAtPath: source)
      _ = try? file?.seekToEnd()
      try? file?.write(contentsOf: Data([1]))
      try? file?.close()
    }
  }

  @Test func `adding a file throws if a byte of it changes concurrently`() async throws {
    let source = try folder.sparse(3 << 20)
    await expect(.changed(path: source), adding: source) { _ in
      var (before, after) = (stat(), stat())
      stat(source, &before)
      // The system counts time in ticks: within one, a change leaves the modification time as it is.
      repeat {
        let file = FileHandle(forWritingAtPath: source)
        try? file?.write(contentsOf: Data([1]))
        try? file?.close()
        stat(source, &after)
      } while changeTime(before) == changeTime(after)
    }
  }

  @Test func `adding a file throws if it is replaced concurrently`() async throws {
    let (source, folder) = (try folder.sparse(3 << 20), folder)
    await expect(.changed(path: source), adding: source) { _ in
      if let other = try? folder.write([UInt8](repeating: 0, count: 3 << 20), to: "other") { rename(other, source) }
    }
  }

  @Test func `adding a file throws if it vanishes concurrently`() async throws {
    let source = try folder.sparse(3 << 20)
    await expect(.noFile(path: source), adding: source) { _ in unlink(source) }
  }

  @Test func `adding a file throws if it would exceed the disk's reserve`() async throws {
    let source = try folder.write([1])
    await expect(.full(path: folder.path + "/blobs"), freeSpaceReserve: .max, adding: source)
    await #expect(throws: BlobError.full(path: folder.path + "/blobs")) {
      _ = try await folder.open(freeSpaceReserve: .max).add([1])
    }
    #expect(folder.files == [])
    let there = WorkspaceFolder()
    let workspace = try there.open { $0.freeSpaceReserve = .max }
    await #expect(throws: BlobError.full(path: workspace.path + "/blobs")) { _ = try await workspace.blobs.add([1]) }
    await workspace.close()
  }

  @Test(.enabled(if: MemoryDisk.canBeMade))
  func `adding a file throws if a small disk is full, at first or after concurrent writes`() async throws {
    let disk = try MemoryDisk()
    let (blobs, filler) = (BlobStore(in: disk.path, freeSpaceReserve: 1 << 20), disk.path + "/filler")
    let large = try folder.sparse(8 << 20)
    await #expect(throws: BlobError.full(path: blobs.path)) {
      _ = try await blobs.add(fileAt: large) { _ in Issue.record("it began without room for all") }
    }
    let source = try folder.sparse(4 << 20)
    // The first size fills the disk, the second leaves space for the rest of the blob, but not for the reserve.
    for byteCount in [6 << 20, 7 << 19] {
      await #expect(throws: BlobError.full(path: blobs.path)) {
        _ = try await blobs.add(fileAt: source) { _ in
          try? Data(repeating: 0, count: byteCount).write(to: URL(filePath: filler))
        }
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: blobs.path + "/unfinished") == [])
      try disk.empty()
    }
    #expect(try await blobs.add(fileAt: source).byteCount == 4 << 20)
  }

  @Test func `a cancelled add throws and leaves nothing behind`() async throws {
    let source = try folder.sparse(3 << 20)
    let (adding, told, isKnown) = (Locked<Task<Void, Never>?>(nil), Locked(0), DispatchSemaphore(value: 0))
    let task = Task {
      await expect(.cancelled, adding: source) { _ in
        told.withLock { $0 += 1 }
        // The callback may run before the test has stored the task.
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

  @Test func `adding throws if a file is in place of the blobs' directory`() async throws {
    try folder.write([1], to: "blobs")
    let (path, reason) = (folder.path + "/blobs", "\(folder.path)/blobs is a file, not a directory")
    await #expect(throws: BlobError.storage(path: path, reason: reason)) {
      _ = try await folder.open().add([1])
    }
    #expect(try bytes(of: folder.path + "/blobs") == [1])
  }

  @Test func `every error is one sentence that names its subject`() throws {
    let id = try #require(Blob.ID(String(repeating: "0", count: 64)))
    let errors: [BlobError] = [
      .noFile(path: "/a/b"), .notAFile(path: "/a/b"), .unreadable(path: "/a/b", reason: "why"), .changed(path: "/a/b"),
      .full(path: "/a/b"), .cancelled, .notHere(id, path: "/a/b"), .damaged(id, path: "/a/b"),
      .undecryptable(id, path: "/a/b"), .notCopied(path: "/a/b", reason: "why"), .storage(path: "/a/b", reason: "why"),
    ]
    #expect(Set(errors.map(\.code)).count == errors.count)
    for error in errors {
      let failure = RecordedFailure(error)
      #expect(failure.description == error.description)
      #expect(failure.values.text("path") == "/a/b" || error == .cancelled)
      #expect((failure.values.text("detail") == "why") == error.description.contains("why"))
    }
    for words in errors.map(\.description) {
      #expect(words.hasSuffix(".") && !words.dropLast().contains(". ") && words.contains(": "), "\(words)")
      #expect(words.contains("/a/b") || words == BlobError.cancelled.description, "\(words)")
    }
  }
}

/// Returns the time of the last change of a file's status.
private func changeTime(_ status: stat) -> [Int] {
  #if canImport(Glibc)
    [status.st_ctim.tv_sec, status.st_ctim.tv_nsec]
  #else
    [status.st_ctimespec.tv_sec, status.st_ctimespec.tv_nsec]
  #endif
}

@Suite struct `An error of blobs in a backup` {
  @Test func `is damage only where a blob is missing or has other bytes`() throws {
    let (id, path) = (try #require(Blob.ID(String(repeating: "ab", count: 32))), "/blobs/a")
    let damage: [BlobError] = [.damaged(id, path: path), .notHere(id, path: path), .noFile(path: path)]
    let failures: [BlobError] = [
      .notCopied(path: path, reason: "no"),
      .full(path: path), .unreadable(path: path, reason: "no"), .changed(path: path), .cancelled,
      .storage(path: path, reason: "no"),
    ]
    for error in damage + failures {
      let isDamage = if case .damaged = MaintenanceError(error, at: "/workspace") { true } else { false }
      #expect(isDamage == damage.contains(error), "\(error)")
    }
  }
}
