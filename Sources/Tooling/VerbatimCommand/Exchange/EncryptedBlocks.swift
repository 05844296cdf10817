// Encrypting the content of an export of a workspace that was not erasable.
internal import Chat
internal import ChatCodec
internal import Errors
internal import EventLog
internal import Verbatim

/// A survey of the events of a workspace before their content is encrypted.
struct ContentSurvey {
  /// The messages that are edited.
  private(set) var edited: Set<Message.Key> = []
  /// The blobs that are named.
  private(set) var blobs: Set<Blob.ID> = []
  private var decoder = EventDecoder()

  /// Adds a block.
  mutating func add(_ block: BlockView) {
    block.bytes.withUnsafeBytes { blobs.formUnion(Blob.ID.all(in: $0)) }
    for index in 0..<block.count {
      // What cannot be decoded is of a log without a workspace, or of an erasable one.
      guard let event = try? decoder.decode(block.event(at: index)) else { continue }
      switch event.change {
      case .message(let key, .edited): edited.insert(key)
      case .composer(let key, .editBegan(let message, _)): edited.insert(Message.Key(key.channel, message))
      default: break
      }
    }
  }
}

/// An encoder of blocks that have the same events as others, with their content encrypted.
struct EncryptedBlocks: ~Copyable {
  private let cipher: any ContentCipher
  private let edited: Set<Message.Key>
  /// The contents of attachments, encrypted, too.
  private(set) var blobs: EncryptedBlobCopies?
  /// The authors of the messages that are edited, to whom also the words of a moderator's edit belong.
  private var authors: [Message.Key: User.ID] = [:]
  /// The messages that composers are editing.
  private var edits: [Composer.Key: Message.ID?] = [:]
  private var decoder = EventDecoder()
  private var block = CopiedBlock()

  /// Creates an encoder of blocks in which some messages are edited, and which name some blobs.
  init(with cipher: any ContentCipher, edited: Set<Message.Key>, _ blobs: EncryptedBlobCopies?) {
    (self.cipher, self.edited, self.blobs) = (cipher, edited, blobs)
  }

  /// Continues an interrupted encryption, given events that were written.
  mutating func addKnown(_ events: [RecordedEvent]) throws(Failure) {
    for event in events { try unlessFailed { () throws(BlobError) in try blobs?.addKnown(namedBy: event) } }
  }

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
    let position = copy.position
    let namesBlobs =
      try unlessFailed { () throws(BlobError) in
        try blobs?.encryptBlobs(namedIn: copy.payload, at: position)
      } ?? false
    let urls = namesBlobs ? blobs?.urls(at: position) ?? [:] : [:]
    var proposed = encode(decoded, replacing: urls, edits: &edits) { authors[$0] }
    if namesBlobs { blobs?.addUnencrypted(namedIn: proposed.payload, at: position) }
    proposed.cause = copy.cause
    return proposed
  }
}

extension ContentCipher {
  /// Makes all new keys durable; the command is the only one that writes to the workspace.
  func syncKeys() throws(Failure) {
    guard try asked({ () throws(LogError) in try sync() }) else {
      throw Failure(.unable, "Another process writes to the workspace: end it, and begin again in a new directory.")
    }
  }
}

/// Runs a closure and rethrows its error as a failure of the command.
private func unlessFailed<R>(_ body: () throws(BlobError) -> R) throws(Failure) -> R {
  try rethrow(body(), as: { (error: BlobError) in Failure(.unable, error.description) })
}
