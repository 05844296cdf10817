// The deterministic environment of a running scenario: clock, id generator, and controlled providers.
internal import Chat
internal import ChatComposer
internal import Locks
internal import RandomNumbers

/// The deterministic environment of a running scenario.
final class Stage: Sendable {
  private let state: Locked<State>

  private struct State {
    var now: Timestamp
    var random = SplitMix64(seed: 0x5EED)
    var held: Set<String> = []
    var waiting: [Int: Waiting] = [:]
    var uploads: [Attachment.ID: Upload] = [:]
    var lastNumber = 0
    var isOver = false
  }

  private struct Waiting {
    let gate: String
    let label: String
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct Upload {
    let progress: @Sendable (Double) -> Void
    let continuation: CheckedContinuation<String, any Error>
  }

  init(at instant: Timestamp) { state = Locked(State(now: instant)) }

  // MARK: Time and ids

  var now: Timestamp {
    get { state.withLock { $0.now } }
    set { state.withLock { $0.now = newValue } }
  }

  /// Returns the next pseudorandom number of a fixed sequence.
  func randomBits() -> UInt64 { state.withLock { $0.random.next() } }

  // MARK: Held requests

  /// Blocks requests at a gate until it is released.
  func hold(_ gate: String) { state.withLock { _ = $0.held.insert(gate) } }

  /// Releases the requests at a gate, all or those with a label, or lets them fail.
  func release(_ gate: String, for label: String? = nil, failing reason: String? = nil) {
    let freed = state.withLock { state in
      if label == nil { state.held.remove(gate) }
      let freed = state.waiting.filter { $0.value.gate == gate && (label == nil || $0.value.label == label) }
      for number in freed.keys { state.waiting[number] = nil }
      return freed.sorted { $0.key < $1.key }.map(\.value)
    }
    for waiting in freed {
      if let reason { waiting.continuation.resume(throwing: Failing(reason)) } else { waiting.continuation.resume() }
    }
  }

  /// Waits while the gate is held; a caller that has given up is not detected.
  func pass(_ gate: String, for label: String = "") async throws {
    try await withCheckedThrowingContinuation { continuation in
      let waits = state.withLock { state in
        guard state.held.contains(gate), !state.isOver else { return false }
        state.lastNumber += 1
        state.waiting[state.lastNumber] = Waiting(gate: gate, label: label, continuation: continuation)
        return true
      }
      if !waits { continuation.resume() }
    }
  }

  /// Whether a gate is held.
  func holds(_ gate: String) -> Bool { state.withLock { $0.held.contains(gate) } }

  /// Whether a request waits at a gate.
  func isAwaited(_ gate: String, for label: String? = nil) -> Bool {
    state.withLock { $0.waiting.values.contains { $0.gate == gate && (label == nil || $0.label == label) } }
  }

  /// Cancels all waiting requests and uploads.
  func end() {
    let (waiting, uploads) = state.withLock { state in
      defer { (state.waiting, state.uploads, state.held, state.isOver) = ([:], [:], [], true) }
      return (Array(state.waiting.values), Array(state.uploads.values))
    }
    for waiting in waiting { waiting.continuation.resume(throwing: CancellationError()) }
    for upload in uploads { upload.continuation.resume(throwing: CancellationError()) }
  }
}

// MARK: Uploads

extension Stage: UploadProvider {
  /// Begins an upload, whose progress and result the scenario controls.
  func upload(_ attachment: Attachment, progress: @escaping @Sendable (Double) -> Void) async throws -> String {
    try await withCheckedThrowingContinuation { continuation in
      let (before, isOver) = state.withLock { state in
        let before = state.uploads[attachment.id]
        state.uploads[attachment.id] =
          state.isOver ? nil : Upload(progress: progress, continuation: continuation)
        return (before, state.isOver)
      }
      before?.continuation.resume(throwing: CancellationError())
      if isOver { continuation.resume(throwing: CancellationError()) }
    }
  }

  /// Whether an upload is in progress.
  func isUploading(_ id: Attachment.ID) -> Bool { state.withLock { $0.uploads[id] != nil } }

  /// Reports the progress of an upload; returns whether it is in progress.
  func progress(_ id: Attachment.ID, _ part: Double) -> Bool {
    guard let upload = state.withLock({ $0.uploads[id] }) else { return false }
    upload.progress(part)
    return true
  }

  /// Ends an upload; returns whether it was in progress.
  func finish(_ id: Attachment.ID, _ outcome: Result<String, Failing>) -> Bool {
    guard let upload = state.withLock({ $0.uploads.removeValue(forKey: id) }) else { return false }
    upload.continuation.resume(with: outcome.mapError { $0 as any Error })
    return true
  }
}

/// A failure that a scenario injects, with its reason.
struct Failing: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
