// Outboxes of tests, in temporary directories.
import Bytes
import Digests
import Foundation
import Testing

@testable import Verbatim

/// A temporary directory for an outbox and copies of it; removed with the object.
final class OutboxFolder: Sendable {
  let path: String

  init() { path = NSTemporaryDirectory() + "verbatim-outbox-tests-\(UUID().uuidString)/outbox" }

  private init(path: String) { self.path = path }

  deinit { try? FileManager.default.removeItem(atPath: (path as NSString).deletingLastPathComponent) }

  /// Opens the outbox in the directory.
  func open(
    user: User.ID = "ada", device: Device.ID = "phone", clock: @escaping @Sendable () -> Timestamp = { .now }
  ) throws -> Outbox {
    try Outbox(at: path, user: user, device: device, clock: clock)
  }

  /// Returns a copy of the directory: what a crash at this moment would leave.
  func copy() throws -> OutboxFolder {
    let copy = OutboxFolder()
    let files = FileManager.default
    try files.createDirectory(atPath: copy.path, withIntermediateDirectories: true)
    for name in try files.contentsOfDirectory(atPath: path) {
      try files.copyItem(atPath: path + "/" + name, toPath: copy.path + "/" + name)
    }
    return copy
  }

  /// The bytes of its file.
  var bytes: [UInt8] {
    get throws { Array(try Data(contentsOf: URL(filePath: path + "/entries"))) }
  }

  func write(_ bytes: [UInt8]) throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try Data(bytes).write(to: URL(filePath: path + "/entries"))
  }

  /// Writes the added entries as if they had been added at once.
  func joinAppends() throws {
    let (all, places) = (try bytes, try boundaries)
    var joined = Array(all[..<places[1]])
    for (start, end) in zip(places, places.dropFirst()).dropFirst() {
      var content = Array(all[start + 12..<end])
      content[4] = 7
      joined += record(content)
    }
    try write(joined)
  }

  /// The offsets of its records, and the end of the last.
  var boundaries: [Int] {
    get throws {
      let bytes = try bytes
      var places = [0]
      while places.last! < bytes.count {
        let at = places.last!
        let length = (0..<4).reduce(0) { $0 | Int(bytes[at + 4 + $1]) << (8 * $1) }
        places.append(at + 12 + length)
      }
      return places
    }
  }
}

/// Returns a content as a record of the file.
func record(_ content: [UInt8]) -> [UInt8] {
  var writer = ByteWriter()
  Array("VBR1".utf8).withUnsafeBytes { writer.bytes($0) }
  writer.fixed32(UInt32(content.count))
  writer.fixed32(UInt32(truncatingIfNeeded: content.withUnsafeBytes { quickHash($0) }))
  content.withUnsafeBytes { writer.bytes($0) }
  return writer.array()
}

/// Returns an intent that sends a message.
func message(_ text: String, _ id: Message.ID) -> ChatIntent {
  .message(Message.Key("general", id), .send(Message.Content(UserText(text))))
}

/// Returns an intent of about `byteCount` bytes.
func large(_ byteCount: Int, _ number: Int = 0) -> ChatIntent {
  let content = Composition(TypedText(String(repeating: "a", count: byteCount)))
  return .draft(Draft.Key(by: "ada", in: "general"), .update(content, editedAt: Timestamp(rawValue: Int64(number))))
}

extension Outbox {
  /// Adds messages with ids and texts m0, m1 …
  func add(messages count: Int) async throws {
    for number in 0..<count { try await add(message("m\(number)", Message.ID(rawValue: "m\(number)")!)) }
  }
}

/// Expects that a delivery stops; returns its outcome until then.
@discardableResult
func expectStop(
  of outbox: Outbox, to workspace: Workspace, sourceLocation: SourceLocation = #_sourceLocation,
  where isExpected: (OutboxError) -> Bool
) async -> Outbox.Delivery {
  do throws(Outbox.DeliveryStop) {
    let delivery = try await outbox.deliver(to: workspace)
    Issue.record("it did not stop", sourceLocation: sourceLocation)
    return delivery
  } catch {
    #expect(isExpected(error.reason), "\(error)", sourceLocation: sourceLocation)
    return error.delivery
  }
}
