// Threat: an append is acknowledged before it is on the disk.
import ChildProcess
import EventLogLMDB
import Foundation
import Testing
import TestThreads

/// The system calls of an appending worker, recorded by `strace`, prove the order of writes, syncs and
/// acknowledgements.
///
/// Without `strace`, or where tracing is not permitted, these tests fail unless VERBATIM_NO_STRACE is set.
@Suite(.waitsForProcesses, .enabled(if: SystemCalls.areWanted))
struct DurabilityTests {
  private static let appendCount = 20

  @Test func `an append is acknowledged only after its pages, its meta page and its checksum are on the disk`() throws {
    let directory = TemporaryDirectory()
    try makeEmptyLog(directory)
    let trace = try traceOfAppends(directory)
    let file = "\(directory.path)/log/data.mdb"
    #expect(trace.acknowledgements.count == Self.appendCount)
    #expect(trace.complaints(of: file, hasChecksum: true) == [])
    // One sync each; the first append also syncs the state before it, twice.
    #expect(trace.syncCount(of: file) == Self.appendCount + 2)

    // The same trace fails once the syncs, or the writes of checksums, are removed from it.
    let unsynced = trace.without { ["fdatasync", "fsync"].contains($0.name) }
    #expect(unsynced.complaints(of: file, hasChecksum: true).count == Self.appendCount)
    let withoutChecksums = trace.without { $0.isBelowPages && $0.isOfChecksum }
    #expect(withoutChecksums.complaints(of: file, hasChecksum: true).count == Self.appendCount)
  }

  @Test func `an environment opened without syncing fails the same check`() throws {
    let directory = TemporaryDirectory()
    let file = "\(directory.path)/data.mdb"
    let synced = try trace(directory, ["raw", directory.path, "synced", "5"])
    #expect(synced.acknowledgements.count == 5)
    #expect(synced.complaints(of: file) == [])
    try remove(directory.path)
    let unsynced = try trace(directory, ["raw", directory.path, "unsynced", "5"])
    #expect(unsynced.acknowledgements.count == 5)
    #expect(unsynced.complaints(of: file).count == 5)
  }

  @Test func `a new log and its directories are synced before opening returns`() throws {
    let directory = TemporaryDirectory()
    try FileManager.default.createDirectory(atPath: directory.path, withIntermediateDirectories: true)
    let parent = directory.path + "/new"
    let trace = try trace(directory, ["create", parent])
    #expect(trace.complaints(of: parent + "/log/data.mdb") == [])
    for path in [parent + "/log", parent, parent + "/.."] {
      #expect(trace.syncs(of: path), "\(path) is not synced")
    }
  }

  private func traceOfAppends(_ directory: TemporaryDirectory) throws -> SystemCalls {
    try trace(
      directory, ["append", directory.path, "1", "mixed", "0", "\(Self.appendCount)", "single", "0"])
  }

  private func trace(_ directory: TemporaryDirectory, _ arguments: [String]) throws -> SystemCalls {
    try FileManager.default.createDirectory(atPath: directory.path, withIntermediateDirectories: true)
    return try SystemCalls(of: [Child.workerPath] + arguments, in: directory.path + ".strace")
  }
}

extension SystemCalls {
  fileprivate var acknowledgements: [Call] { said("ack ") }

  /// Returns whether a file was synced before the first acknowledgement.
  fileprivate func syncs(of path: String) -> Bool {
    let first = acknowledgements.first?.began ?? 0
    return annotated(path).contains { $0.kind == .sync && $0.call.ended < first }
  }

  private enum Kind { case pages, meta, syncedMeta, checksum, sync }

  /// Returns the number of syncs of a file from the first acknowledgement's append to the last.
  fileprivate func syncCount(of path: String) -> Int {
    let last = acknowledgements.last?.began ?? 0
    return annotated(path).count { $0.kind == .sync && $0.call.ended < last }
  }

  /// Returns the writes and syncs of a file, in order.
  private func annotated(_ path: String) -> [(kind: Kind, call: Call)] {
    let path = URL(filePath: path).standardizedFileURL.path
    // LMDB writes its meta pages through a descriptor of their own.
    var synced: Set<Int> = []
    var done: [(Kind, Call)] = []
    for call in calls {
      if call.isOpening, call.result >= 0 {
        synced.remove(call.result)
        if call.text.contains("O_DSYNC") || call.text.contains("O_SYNC") { synced.insert(call.result) }
      }
      guard let descriptor = call.descriptor, call.path == path else { continue }
      let isSynced = synced.contains(descriptor)
      switch call.name {
      case "fdatasync", "fsync": if call.result == 0 { done.append((.sync, call)) }
      case "pwrite64" where call.isBelowPages && call.isOfChecksum: done.append((.checksum, call))
      case "pwrite64" where call.isBelowPages: done.append((isSynced ? .syncedMeta : .meta, call))
      case "pwrite64", "pwritev", "pwritev2", "writev", "write": done.append((.pages, call))
      default: break
      }
    }
    return done
  }

  /// Returns, for each premature acknowledgement, the missing step.
  fileprivate func complaints(of path: String, hasChecksum: Bool = false) -> [String] {
    let all = annotated(path)
    var since = -1
    return acknowledgements.compactMap { acknowledgement in
      defer { since = acknowledgement.ended }
      let before = all.filter { $0.call.ended > since && $0.call.ended < acknowledgement.began }
      let complaint = hasChecksum ? complaintOfChecksummed(before) : complaint(before)
      return complaint.map { "\(acknowledgement.text): \($0)" }
    }
  }

  /// Requires pages, a meta page and a checksum, then a sync of them.
  private func complaintOfChecksummed(_ before: [(kind: Kind, call: Call)]) -> String? {
    for (kind, name) in [(Kind.pages, "page"), (.meta, "meta page"), (.checksum, "checksum")] {
      guard let last = before.last(where: { $0.kind == kind })?.call else { return "no \(name) was written" }
      guard before.contains(where: { $0.kind == .sync && $0.call.began > last.ended }) else {
        return "the \(name) is not synced"
      }
    }
    return nil
  }

  /// Requires pages, a sync of them, then the meta page, synced by its open flags or by a further sync.
  private func complaint(_ before: [(kind: Kind, call: Call)]) -> String? {
    guard let pages = before.last(where: { $0.kind == .pages })?.call else { return "no page was written" }
    let metas = before.filter { $0.kind == .meta || $0.kind == .syncedMeta }
    guard let meta = metas.last else { return "no meta page was written" }
    let syncs = before.filter { $0.kind == .sync }.map(\.call)
    guard syncs.contains(where: { $0.began > pages.ended && $0.ended < meta.call.began }) else {
      return "no sync between the pages and the meta page"
    }
    guard meta.kind == .syncedMeta || syncs.contains(where: { $0.began > meta.call.ended }) else {
      return "the meta page is not synced"
    }
    return nil
  }
}

extension SystemCalls.Call {
  /// Whether it writes to one of the two meta pages, which are at the beginning of the file.
  fileprivate var isBelowPages: Bool {
    offset.map { $0 < 8192 } ?? false
  }

  /// Whether a write to a meta page writes the checksum, in the second sector.
  fileprivate var isOfChecksum: Bool { offset.map { $0 % 4096 == 512 } ?? false }

  /// The offset of a `pwrite`, its last argument.
  private var offset: Int? {
    let end = text.lastIndex(of: ")") ?? text.endIndex
    return Int(text[..<end].split(separator: ",").last.map { $0.drop { $0 == " " } } ?? "")
  }
}
