// Tests of the schemas: a message for every shape, a name for every case.
import Bytes
import Chat
import ChatCodec
import ChatSamples
import EventLog
import Foundation
import Testing

@Suite struct SchemaTests {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../Sources/Domain/ChatCodec")
  let schema = try! String(contentsOf: folder.appending(path: "verbatim.proto"), encoding: .utf8)
  let page = try! String(contentsOf: folder.appending(path: "ChatCodec.docc/StoredEvents.md"), encoding: .utf8)

  @Test func `every shape has its message in the schema and its row on the page`() {
    for shape in Shape.allCases {
      let name = shape.family.first!.uppercased() + shape.family.dropFirst()
      // A retired shape has a message of its own; of two current versions the first can have one.
      let hasOwn = schema.contains("message \(name)\(shape.version) {")
      #expect(hasOwn || shape.successor == nil && schema.contains("message \(name) {"), "\(shape.rawValue)")
      #expect(page.contains("`\(shape.rawValue)`"), "\(shape.rawValue)")
    }
  }

  let intentSchema = try! String(contentsOf: folder.appending(path: "intents.proto"), encoding: .utf8)
  let intentPage = try! String(contentsOf: folder.appending(path: "ChatCodec.docc/StoredIntents.md"), encoding: .utf8)

  @Test func `every kind of intent has its number in the schema and on the page`() throws {
    for kind in IntentKind.allCases {
      let sample = try #require(IntentSample.all.first { IntentKind($0.intent) == kind })
      let number = try #require(kindNumber(in: bytes(of: sample.intent)))
      let name = kind.rawValue.split(separator: "/").map { upperSnake(String($0)) }.joined(separator: "_INTENT_KIND_")
      #expect(intentSchema.contains("\n  \(name) = \(number);"), "\(kind.rawValue) has the number \(number)")
      #expect(intentPage.contains("| `\(kind.rawValue)` | \(number) |"), "\(kind.rawValue) has the number \(number)")
    }
  }

  /// Returns the number in field 2 of the message of an intent's area.
  private func kindNumber(in bytes: [UInt8]) -> UInt64? {
    var intent = ByteReader(bytes.span.bytes)
    guard let tag = intent.varint(), var area = intent.lengthDelimited() else { return nil }
    if tag == 0x72 {
      var later = ByteReader(bytes.span.bytes, from: area.lowerBound, to: area.upperBound)
      guard later.varint() != nil, let inner = later.lengthDelimited() else { return nil }
      area = inner
    }
    var fields = ByteReader(bytes.span.bytes, from: area.lowerBound, to: area.upperBound)
    guard fields.skip(0x0A), fields.lengthDelimited() != nil, fields.skip(0x10) else { return nil }
    return fields.varint()
  }

  @Test func `the tag of every field takes one byte`() {
    let fields = (schema + intentSchema).replacing(/enum [^}]*}/, with: "")
    let numbers = fields.matches(of: /= (\d+);/).compactMap { Int($0.1) }
    #expect(numbers.count > 300)
    #expect(numbers.max()! <= 15)
  }

  @Test func `cases have their numbers in the schema`() {
    for flag in ChannelFlag.allCases {
      expect("\(flag)", "CHANNEL_FLAG", .channel("c", .configured(ChannelConfig(off: [flag], messageLengthMax: 0))))
    }
    for part in Composer.Part.allCases { expect("\(part)", "COMPOSER_PART", composer(.entered("x", keeping: [part]))) }
    for kind in Composer.ChangeKind.allCases.dropFirst() {
      expect("\(kind)", "CHANGE_KIND", composer(.typed(Splice(0..<0, to: ""), kind)))
    }
    for end in Composer.EditEnd.allCases { expect("\(end)", "EDIT_END", composer(.editEnded(end))) }
    expect("collapsed", "PICKER_KIND", composer(.pickerChanged(.collapsed)))
    expect("expanded", "PICKER_KIND", composer(.pickerChanged(.expanded(.none))))
    for kind in [Composer.AttachmentPickerType.media, .giphy] {
      expect("\(kind)", "PICKER_KIND", composer(.pickerChanged(.expanded(kind))))
    }
    for kind in [Chat.Attachment.Kind.image, .video, .file, .audio, .link, .giphy] {
      expect("\(kind)", "ATTACHMENT_KIND", message(.ephemeralShuffled([Chat.Attachment("a", kind)])))
    }
    for kind in [Message.Kind.regular, .system, .ephemeral] {
      expect("\(kind)", "MESSAGE_KIND", message(.sent(Message.Content(kind: kind))))
    }
    for upload in [ComposedAttachment.Upload.local, .done] {
      expect("\(upload)", "UPLOAD_STATE", composer(.attached(ComposedAttachment(Chat.Attachment("a", .file), upload))))
    }
    for reason in Draft.DeletionReason.allCases {
      let edit = Edit(at: Timestamp(rawValue: 0), on: nil)
      let change = ChatEvent.Change.draft(Draft.Key(by: "a", in: "b"), .deleted(reason, edit))
      let number = encode(ChatEvent(change, stamp)).payload[1]
      #expect(schema.contains("\n  DELETION_REASON_\(upperSnake("\(reason)")) = \(number);"), "\(reason)")
    }
  }

  private let stamp = EventOrigin(by: .system, at: Timestamp(rawValue: 0))

  private func composer(_ event: Composer.Event) -> ChatEvent.Change {
    .composer(Composer.Key(of: "a", on: "b", in: "c"), event)
  }

  private func message(_ event: Message.Event) -> ChatEvent.Change { .message(Message.Key("c", "m"), event) }

  /// Expects the number of a case, which is the last byte of the payload, in the schema.
  private func expect(_ name: String, _ prefix: String, _ change: ChatEvent.Change) {
    let number = encode(ChatEvent(change, stamp)).payload.last!
    #expect(schema.contains("\n  \(prefix)_\(upperSnake(name)) = \(number);"), "\(name) is stored as \(number)")
  }

  private func upperSnake(_ name: String) -> String {
    name.reduce(into: "") { $0 += $1.isUppercase ? "_\($1)" : $1.uppercased() }
  }
}
