// Encrypting the content of an export of a workspace that was not erasable.
internal import Chat
internal import ChatCodec
internal import EventLog

/// An encoder of blocks that have the same events as others, with their content encrypted.
struct EncryptedBlocks: ~Copyable {
  private let cipher: any ContentCipher
  private let edited: Set<Message.Key>
  /// The authors of the messages that are edited, to whom also the words of a moderator's edit belong.
  private var authors: [Message.Key: User.ID] = [:]
  private var decoder = EventDecoder()
  private var block = CopiedBlock()

  /// Creates an encoder of blocks in which some messages are edited.
  init(with cipher: any ContentCipher, edited: Set<Message.Key>) { (self.cipher, self.edited) = (cipher, edited) }

  /// Passes the encrypted block, which follows a head, to the closure.
  mutating func withEncrypted<R>(
    _ plain: BlockView, after head: Head, _ body: (BlockView) throws(Failure) -> R
  ) throws(Failure) -> R {
    block.removeAll()
    let events = plain.events(0..<plain.count)
    var start = events.startIndex
    while start < events.endIndex {
      let first = events[start]
      let part = events[start...].prefix { $0.append == first.append }
      var proposed: [ProposedEvent] = []
      for index in part.indices { proposed.append(try self.proposed(plain.event(at: index), events[index])) }
      let append = Append(proposed, correlation: first.correlation, proposal: first.proposal)
      try asked { () throws(LogError) in
        try block.add(
          append, first.append, versions: part.map(\.version), at: plain.recorded, encryptedWith: cipher)
      }
      start = part.endIndex
    }
    return try block.withBlock(after: head, at: plain.recorded, body)
  }

  /// Returns an event with its content, as a workspace proposes it.
  private mutating func proposed(_ event: EventView, _ copy: RecordedEvent) throws(Failure) -> ProposedEvent {
    // Corrections of the clock have nothing that anybody wrote.
    if copy.stream == ClockCorrection.stream { return copy.proposed }
    let decoded: ChatEvent
    do throws(UnreadableEvent) { decoded = try decoder.decode(event) } catch { throw Failure(.refused, "\(error)") }
    if case .message(let key, .sent) = decoded.change, edited.contains(key) {
      authors[key] = decoded.origin.actor.user
    }
    var proposed = encode(decoded) { authors[$0] }
    proposed.cause = copy.cause
    return proposed
  }
}
