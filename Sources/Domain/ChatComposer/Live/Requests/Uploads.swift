// The uploads in progress of a live composer.
internal import Chat

/// The uploads in progress: at most one per attachment, numbered in start order.
///
/// A late report of a replaced upload has the number of that upload, and is dropped.
struct Uploads {
  private var running: [Attachment.ID: (number: Int, task: Task<Void, Never>)] = [:]
  private var lastNumber = 0

  /// Starts an upload, given the task that carries out the upload with a number.
  mutating func start(_ id: Attachment.ID, _ task: (Int) -> Task<Void, Never>) {
    lastNumber += 1
    running[id] = (lastNumber, task(lastNumber))
  }

  /// Whether an attachment is being uploaded.
  func contains(_ id: Attachment.ID) -> Bool { running[id] != nil }

  /// Whether the upload with this number is the current one of an attachment.
  func isCurrent(_ number: Int, of id: Attachment.ID) -> Bool { running[id]?.number == number }

  /// Removes a finished upload; returns false if it is not the current one of its attachment.
  mutating func finish(_ number: Int, of id: Attachment.ID) -> Bool {
    guard isCurrent(number, of: id) else { return false }
    running[id] = nil
    return true
  }

  /// Cancels and removes the uploads for which the condition does not hold.
  mutating func cancelAll(except isKept: (Attachment.ID) -> Bool = { _ in false }) {
    for (id, upload) in running where !isKept(id) {
      upload.task.cancel()
      running[id] = nil
    }
  }
}
