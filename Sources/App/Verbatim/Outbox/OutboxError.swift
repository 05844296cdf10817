// The errors of an outbox.
public import Chat
public import ChatCodec
public import EventLog

/// The error of opening an outbox, adding an entry, or delivering.
public enum OutboxError: Error, Sendable {
  /// Another process has the outbox open; its id and description, if known.
  case inUse(path: String, by: String?)
  /// The outbox contains entries of another user or device.
  case otherOwner(path: String, Author)
  /// The list of intents is empty.
  case empty
  /// An intent cannot be encoded; nothing was added.
  case cannotBeKept(intent: Int)
  /// The id belongs to an entry with other intents.
  case idReused(AppendID)
  /// The entry was not submitted, or the outcome is unknown: it and all later entries stay.
  case undelivered(AppendID, SubmitError)
  /// The next bytes of the file are damaged.
  case damaged(path: String, Range<Int>)
  /// The next entry cannot be decoded: a newer program wrote it.
  case unreadable(path: String, AppendID?, UnreadableIntent?)
  /// The delivery was cancelled while it waited for another one.
  case cancelled
  /// The outbox was closed.
  case closed
  /// The disk or the system failed.
  case storage(path: String, reason: String)
}

extension OutboxError: CustomStringConvertible {
  /// One sentence: what failed, on what, what to do.
  public var description: String {
    switch self {
    case .inUse(let path, let process?):
      "The outbox at \(path) is open in process \(process): close it there first, since one process at a time can "
        + "open it."
    case .inUse(let path, nil):
      "The outbox at \(path) is open in another process: close it there first."
    case .otherOwner(let path, let actor):
      "The outbox at \(path) belongs to \(actor.words): open it for that user, or give another path."
    case .empty: "The entry has no intents: give it at least one."
    case .cannotBeKept(let index):
      "Intent \(index) cannot be stored, since it has extra values nested too deeply or an invalid text offset: "
        + "it would be refused; correct it."
    case .idReused(let id):
      "The outbox has an entry with the id \(id) and other intents: use a new id for new intents."
    case .undelivered(let id, let error):
      "The entry \(id) was not delivered and stays queued with all later ones: deliver again later. \(error)"
    case .damaged(let path, let range):
      "Bytes \(range.lowerBound) to \(range.upperBound) of \(path)/entries are damaged, and may have contained "
        + "undelivered "
        + "entries: skip the damage to continue; a copy of it is kept."
    case .unreadable(let path, let id?, let error?):
      "The entry \(id) of the outbox at \(path) cannot be read: open it with a newer program, which delivers it. "
        + "\(error)"
    case .unreadable(let path, let id, _):
      "\(id.map { "The entry \($0)" } ?? "An entry") of the outbox at \(path) cannot be read: "
        + "open it with a newer program, which delivers it."
    case .cancelled: "The delivery was cancelled before its turn: nothing was delivered."
    case .closed: "The outbox was closed: open it again."
    case .storage(let path, let reason):
      "The outbox at \(path) could not be read or written (\(reason)): correct that, and open it again."
    }
  }
}

extension Author {
  fileprivate var words: String {
    switch self {
    case .system: "the app itself"
    case .user(let user, let device?): "\(user) on \(device)"
    case .user(let user, nil): "\(user)"
    }
  }
}
