// What finds messages that could not be delivered: their key, their row, and what is wrong with them.
internal import Bytes
internal import Chat
internal import ChatCodec
package import Views

/// A message of a channel that somebody sent and that could not be delivered.
struct FailedSendKey: ChatKey {
  let author: User.ID
  let place: PlaceKey

  init(_ author: User.ID, _ place: PlaceKey) { (self.author, self.place) = (author, place) }

  init?(from parts: inout KeyParts) {
    guard let author: User.ID = parts.id(), let place = PlaceKey(from: &parts) else { return nil }
    self.init(author, place)
  }

  func spell(to writer: inout KeyWriter) {
    writer.first(author)
    writer.then(place.channel)
    writer.then(place.number.rawValue)
  }
}

/// Which message could not be delivered.
struct FailedSend: ChatRow {
  let key: FailedSendKey
  let message: Message.ID

  init(_ key: FailedSendKey, _ message: Message.ID) { (self.key, self.message) = (key, message) }

  init(_ key: FailedSendKey, from fields: inout FieldReader) throws(PayloadDefect) {
    self.init(key, try fields.id(1))
  }

  func write(to writer: inout ByteWriter) { writer.id(1, message) }
}

extension ChatState {
  /// Messages of somebody that are there and could not be delivered.
  static let failedSends = ViewTable<ChatState, FailedSend>("failedSends")
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
  package func failedSendDefects() throws(ViewError) -> [String] {
    var (failed, defects): ([Message.Key: FailedSendKey], [String]) = ([:], [])
    try reading.forEachRow(of: ChatState.messages) { _, message in
      if let author = message.failedAuthor {
        failed[message.key] = FailedSendKey(author, PlaceKey(message.key.channel, message.number))
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
