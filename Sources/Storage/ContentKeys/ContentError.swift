// Why the content of an event cannot be decrypted.
package import EventLog

/// The reason why the content of an event cannot be decrypted.
package struct ContentError: Error, Hashable, Sendable {
  /// The position of the event.
  package let position: Position
  /// The reason.
  package let defect: Defect

  /// A reason why content cannot be decrypted.
  package enum Defect: Hashable, Sendable {
    /// The keys of its holder for the day are not in the key file, and no erasure destroyed them.
    case keyMissing(KeyHolder, Day)
    /// The content was changed, or belongs to another event.
    case changed
    /// The content does not have the form of encrypted content.
    case malformed
  }
}

extension ContentError: CustomStringConvertible {
  /// One sentence: what failed, on what, what to do.
  package var description: String {
    switch defect {
    case .keyMissing(let holder, _):
      "The key of the content at position \(position) is missing, which is that of \(holder), and no erasure destroyed "
        + "it: copy the key file from a backup with keys."
    case .changed:
      "The content at position \(position) was changed, or belongs to another event: restore the log from a backup."
    case .malformed:
      "The content at position \(position) does not have the form of encrypted content: restore the log from a backup."
    }
  }
}

extension KeyHolder: CustomStringConvertible {
  /// The holder as a part of a sentence.
  public var description: String {
    switch self {
    case .person(let name): "the user \(name)"
    case .channel(let name): "the channel \(name)"
    case .workspace: "the workspace"
    }
  }
}

extension LogError {
  /// The error that the content of an event cannot be decrypted.
  internal static func content(_ defect: ContentError.Defect, of event: borrowing EventView) -> LogError {
    .storage(StorageFailure(of: ContentError(position: event.position, defect: defect)))
  }

  /// The reason why content cannot be decrypted, if that is the error.
  package var contentError: ContentError? {
    if case .storage(let failure) = self { failure.underlying as? ContentError } else { nil }
  }
}
