// What finds messages that could not be delivered, and what is wrong with it.
internal import Chat
package import Projections

extension ChatState {
  /// Messages of somebody that are there and could not be delivered.
  static let failedSends = ProjectionTable<ChatState, ConcernEntry>("failedSends")
}

extension Message {
  /// Who waits for it in vain: its author, where it is there and could not be delivered.
  internal var failedAuthor: User.ID? {
    guard presence == .present, case .failed = delivery else { return nil }
    return author
  }
}

// MARK: Invariants

extension ChatReading {
  /// What is wrong with the rows of messages that could not be delivered, in words; empty when nothing is.
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
      if failed.removeValue(forKey: key) != row.key { defects.append("\(row) is of no message that failed") }
      return true
    }
    return defects + failed.map { "\($0.key) failed and is not found" }
  }
}
