// Tests of non-canonical payloads: each is refused with its defect.
import Bytes
import Chat
import ChatCodec
import EventLog
import Testing

/// A payload, its shape, and its defect.
struct BadPayload: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let shape: Shape
  let payload: [UInt8]
  let defect: PayloadDefect

  init(
    _ description: String, _ shape: Shape, _ defect: PayloadDefect, _ write: (inout ByteWriter) -> Void
  ) {
    var writer = ByteWriter()
    write(&writer)
    (testDescription, self.shape, self.defect, payload) = (description, shape, defect, writer.array())
  }
}

extension ByteWriter {
  fileprivate mutating func field(_ number: UInt64, _ text: String) {
    field(number, [UInt8](text.utf8))
  }

  fileprivate mutating func field(_ number: UInt64, _ bytes: [UInt8]) {
    bytes.withUnsafeBytes { field(number, bytes: $0) }
  }

  fileprivate mutating func raw(_ bytes: [UInt8]) { bytes.withUnsafeBytes { self.bytes($0) } }
}

@Suite struct PayloadDefectTests {
  @Test(arguments: order + defaults + numbers + texts + values)
  func `a payload that is not canonical is refused with its defect`(bad: BadPayload) throws {
    let sample = try #require(Sample.all.first { $0.shape == bad.shape })
    let error = #expect(throws: UnreadableEvent.self) {
      try decode(
        bad.payload.span.bytes, as: .shape(bad.shape), in: StreamSubject(of: sample.change), sample.stamp,
        at: .first)
    }
    #expect(error == UnreadableEvent(.payload(bad.defect), type: bad.shape.rawValue, at: .first))
  }

  static let order = [
    BadPayload("fields that have to be there, out of order", .reactionRemoved1, PayloadDefect(.order, field: 1)) {
      $0.field(2, "ada")
      $0.field(1, "m1")
      $0.field(3, "like")
    },
    BadPayload("fields that may be absent, out of order", .userBanned1, PayloadDefect(.order, field: 1)) {
      $0.field(2, "spam")
      $0.field(1, fixed64: 1)
    },
    BadPayload("a field twice", .userUnmuted1, PayloadDefect(.twice, field: 1)) {
      $0.field(1, "ada")
      $0.field(1, "bob")
    },
    BadPayload("two members of a oneof", .messageSent1, PayloadDefect(.unknown, field: 3)) {
      $0.field(1, "m1")
      $0.field(2, varint: 1)
      $0.field(3, "poll")
    },
    BadPayload("a field that there is not", .userUnmuted1, PayloadDefect(.unknown, field: 9)) {
      $0.field(1, "ada")
      $0.field(9, varint: 1)
    },
    BadPayload("a field of a large number", .userDeactivated1, PayloadDefect(.unknown, field: 1 << 40)) {
      $0.field(1 << 40, varint: 1)
    },
    BadPayload("a field 0", .userDeactivated1, PayloadDefect(.unknown, field: 0)) { $0.field(0, varint: 1) },
    BadPayload("a field in another form", .userUnmuted1, PayloadDefect(.unknown, field: 1)) { $0.field(1, varint: 5) },
    BadPayload("a field that is missing", .userUnmuted1, PayloadDefect(.missing, field: 1)) { _ in },
    BadPayload("a value that is missing", .userChanged1, PayloadDefect(.missing, field: 1)) { _ in },
    BadPayload("a case that is missing", .composerEditEnded1, PayloadDefect(.missing, field: 1)) { _ in },
    BadPayload("a oneof that is missing", .composerPickerChanged1, PayloadDefect(.missing, field: 2)) { _ in },
    BadPayload("a byte too many", .userUnmuted1, PayloadDefect(.number, field: 0)) {
      $0.field(1, "ada")
      $0.raw([0x80])
    },
    BadPayload("zeros behind", .userUnmuted1, PayloadDefect(.order, field: 0)) {
      $0.field(1, "ada")
      $0.raw([0, 0, 0])
    },
  ]

  static let defaults = [
    BadPayload("an empty text", .composerPreviewDismissed1, PayloadDefect(.byDefault, field: 1)) { $0.field(1, "") },
    BadPayload("a zero", .slowModeSet1, PayloadDefect(.byDefault, field: 1)) { $0.field(1, varint: 0) },
    BadPayload("a no", .composerLeft1, PayloadDefect(.byDefault, field: 1)) { $0.field(1, varint: 0) },
    BadPayload("the beginning of 1970", .draftSuperseded1, PayloadDefect(.byDefault, field: 1, of: "Edit")) {
      $0.field(2) { $0.field(1, fixed64: 0) }
    },
    BadPayload("no bytes", .composerCustom1, PayloadDefect(.byDefault, field: 2)) {
      $0.field(1, "sticker")
      $0.field(2, "")
    },
    BadPayload("no extra values", .composerExtraSet1, PayloadDefect(.byDefault, field: 1)) { $0.field(1, "") },
    BadPayload("an empty set", .composerEntered1, PayloadDefect(.byDefault, field: 2)) {
      $0.field(1, "new")
      $0.field(2, "")
    },
    BadPayload("a case 0", .composerEditEnded1, PayloadDefect(.byDefault, field: 1)) { $0.field(1, varint: 0) },
  ]

  static let numbers = [
    BadPayload("a number in too many bytes", .slowModeSet1, PayloadDefect(.number, field: 1)) {
      $0.raw([0x08, 0x81, 0x00])
    },
    BadPayload("a number that is cut off", .slowModeSet1, PayloadDefect(.number, field: 1)) { $0.raw([0x08, 0x80]) },
    BadPayload("a length in too many bytes", .userUnmuted1, PayloadDefect(.number, field: 1)) {
      $0.raw([0x0A, 0x83, 0x00, 0x61, 0x61, 0x61])
    },
    BadPayload("a length that lies a little", .userUnmuted1, PayloadDefect(.length, field: 1)) {
      $0.raw([0x0A, 4, 0x61, 0x61, 0x61])
    },
    BadPayload("a length that lies a lot", .composerCustom1, PayloadDefect(.length, field: 2)) {
      $0.field(1, "sticker")
      $0.varint(2 << 3 | 2)
      $0.varint(.max)
    },
    BadPayload(
      "a length that reaches behind its value", .userChanged1, PayloadDefect(.length, field: 1, of: "UserProfile")
    ) {
      $0.field(1) { $0.raw([0x0A, 1]) }
      $0.field(2, "behind")
    },
    BadPayload("an instant that is cut off", .userBanned1, PayloadDefect(.length, field: 1)) {
      $0.raw([0x09, 0, 0, 0])
    },
    BadPayload("33 bits", .slowModeSet1, PayloadDefect(.range, field: 1)) { $0.field(1, varint: 1 << 32) },
    BadPayload("17 bits", .composerUploadProgressed1, PayloadDefect(.range, field: 2)) {
      $0.field(1, "a1")
      $0.field(2, varint: 1 << 16)
    },
    BadPayload("more than yes", .composerLeft1, PayloadDefect(.range, field: 1)) { $0.field(1, varint: 2) },
    BadPayload("a range past all texts", .composerSelectionMoved1, PayloadDefect(.range, field: 2, of: "TextRange")) {
      $0.field(1) {
        $0.field(1, varint: UInt64(Int32.max))
        $0.field(2, varint: 1)
      }
    },
    BadPayload("more units than any text has", .composerMentionPicked1, PayloadDefect(.range, field: 3)) {
      $0.field(1, "bob")
      $0.field(2) { _ in }
      $0.field(3, varint: 1 << 31)
    },
    BadPayload("seconds past all instants", .userMuted1, PayloadDefect(.range, field: 2)) {
      $0.field(1, "bob")
      $0.field(2, varint: UInt64(Int64.max))
    },
    BadPayload("a case that there is not", .composerEditEnded1, PayloadDefect(.option(9), field: 1)) {
      $0.field(1, varint: 9)
    },
    BadPayload("a kind that there is not", .messageSent1, PayloadDefect(.option(4), field: 2)) {
      $0.field(1, "m1")
      $0.field(2, varint: 4)
    },
  ]

  /// An overlong slash, an unpaired surrogate, an invalid byte, a truncated character as long as U+FFFD, a truncated
  /// character, and a scalar past the last.
  static let texts =
    [[0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xFF], [0xF0, 0x9F, 0x91], [0x61, 0xC3], [0xF4, 0x90, 0x80, 0x80]].map {
      bytes in
      BadPayload("the text \(bytes)", .composerPreviewDismissed1, PayloadDefect(.text, field: 1)) {
        $0.field(1, bytes)
      }
    }
    + ["", "a/b", "a b", "é", "\u{7F}", String(repeating: "a", count: 65)].map { id in
      BadPayload("the id \(id.debugDescription)", .composerQuoted1, PayloadDefect(.id, field: 1)) {
        $0.field(1, id)
      }
    }

  static let values = [
    BadPayload("a name of extra values twice", .composerExtraSet1, PayloadDefect(.sorting, field: 1, of: "Extra")) {
      $0.field(1) {
        $0.field(1) { write("a", to: &$0) }
        $0.field(1) { write("a", to: &$0) }
      }
    },
    BadPayload("names of extra values out of order", .composerExtraSet1, PayloadDefect(.sorting, field: 1, of: "Extra"))
    {
      $0.field(1) {
        $0.field(1) { write("b", to: &$0) }
        $0.field(1) { write("a", to: &$0) }
      }
    },
    BadPayload("a name without a value", .composerExtraSet1, PayloadDefect(.missing, field: 2, of: "Field")) {
      $0.field(1) { $0.field(1) { $0.field(1, "a") } }
    },
    BadPayload("extra values too deep", .composerExtraSet1, PayloadDefect(.depth, field: 1, of: "Extra")) {
      $0.field(1) { nest(Limits.storedDepthMax, in: &$0) }
    },
    BadPayload("a set out of order", .composerEntered1, PayloadDefect(.sorting, field: 2)) {
      $0.field(1, "new")
      $0.field(2, [2, 1])
    },
    BadPayload("a set with one twice", .composerEntered1, PayloadDefect(.sorting, field: 2)) {
      $0.field(1, "new")
      $0.field(2, [2, 2])
    },
    BadPayload("a set with one that there is not", .composerEntered1, PayloadDefect(.option(5), field: 2)) {
      $0.field(1, "new")
      $0.field(2, [1, 5])
    },
    BadPayload("a failed command of version 2 with a text", .composerCommandFailed2, PayloadDefect(.version, field: 2))
    {
      $0.field(1, "e1")
      $0.value(2, RecordedFailure.text("offline"))
    },
    BadPayload("a refusal in version 2 with only a reason", .composerSendRefused2, PayloadDefect(.version, field: 1)) {
      $0.value(1, RecordedFailure("frozen", ["reason": "The channel is frozen."]))
    },
    BadPayload("content in version 1 with more than a text", .composerCleared1, PayloadDefect(.version, field: 1)) {
      $0.value(1, Part.failedComposition)
    },
    BadPayload("content in version 2 with only texts", .draftUpdated2, PayloadDefect(.version, field: 1)) {
      $0.value(1, Part.composition)
      $0.value(2, Edit(at: Part.later, on: nil))
    },
    BadPayload(
      "a text among the failures of uploads", .composerAttached2,
      PayloadDefect(.version, field: 5, of: "ComposedAttachment")
    ) {
      $0.field(1) {
        $0.value(1, Attachment("a1", .file))
        $0.value(5, RecordedFailure.text("offline"))
      }
    },
    BadPayload("an upload in no state", .composerAttached1, PayloadDefect(.missing, field: 4, of: "ComposedAttachment"))
    {
      $0.field(1) {
        $0.field(1) {
          $0.field(1, "a1")
          $0.field(2, varint: 1)
        }
      }
    },
    BadPayload("an attachment without a kind", .ephemeralShuffled1, PayloadDefect(.missing, field: 3, of: "Attachment"))
    {
      $0.field(1, "m1")
      $0.field(2) { $0.field(1, "a1") }
    },
  ]

  private static func write(_ name: String, to writer: inout ByteWriter) {
    writer.field(1, name)
    writer.field(2, "")
  }

  /// Writes extra values with nested values of a depth, and one more.
  private static func nest(_ depth: Int, in writer: inout ByteWriter) {
    writer.field(1) {
      $0.field(1, "a")
      $0.field(2) { value in
        if depth > 0 { value.field(6) { nest(depth - 1, in: &$0) } }
      }
    }
  }

  @Test func `extra values of the maximum depth are decoded`() throws {
    var deep = Extra.Value.null
    for _ in 0..<Limits.storedDepthMax / 2 { deep = .fields(["a": .list([deep])]) }
    guard case .fields(let extra) = deep else { return }
    #expect(extra.depth == Limits.storedDepthMax)
    let sample = try #require(Sample.all.first { $0.shape == .composerExtraSet1 })
    guard case .composer(let key, _) = sample.change else { return }
    let event = ChatEvent(.composer(key, .extraSet(extra)), sample.stamp)
    let payload = encode(event).payload
    #expect(
      try decode(payload.span.bytes, as: .shape(.composerExtraSet1), in: .composer(key), sample.stamp) == event)
  }
}
