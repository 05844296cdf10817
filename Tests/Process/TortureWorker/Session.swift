// A workspace or log of a workload, which writes a mark before and after each step.
import CrashImages
import Digests
import EventLogLMDB
import SeededRandom
import Verbatim

/// An open workspace that marks what it was promised.
struct Session: Sendable {
  /// The path of the workspace below the recorded directory.
  let area: String
  let workspace: Workspace

  static let channel: Channel.ID = "general"

  /// Returns a user of the workload.
  static func user(_ number: Int) -> User.ID { ID(stringLiteral: "w\(number)") }

  /// The configuration of all workspaces of workloads and of their checks.
  static func configuration() -> Configuration {
    var configuration = Configuration()
    // A busy machine is not a failure.
    configuration.writerLockTimeout = .seconds(120)
    (configuration.checkpointDistance, configuration.snapshotDistance) = (1_000, nil)
    configuration.freeSpaceReserve = 0
    return configuration
  }

  /// Opens the workspace of an area below a root.
  static func open(_ root: String, _ area: String, isErasable: Bool = false) throws -> Session {
    var configuration = configuration()
    configuration.isErasable = isErasable
    if isErasable { mark("erasable \(area)") }
    let workspace = try Workspace.open(at: root + "/" + area, configuration: configuration)
    mark("there \(area)")
    return Session(area: area, workspace: workspace)
  }

  /// Opens a workspace with a channel and users.
  static func populated(
    _ root: String, _ area: String, users: Int = 2, isErasable: Bool = false
  ) async throws -> Session {
    let session = try open(root, area, isErasable: isErasable)
    var intents: [ChatIntent] = (0..<users).map { .user(user($0), .create(User.Profile(name: "Name"))) }
    try await session.submit(intents, by: .system)
    intents = [.channel(channel, .create("team", Channel.Profile(), ChannelConfig(), members: []))]
    intents += (0..<users).map { .member(Member.Key(channel, user($0)), .add(.member)) }
    try await session.submit(intents, by: .system)
    return session
  }

  /// Submits intents, with a mark before and after.
  @discardableResult
  func submit(_ intents: [ChatIntent], by author: Author) async throws -> Position {
    let id = AppendID.timeOrdered(at: .now)
    let submitted = try await retrying {
      mark("want \(area) \(id)")
      return try await workspace.submit(intents, by: author, id: id)
    }
    if let receipt = submitted.receipt { try have(receipt) }
    return submitted.position
  }

  /// Sends a message with a text.
  @discardableResult
  func send(_ id: String, _ text: String, by number: Int = 0) async throws -> Position {
    let key = Message.Key(Self.channel, ID(stringLiteral: id))
    return try await submit([.message(key, .send(Message.Content(UserText(text))))], by: .user(Self.user(number)))
  }

  /// Sends a message with a word that can be erased.
  func say(_ id: String, _ word: String, by number: Int) async throws {
    try await send(id, word, by: number)
    mark("said \(area) \(id) \(word) \(Self.user(number))")
  }

  /// Marks an acknowledged append.
  func have(_ receipt: Receipt) throws { try Self.have(receipt, in: workspace.store, area) }

  static func have(_ receipt: Receipt, in store: EventStore, _ area: String) throws {
    let (first, last) = (receipt.positions.lowerBound, receipt.positions.upperBound)
    let events = try store.events(from: first, limit: Int(last.rawValue - first.rawValue) + 1)
    let hash = hash(of: events, isErasable: store.log.genesis.isErasable)
    mark("have \(area) \(receipt.id) \(first.rawValue) \(last.rawValue) \(hash)")
  }

  /// Returns a hash of everything that is recorded of some events, except for the time, and for what can be erased.
  static func hash(of events: some Sequence<RecordedEvent>, isErasable: Bool) -> UInt64 {
    var bytes: [UInt8] = []
    for event in events {
      let names = [event.stream, event.type] + [event.actor, event.device].compactMap { $0 }
      let payload = isErasable ? [] : event.payload
      let head = "\(event.position) \(event.version) \(event.append) \(names) \(payload.count) "
      bytes += Array(head.utf8) + payload
    }
    return bytes.withUnsafeBytes { quickHash($0) }
  }

  /// Records a checkpoint of the tables.
  func checkpoint() throws {
    let checkpoint = try retryingBlocking { try workspace.projections.checkpoint() }
    if let checkpoint { mark("checkpoint \(area) \(checkpoint.position.rawValue)") }
  }

  /// Takes a snapshot of the tables.
  func snapshot() throws {
    let position = try retryingBlocking { try workspace.takeSnapshot() }
    if let position { mark("snapshot \(area) \(position.rawValue)") }
  }

  /// Reads the newest messages, which writes the tables behind.
  func read() async throws {
    _ = try await workspace.read { try $0.chat.messages(in: Self.channel, .latest, limit: 5).messages.count }
  }

  /// Opens the tables of the chat's state once more, with a history that has points at short distances.
  func stateWithHistory() throws -> ProjectionStore {
    var options = ProjectionStore.Options()
    (options.historyDistance, options.snapshotDistance) = (16, nil)
    return try ProjectionStore(
      of: workspace.store, workspace.configuration.projectionSets.state, at: workspace.path + "/projections",
      options: options)
  }
}
