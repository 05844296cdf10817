// An event frozen in `Fixtures/events`: the bytes of its payload, and its other parts in the log.
import Chat
import ChatCodec
import EventLog
import Foundation
import Testing

struct Fixture: Equatable {
  var stream: Name
  var type: Name
  var actor: Name?
  var device: Name?
  var recorded: Timestamp
  var payload: [UInt8]
}

// MARK: Files

extension Fixture {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Fixtures/events")

  /// The names of all fixtures, without extensions.
  static let names: Set<String> = {
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path(percentEncoded: false))) ?? []
    return Set(names.filter { $0.hasSuffix(".bin") }.map { String($0.dropLast(4)) })
  }()

  /// Reads the fixture with a name. The first lines of the text beside the payload are the event's other parts.
  init(_ name: String) throws {
    let text = try String(contentsOf: Fixture.folder.appending(path: name + ".txt"), encoding: .utf8)
    var heads: [String: String] = [:]
    for line in text.split(separator: "\n") where line.hasPrefix("# ") {
      let parts = line.dropFirst(2).split(separator: ": ", maxSplits: 1)
      heads[String(parts[0])] = String(parts[1])
    }
    let (stream, type) = (try #require(heads["stream"]), try #require(heads["type"]))
    (self.stream, self.type) = (try Name(stream), try Name(type))
    actor = try heads["actor"].map { try Name($0) }
    device = try heads["device"].map { try Name($0) }
    recorded = Timestamp(rawValue: try #require(heads["recorded_us"].flatMap { Int64($0) }))
    payload = Array(try Data(contentsOf: Fixture.folder.appending(path: name + ".bin")))
  }

  /// Writes the fixture; `Tools/fixtures --write` adds the payload as text.
  func write(as name: String) throws {
    let file = Fixture.folder.appending(path: name)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    var text = "# stream: \(stream)\n# type: \(type)\n"
    if let actor { text += "# actor: \(actor)\n" }
    if let device { text += "# device: \(device)\n" }
    text += "# recorded_us: \(recorded.rawValue)\n"
    try Data(payload).write(to: file.appendingPathExtension("bin"))
    try Data(text.utf8).write(to: file.appendingPathExtension("txt"))
  }
}

// MARK: Events

extension Fixture {
  /// Creates the stored form of a sample: a current one encoded, a retired one with its frozen payload.
  init(_ sample: Sample) {
    let stored = encode(sample.event)
    (stream, type, actor, device) = (stored.stream, stored.type, stored.actor, stored.device)
    recorded = sample.stamp.at
    payload = stored.payload
    guard let old = sample.retired, let shape = sample.shape else { return }
    (type, payload) = (StoredType.shape(shape).name, old)
  }

  /// Returns the decoded event.
  func decoded() throws -> ChatEvent {
    let user = try actor.map { try User.ID($0.text) }
    let device = try device.map { try Device.ID($0.text) }
    let stamp = EventOrigin(by: user.map { .user($0, on: device) } ?? .system, at: recorded)
    let type = try #require(StoredType(name: type))
    let subject = try #require(StreamSubject(name: stream))
    return try decode(payload.span.bytes, as: type, in: subject, stamp)
  }
}
