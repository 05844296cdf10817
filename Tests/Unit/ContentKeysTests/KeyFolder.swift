// A directory of keys, and a log in memory whose content they encrypt.
import Digests
import EventLog
import Foundation

@testable import ContentKeys

/// A temporary directory with a key file and its master key.
final class KeyFolder {
  let path = NSTemporaryDirectory() + "verbatim-keys-\(UUID().uuidString)"

  init() throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  var master: MasterKey { .file(path + "/master-key") }

  func create(newKey: @escaping @Sendable () -> SecretKey = { .random() }) throws -> ContentKeys {
    try ContentKeys.create(in: path, master, newKey: newKey)
  }

  func open() throws -> ContentKeys { try ContentKeys.open(in: path, master) }

  func url(_ name: String) -> URL { URL(fileURLWithPath: path + "/" + name) }

  func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path + "/" + name) }

  func data(_ name: String) throws -> Data { try Data(contentsOf: url(name)) }

  func contents(_ name: String) throws -> String { String(decoding: try data(name), as: UTF8.self) }

  /// Writes a file that only its owner can read.
  func write(_ text: String, _ name: String) throws {
    try text.write(to: url(name), atomically: false, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path + "/" + name)
  }
}

/// A log in memory with a clock of its own.
struct KeptLog {
  let store: EventStore
  private let clock: Clock

  // Safe because a test moves it between appends, which it awaits.
  private final class Clock: @unchecked Sendable { var now = Timestamp(rawValue: 1_790_000_000_000_000) }

  init(_ keys: ContentKeys?, isErasable: Bool = true) {
    let clock = Clock()
    var configuration = EventStore.Configuration()
    configuration.clock = { clock.now }
    let genesis = Genesis(id: .timeOrdered(at: clock.now), created: clock.now, isErasable: isErasable)
    (self.clock, store) = (clock, .inMemory(genesis: genesis, configuration: configuration))
    store.log.content.cipher = keys
  }

  func advance(days: Int) { clock.now = clock.now + .seconds(Int64(days) * 86_400) }

  @discardableResult
  func append(_ events: ProposedEvent..., id: AppendID? = nil) async throws -> Receipt {
    try await store.append(Append(events, id: id))
  }

  func payloads() throws -> [String] {
    try store.events(limit: .max).map { String(decoding: $0.payload, as: UTF8.self) }
  }

  /// The events as they are stored.
  func stored() throws -> [RecordedEvent] {
    let cipher = store.log.content.cipher
    store.log.content.cipher = nil
    defer { store.log.content.cipher = cipher }
    return try store.events(limit: .max)
  }
}

extension ProposedEvent {
  /// An event whose whole payload is content.
  static func said(
    _ text: String, by actor: Name?, in stream: Name = "channel/general", owner: EventContent.Owner = .author
  ) -> ProposedEvent {
    var event = ProposedEvent(stream: stream, type: "said.1", payload: Array(text.utf8), actor: actor)
    event.content = EventContent(fields: .max, owner: owner)
    return event
  }
}
