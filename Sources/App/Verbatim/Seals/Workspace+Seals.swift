// Sealing a workspace, and checking it against its seals.
public import Digests
internal import Errors
public import EventLog
internal import EventLogPostgres

extension Workspace {
  /// Seals the end of the log: signs its identity, position, chain hash and the time, and stores the seal in the
  /// directory, which is `seals` in that of the workspace unless another is given; a log on a server needs one.
  ///
  /// Returns the newest seal of the key; nothing is signed where no event was appended since. It throws
  /// ``SealError/rewritten(_:)``, and signs nothing, where the log does not have the events that the key sealed before.
  @discardableResult
  public func seal(with key: SigningKey, in directory: String? = nil) async throws(SealError) -> Seal {
    try await offThread { workspace throws(SealError) in
      try workspace.sealDirectory(directory).seal(workspace.store.log, with: key, at: workspace.now)
    }
  }

  /// Checks that the log has the events of all seals in a directory, and that all keys signed each of them; returns the
  /// seals, in order of position.
  public func checkSeals(
    in directory: String? = nil, signedBy keys: [PublicKey]
  ) async throws(SealError) -> [Seal] {
    try await offThread { workspace throws(SealError) in
      try workspace.sealDirectory(directory).check(workspace.store.log, signedBy: keys)
    }
  }

  private func sealDirectory(_ path: String?) throws(SealError) -> SealDirectory {
    if let path { return SealDirectory(at: path) }
    if store.log is PostgresLog { throw .noDirectory }
    return SealDirectory(ofLogAt: self.path)
  }
}
