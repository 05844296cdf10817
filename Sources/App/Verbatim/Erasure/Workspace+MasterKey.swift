// Replacing the keys of a workspace.
public import ContentKeys
internal import Errors
internal import EventLog

extension Workspace {
  /// Encrypts the keys of an erasable workspace with another master key, durably; with nil, with a random one, which
  /// takes the place of that in its file.
  ///
  /// Content stays as it is. The earlier master key no longer decrypts the keys; copies of the key file from before
  /// need the earlier one. Other processes that have the workspace open go on, if the master key is in a
  /// file; otherwise they need the new one as soon as they read the keys again: open the workspace anew in them.
  public func replaceMasterKey(by other: MasterKey? = nil) async throws(MaintenanceError) {
    try await offThread { workspace throws(MaintenanceError) in try workspace.replaceMasterKeyNow(by: other) }
  }

  /// Replaces the keys of all users and channels of an erasable workspace: what is written from now on, by any process,
  /// is encrypted with new ones.
  ///
  /// Earlier content stays as it is, with its keys. A copy of the keys from before decrypts nothing that is written
  /// later. If the master key may be known, replace it first, since it decrypts the new keys.
  public func replaceContentKeys() async throws(MaintenanceError) {
    try await offThread { workspace throws(MaintenanceError) in try workspace.replaceContentKeysNow() }
  }

  private func replaceContentKeysNow() throws(MaintenanceError) {
    guard let keys else { throw .notErasable(path: path) }
    try rethrow(store.replace(keys), as: MaintenanceError.erasing)
  }

  private func replaceMasterKeyNow(by other: MasterKey?) throws(MaintenanceError) {
    guard let keys else { throw .notErasable(path: path) }
    try rethrow(keys.replaceMaster(by: other, of: store.log, path), as: MaintenanceError.opening(keys:))
  }
}
