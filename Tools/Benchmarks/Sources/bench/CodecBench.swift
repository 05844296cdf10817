// Measures the events encoded and decoded per second on one core.
import Bytes
import Chat
import ChatCodec
import EventLog

/// The benchmarks of the event codec.
struct CodecBench {
  let options: Options

  func run() throws -> Grid {
    let cases = Sample.all
    let columns = try cases.map { sample -> (name: String, figures: [String: Figure]) in
      let contestants: [Contestant] = [
        { ["encode": perSecond { sample.encode($0) }] },
        { ["decode": try perSecond { try sample.decode($0) }] },
        { ["to a proposed event": perSecond { sample.propose($0) }] },
      ]
      for contestant in contestants { _ = try contestant() }
      let figures = try inTurn(contestants, rounds: options.rounds, unit: .perSecond)
      return ("\(sample.name), \(sample.payload.count) bytes", figures)
    }
    return Grid(
      "codec", "Events of a chat, encoded and decoded by one thread, events per second", columns: columns,
      rows: ["encode", "decode", "to a proposed event"])
  }

  /// Returns the operations per second; the body repeats the operation the given number of times.
  private func perSecond(_ body: (Int) throws -> Void) rethrows -> Double {
    let count = options.isQuick ? 20_000 : 500_000
    return Double(count) / (try seconds { try body(count) })
  }
}

/// An event and its stored form.
private struct Sample {
  let name: String
  let event: ChatEvent
  let type: StoredType
  let subject: StreamSubject
  let payload: [UInt8]

  init(_ name: String, _ change: ChatEvent.Change) {
    let stamp = EventOrigin(by: .user("user-000123", on: "phone"), at: Timestamp(rawValue: 1_767_225_600_000_000))
    var writer = ByteWriter()
    type = ChatCodec.encode(change, into: &writer)
    (self.name, event, subject, payload) = (name, ChatEvent(change, stamp), StreamSubject(of: change), writer.array())
  }

  /// Encodes as in a batch append: into one reused buffer.
  func encode(_ count: Int) {
    var writer = ByteWriter()
    var sum = 0
    for _ in 0..<count {
      writer.removeAll()
      keep(ChatCodec.encode(event.change, into: &writer))
      sum &+= writer.count
    }
    precondition(sum == count * payload.count)
  }

  /// Encodes as in an append of one event: including the names of its stream, its type and its author.
  func propose(_ count: Int) {
    for _ in 0..<count { keep(ChatCodec.encode(event).payload.count) }
  }

  /// Decodes as in a fold of a log: the meaning of type and stream is looked up once for many events.
  func decode(_ count: Int) throws {
    for _ in 0..<count { keep(try ChatCodec.decode(payload.span.bytes, as: type, in: subject, event.origin)) }
  }

  static let all = [
    Sample(
      "a letter typed",
      .composer(
        Composer.Key(of: "user-000123", on: "phone", in: "general"), .typed(Splice(12..<12, to: "h")))),
    Sample("a message, 2 mentions", .message(message, .sent(mentioning))),
    Sample("a message, 2 attachments", .message(message, .sent(attaching))),
  ]

  private static let message = Message.Key("general", "01JABCDEFGHJKMNPQRSTVWXYZ0")

  private static let mentioning = Message.Content(
    "Hello @Ada and @Bob, how are you today?",
    mentions: [Mention("user-000123", at: 6..<10), Mention("user-000456", at: 15..<19)],
    client: "01JABCDEFGHJKMNPQRSTVWXYZ1")

  private static let attaching = Message.Content(
    "Look at these", attachments: [picture("a1"), picture("a2")], client: "01JABCDEFGHJKMNPQRSTVWXYZ1")

  private static func picture(_ id: Attachment.ID) -> Attachment {
    Attachment(
      id, .image, at: .url("https://example.com/files/2026/01/picture.png"), title: "picture.png",
      thumbnail: "https://example.com/files/2026/01/picture-small.png", mimeType: "image/png", byteCount: 204_800,
      size: Attachment.Size(width: 640, height: 480))
  }
}
