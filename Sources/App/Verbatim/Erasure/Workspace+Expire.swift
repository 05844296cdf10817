// Expiry: content is erased when a policy no longer keeps it.
internal import Chat
public import ContentKeys

extension Workspace {
  /// Erases what a policy no longer keeps, and returns the completed erasures; none if there was nothing to erase.
  ///
  /// Content of a day, in UTC, is kept for the number of days that follow it. All erasures of one call together build
  /// the tables once.
  public func expire(_ policy: RetentionPolicy) async throws(MaintenanceError) -> [Erasure] {
    try await offThread { workspace throws(MaintenanceError) in try workspace.expireNow(policy) }
  }

  /// Erases what a policy no longer keeps, at once and after each day, until the task is cancelled.
  ///
  /// Of several processes that do so one works, and another takes over within a second of its end. While another
  /// process holds the writer lock, or does not close the tables of before, or the disk is full, it tries again.
  public func expireContinuously(
    _ policy: RetentionPolicy, _ report: @escaping @Sendable ([Erasure]) -> Void = { _ in }
  ) async throws(MaintenanceError) {
    let locked: ConsumerFile?
    do throws(ConsumerError) { locked = try await ConsumerFile.locked(for: .expiry, in: path) } catch {
      throw .storage(path: path + "/consumers", reason: error.description)
    }
    guard let file = locked else { return }
    var day: Day?
    while !Task.isCancelled {
      let today = Day(of: now)
      if day.map({ $0 < today }) ?? true {
        do throws(MaintenanceError) {
          let erasures = try await expire(policy)
          if !erasures.isEmpty { report(erasures) }
          day = today
        } catch {
          guard error.passes, !submitQueue.isClosed else { throw error }
        }
      }
      try? await Task.sleep(for: .seconds(1))
    }
    withExtendedLifetime(file) {}
  }
}

extension ID where Named == Consumer {
  /// The name of the expiry among the consumers, which no consumer can have: its file is the lock of the process that
  /// erases what expires.
  internal static var expiry: Consumer.ID { "expiry" }
}
