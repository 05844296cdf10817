// The index of messages that could not be delivered, and its invariants.
internal import Chat
package import Projections

extension ChatState {
  /// Present messages of an author that could not be delivered.
  static let failedSends = ProjectionTable<ChatState, ConcernEntry>("failedSends")
}

extension Message {
  /// The author of the message, where it is present and could not be delivered; else nil.
  internal var failedAuthor: User.ID? {
    guard presence == .present, case .failed = delivery else { return nil }
    return author
  }
}

// MARK: Invariants

extension ChatReading {
  /// Returns descriptions of the defects in the index of failed messages; empty when there are none.
  package func failedSendDefects() throws(ProjectionError) -> [String] {
    var (failed, defects): ([Message.Key: ConcernKey], [String]) = ([:], [])
    try reading.forEachRow(of: ChatState.messages) { _, message in
      if let author = message.failedAuthor {
        failed[message.key] = ConcernKey(author, TimelineKey(message.key.channel, message.number))
      }
      return true
    }
    try reading.forEachRow(of: ChatState.failedSends) { _, row in
      let key = Message.Key(row.key.place.channel, row.message)
      if failed.removeValue(forKey: key) != row.key {
        defects.append("\(row) is indexed as failed and no such message failed")
      }
      return true
    }
    return defects + failed.map { "\($0.key) failed and is not indexed" }
  }
}
