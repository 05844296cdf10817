// The bytes that our log writes, for peers without a format of their own.
import EventLog
import Peers

/// Blocks as the log stores them.
final class Blocks {
  let eventsPerBlock: Int
  private var bytes: [UInt8] = []
  private var offsets = [0]

  /// Appends the same events to a log in memory, and takes its blocks.
  init(of vocabulary: Vocabulary, seed: UInt64, perCommit: Int) throws {
    eventsPerBlock = perCommit
    let store = EventStore.inMemory()
    var draws = Draws(seed: seed)
    for _ in 0..<max(16, 16_384 / perCommit) {
      _ = try store.appendBlocking(draws.proposals(perCommit, vocabulary))
    }
    try store.log.blocks(from: .first, .forward, checks: .none) { block in
      block.bytes.withUnsafeBytes { bytes.append(contentsOf: $0) }
      offsets.append(bytes.count)
      return .next
    }
  }

  func withValues<R>(_ body: (UnsafePointer<peer_values>) throws -> R) rethrows -> R {
    try bytes.withUnsafeBufferPointer { bytes in
      try offsets.withUnsafeBufferPointer { offsets in
        var values = peer_values()
        values.bytes = bytes.baseAddress
        values.offsets = offsets.baseAddress
        values.count = offsets.count - 1
        values.events_per_value = UInt64(eventsPerBlock)
        return try withUnsafePointer(to: values) { try body($0) }
      }
    }
  }
}

/// LMDB through its C interface.
final class RawLMDB {
  private let peer: OpaquePointer

  /// Creates an environment in an existing directory.
  init(creating directory: String) throws {
    var peer: OpaquePointer?
    try check(peer_lmdb_create(directory, &peer))
    self.peer = peer!
  }

  /// Opens an environment that no process writes.
  init(reading directory: String) throws {
    var peer: OpaquePointer?
    try check(peer_lmdb_open_to_read(directory, &peer))
    self.peer = peer!
  }

  deinit { peer_lmdb_close(peer) }

  /// Returns the number of events per second that became durable.
  func append(_ blocks: Blocks, _ limit: RunLimit) throws -> Double {
    var run = peer_run()
    let commits = UInt64(limit.events / blocks.eventsPerBlock)
    try check(blocks.withValues { peer_lmdb_append(peer, $0, limit.seconds, commits, &run) })
    return Double(run.count) * Double(blocks.eventsPerBlock) / run.seconds
  }

  func append(_ bytes: UnsafeRawBufferPointer, events: Int) throws {
    try check(peer_lmdb_append_one(peer, bytes.baseAddress, bytes.count, UInt64(events)))
  }

  func fill(_ blocks: Blocks, events: Int) throws {
    try check(blocks.withValues { peer_lmdb_fill(peer, $0, UInt64(events / blocks.eventsPerBlock)) })
  }

  /// Returns the seconds taken to read the beginning of each value.
  func touch() throws -> Double {
    var run = peer_run()
    try check(peer_lmdb_touch(peer, &run))
    return run.seconds
  }

  /// Returns the seconds taken to copy each value.
  func copy() throws -> Double {
    var run = peer_run()
    try check(peer_lmdb_copy(peer, &run))
    return run.seconds
  }

  /// Returns the seconds taken to copy each event on its own.
  func copyEvents() throws -> Double {
    var run = peer_run()
    try check(peer_lmdb_copy_events(peer, &run))
    return run.seconds
  }
}

/// Returns the number of events per second appended to a flat file.
func appendToFlatFile(_ path: String, _ blocks: Blocks, _ limit: RunLimit) throws -> Double {
  var run = peer_run()
  let commits = UInt64(limit.events / blocks.eventsPerBlock)
  try check(blocks.withValues { peer_flat_append(path, $0, limit.seconds, commits, &run) })
  return Double(run.count) * Double(blocks.eventsPerBlock) / run.seconds
}

struct PeerFailure: Error {
  let code: CInt
}

private func check(_ code: CInt) throws {
  if code != 0 { throw PeerFailure(code: code) }
}
