// Past workspaces that requests share.
internal import EventLog
internal import Locks
internal import Projections
internal import Verbatim

/// A pool of past workspaces, each used by one request at a time.
///
/// A move over a short distance is cheap, so that a request gets the free one whose position is nearest.
final class PastPool: Sendable {
  /// The maximum number of past workspaces that are kept for later requests.
  private static let keptMax = 4

  private let workspace: Workspace
  private let free = Locked<[PastWorkspace]?>([])

  init(of workspace: Workspace) { self.workspace = workspace }

  /// Runs the closure with the workspace at a position.
  func read<R: Sendable>(
    at position: Position, _ body: (PastWorkspace) async throws -> R
  ) async throws -> R {
    let past = try await take(at: position)
    let result: R
    do {
      result = try await body(past)
    } catch {
      past.close()
      throw error
    }
    put(past)
    return result
  }

  /// Closes the free ones, and those in use when they are given back.
  func close() {
    let kept = free.withLock { free in
      defer { free = nil }
      return free ?? []
    }
    for past in kept { past.close() }
  }

  private func take(at position: Position) async throws -> PastWorkspace {
    while let past = takeFree(near: position) {
      do throws(ProjectionError) {
        try await past.move(to: position)
        return past
      } catch {
        past.close()
        // An erasure closes those of before.
        guard case .closed = error else { throw error }
      }
    }
    return try await workspace.at(position)
  }

  private func takeFree(near position: Position) -> PastWorkspace? {
    free.withLock { free -> PastWorkspace? in
      guard var kept = free, !kept.isEmpty else { return nil }
      func distance(_ past: PastWorkspace) -> UInt64 {
        let (one, other) = (past.position.rawValue, position.rawValue)
        return max(one, other) - min(one, other)
      }
      let index = kept.indices.min { distance(kept[$0]) < distance(kept[$1]) } ?? 0
      defer { free = kept }
      return kept.remove(at: index)
    }
  }

  private func put(_ past: PastWorkspace) {
    let isKept = free.withLock { free in
      guard let count = free?.count, count < Self.keptMax else { return false }
      free?.append(past)
      return true
    }
    if !isKept { past.close() }
  }
}
