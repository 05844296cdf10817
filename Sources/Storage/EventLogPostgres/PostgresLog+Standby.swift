// What a standby lacks, which is not lost.
package import EventLog

extension PostgresLog: FollowingLog {
  package func error(of missing: MissingTail) -> LogError {
    do throws(LogError) {
      return try run { connection, _ throws(PostgresError) in try shorterLog(missing, connection) }
    } catch {
      return error
    }
  }

  /// Returns the error of a server that ends before what was read or acknowledged here: it lost the events, or it is a
  /// standby that does not have them yet.
  internal func shorterLog(_ missing: MissingTail, _ connection: Connection) throws(PostgresError) -> LogError {
    guard try connection.isOfStandby else { return .tailMissing(missing) }
    return .storage(
      StorageFailure(
        "\(address) is a standby that ends at position \(missing.end), behind position \(missing.position), which was "
          + "read or acknowledged here: wait until it has caught up, and try again."))
  }

  /// Throws if the server is a standby, whose missing events its primary may have.
  package func requirePrimary() throws(LogError) {
    guard try run({ connection, _ throws(PostgresError) in try connection.isOfStandby }) else { return }
    throw .storage(
      StorageFailure("\(address) is a standby, which may be behind its primary: give the address of the primary."))
  }
}

extension Connection {
  /// Whether the server is a standby at the moment.
  fileprivate var isOfStandby: Bool {
    get throws(PostgresError) { try execute(Schema.isStandby).bool(0, 0) }
  }
}
