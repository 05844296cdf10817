// Writes a generated conversation into a new workspace: the same blocks as a workspace does, many per commit.
internal import Chat
internal import ChatCodec
internal import Errors
internal import EventLog
internal import Locks
internal import RandomNumbers
internal import Synchronization
internal import Verbatim

/// A workspace that is being generated, whose clock is that of the conversation.
///
/// Each moment is decided on a state in memory and becomes one block, as a submit to the workspace would make it. A
/// workspace commits each block on its own; here one commit has those of many moments, so that a conversation with a
/// block for nearly each keystroke takes no longer.
struct GeneratedWorkspace: ~Copyable {
  /// The clock and the random bits of ids: nothing is taken from the machine.
  private final class World: Sendable {
    let now = Atomic<Int64>(0)
    let random: Locked<SplitMix64>

    init(seed: UInt64) { random = Locked(SplitMix64(seed: ~seed)) }
  }

  private let world: World
  private let workspace: Workspace
  private let progress: ProgressLine
  private var state: InMemoryChatState
  /// The head of the log, as soon as the pending blocks are written.
  private(set) var head: Head
  private var versions: [Name: UInt64] = [:]
  private var block = CopiedBlock()
  private var writer: BlockWriter

  /// Creates the workspace of a conversation that has not begun.
  init(
    at path: String, of conversation: ConversationGenerator, isErasable: Bool, in context: Context
  ) throws(Failure) {
    let world = World(seed: conversation.seed)
    world.now.store(conversation.now.rawValue, ordering: .relaxed)
    var configuration = context.configuration
    configuration.clock = { Timestamp(rawValue: world.now.load(ordering: .relaxed)) }
    configuration.randomBits = { world.random.withLock { $0.next() } }
    configuration.searchesMessages = false
    configuration.isErasable = isErasable
    configuration.draftMessagesEnabled = true
    let workspace = try rethrow(
      Workspace.open(at: path, configuration: configuration),
      as: { (error: WorkspaceError) in Failure(.unable, error.description) })
    let head = try asked { () throws(LogError) in try workspace.store.head() }
    (self.world, self.workspace, self.head) = (world, workspace, head)
    progress = ProgressLine("messages", in: context)
    state = InMemoryChatState(rules: configuration.rules)
    writer = BlockWriter(to: workspace.store.log)
  }

  /// Writes moment after moment, up to a number of messages if one is given; returns whether they are all written.
  mutating func fill(
    with conversation: inout ConversationGenerator, through messageCount: Int = .max, ahead: Int
  ) throws(Failure) -> Bool {
    let progress = progress
    defer { progress.end() }
    var isWhole = false
    while !isWhole, !InterruptFlag.hasHappened {
      var moments: [Moment] = []
      while moments.count < ahead, conversation.sentCount < messageCount, let moment = conversation.next() {
        moments.append(moment)
      }
      isWhole = moments.isEmpty
      for moment in moments { try write(moment) }
      progress.reach(UInt64(conversation.sentCount), of: UInt64(min(messageCount, conversation.size.messages)))
    }
    try asked { () throws(LogError) in try writer.finish() }
    try catchUp()
    return isWhole
  }

  /// Lets the index and the tables of the workspace catch up with the log.
  private func catchUp() throws(Failure) {
    let workspace = workspace
    _ = try asked { () throws(LogError) in try workspace.store.version(of: ClockCorrection.stream) }
    try waited { () async throws(Failure) in
      do { try await workspace.read { _ in } } catch { throw Failure(.unable, "\(error)") }
    }
  }

  /// Decides the submissions of a moment, and writes their events as one block.
  private mutating func write(_ moment: Moment) throws(Failure) {
    world.now.store(moment.instant.rawValue, ordering: .relaxed)
    let cipher = workspace.store.log.content.cipher
    block.removeAll()
    // As in a workspace, each submission has an id before any is decided.
    for (submission, id) in moment.submissions.map({ ($0, workspace.monotonicClock.appendID()) }) {
      var events: [ProposedEvent] = []
      for intent in submission.intents { events += try decided(intent, by: submission.actor, at: moment.instant) }
      if events.isEmpty { continue }
      let versions = events.map { event in
        self.versions[event.stream, default: 0] += 1
        return StreamVersion(rawValue: self.versions[event.stream, default: 0])
      }
      try asked { () throws(LogError) in
        try block.add(
          Append(events, proposal: submission.proposal.hash), id, versions: versions, at: moment.instant,
          encryptedWith: cipher)
      }
    }
    if block.count == 0 { return }
    try cipher?.syncKeys()
    let before = head
    head = try block.withBlock(after: before, at: moment.instant) { block throws(Failure) in
      _ = try asked { () throws(LogError) in try writer.add(block, after: before) }
      return block.head
    }
  }

  /// Returns the events of an intent, and folds them into the state.
  private mutating func decided(
    _ intent: ChatIntent, by actor: Author, at instant: Timestamp
  ) throws(Failure) -> [ProposedEvent] {
    let events: [ChatEvent]
    do throws(Refusal) { events = try decide(intent, by: actor, at: instant, given: state) } catch {
      throw Failure(.unable, "\(error)")
    }
    let stored = encode(events, given: state)
    for event in events { fold(event, into: &state) }
    return stored
  }

  func close() { workspace.closeBlocking() }
}
