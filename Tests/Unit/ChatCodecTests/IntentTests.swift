// Tests of stored intents: round trips, and the refusal of non-canonical bytes.
import Bytes
import Chat
import ChatCodec
import ChatSamples
import SeededRandom
import Testing

struct `Stored intents` {
  @Test(arguments: IntentSample.all)
  func `a sample round-trips`(sample: IntentSample) throws {
    #expect(try decodeIntent(bytes(of: sample.intent).span.bytes) == sample.intent)
  }

  @Test func `a random intent of every kind round-trips`() throws {
    var random = SeededRandom.printingSeed()
    for intent in random.intents(ofEach: 60) {
      #expect(try decodeIntent(bytes(of: intent).span.bytes) == intent)
    }
  }

  @Test func `the intents of a random history round-trip`() throws {
    var history = History(SeededRandom.printingSeed())
    for _ in 0..<5000 {
      let intent = history.step().intent
      #expect(try decodeIntent(bytes(of: intent).span.bytes) == intent)
    }
  }

  @Test func `an intent is appended to the writer's bytes`() {
    var writer = ByteWriter()
    writer.byte(7)
    encode(.user("ada", .deactivate), into: &writer)
    #expect(writer.array() == [7] + bytes(of: .user("ada", .deactivate)))
  }

  @Test func `an unpaired surrogate is stored as U+FFFD`() throws {
    let key = Draft.Key(by: "ada", in: "general")
    let half = Composition(TypedText(units: [0x61, 0xD83D, 0x62]))
    let intent = try decodeIntent(bytes(of: .draft(key, .update(half, editedAt: Part.later))).span.bytes)
    #expect(intent == .draft(key, .update(Composition("a\u{FFFD}b"), editedAt: Part.later)))
  }
}

struct `Intents without a stored form` {
  @Test func `a range beyond the maximum offset traps`() async {
    await #expect(processExitsWith: .failure) {
      let end = UTF16Offset(rawValue: Int(Int32.max) + 1)
      _ = bytes(of: .composer(Composer.Key(of: "a", on: "b", in: "c"), .record([.selectionMoved(.start..<end)])))
    }
  }

  @Test func `extra values that are too deep trap`() async {
    await #expect(processExitsWith: .failure) {
      var deep = Extra()
      for _ in 0...Limits.storedDepthMax { deep = ["a": .fields(deep)] }
      _ = bytes(of: .user("ada", .change(User.Profile(name: "Ada", extra: deep))))
    }
  }
}

struct `Damaged intents` {
  @Test(arguments: IntentSample.all)
  func `a truncated intent is refused, or canonical without its end`(sample: IntentSample) {
    let sound = bytes(of: sample.intent)
    for count in 0..<sound.count { check(Array(sound[..<count])) }
  }

  @Test(arguments: IntentSample.all)
  func `an intent with a changed bit is refused, or canonical`(sample: IntentSample) {
    var bytes = bytes(of: sample.intent)
    for place in bytes.indices {
      for bit in 0..<8 {
        bytes[place] ^= 1 << bit
        check(bytes)
        bytes[place] ^= 1 << bit
      }
    }
  }

  @Test func `a random intent with random damage is refused, or canonical`() {
    var random = SeededRandom.printingSeed()
    var counts = (refused: 0, read: 0)
    for intent in random.intents(ofEach: 40) {
      let sound = bytes(of: intent)
      for _ in 0..<25 {
        var bytes = sound
        for _ in 0...random.below(3) { random.damage(&bytes) }
        if check(bytes) { counts.read += 1 } else { counts.refused += 1 }
      }
    }
    #expect(counts.read > 0 && counts.refused > 0, "\(counts)")
  }

  /// Returns whether the bytes are readable, and expects that they are canonical then.
  @discardableResult
  private func check(_ bytes: [UInt8]) -> Bool {
    guard let intent = try? decodeIntent(bytes.span.bytes) else { return false }
    #expect(ChatCodecTests.bytes(of: intent) == bytes, "read as \(intent)")
    return true
  }
}

struct `Unreadable intents` {
  @Test(
    arguments: [
      ("nothing", [], .missing, 14, ""),
      ("two areas", [0x0A, 5, 0x0A, 1, 0x61, 0x10, 4, 0x12, 0], .unknown, 2, ""),
      ("an area in another form", [0x08, 5], .unknown, 1, ""),
      ("an area to come", [0x7A, 0], .intent(15), 15, ""),
      ("a later area to come", [0x72, 2, 0x3A, 0], .intent(7), 7, "LaterIntent"),
      ("no key", [0x0A, 2, 0x10, 4], .missing, 1, "UserIntent"),
      ("no kind", [0x0A, 3, 0x0A, 1, 0x61], .missing, 2, "UserIntent"),
      ("a kind 0", [0x0A, 5, 0x0A, 1, 0x61, 0x10, 0], .byDefault, 2, "UserIntent"),
      ("a kind to come", [0x0A, 5, 0x0A, 1, 0x61, 0x10, 6], .intent(6), 2, "UserIntent"),
      (
        "a parameter of another kind", [0x0A, 9, 0x0A, 1, 0x61, 0x10, 4, 0x22, 2, 0x62, 0x62], .unknown, 4, "UserIntent"
      ),
      ("a ban from an empty id", [0x22, 9, 0x0A, 5, 0x0A, 1, 0x61, 0x12, 0, 0x10, 2], .id, 2, "BanKey"),
      ("a mute of nobody", [0x1A, 7, 0x0A, 3, 0x0A, 1, 0x61, 0x10, 2], .missing, 3, "MuteKey"),
    ] as [(String, [UInt8], PayloadDefect.Kind, UInt64, String)])
  func `non-canonical bytes are refused with their defect`(
    description: String, bytes: [UInt8], kind: PayloadDefect.Kind, field: UInt64, message: String
  ) {
    let error = #expect(throws: UnreadableIntent.self) { try decodeIntent(bytes.span.bytes) }
    #expect(error == UnreadableIntent(PayloadDefect(kind, field: field, of: message)))
  }

  @Test(
    arguments: [
      ("nobodyKnows.1", nil, .type("nobodyKnows.1"), 1, "ComposerAction"),
      ("composerTyped.2", nil, .type("composerTyped.2"), 1, "ComposerAction"),
      ("userDeactivated.1", nil, .type("userDeactivated.1"), 1, "ComposerAction"),
      ("app/typed.1", nil, .type("app/typed.1"), 1, "ComposerAction"),
      ("composerOpened.1", [], .byDefault, 2, "ComposerAction"),
      ("composerOpened.1", [0x08, 1], .unknown, 1, "ComposerOpened"),
      ("composerDetached.1", nil, .missing, 1, "ComposerDetached"),
      ("composerTyped.1", [0x0A, 2, 0x08, 0], .byDefault, 1, "Splice"),
    ] as [(String, [UInt8]?, PayloadDefect.Kind, UInt64, String)])
  func `an action that is no composer event is refused with its defect`(
    type: String, payload: [UInt8]?, kind: PayloadDefect.Kind, field: UInt64, message: String
  ) {
    var writer = ByteWriter()
    writer.field(11) { intent in
      intent.field(1) { key in for number in 1...3 as ClosedRange<UInt64> { key.field(number, Array("a".utf8)) } }
      intent.field(2, varint: 1)
      intent.field(3) { action in
        action.field(1, Array(type.utf8))
        if let payload { action.field(2, payload) }
      }
    }
    let bytes = writer.array()
    let error = #expect(throws: UnreadableIntent.self) { try decodeIntent(bytes.span.bytes) }
    #expect(error == UnreadableIntent(PayloadDefect(kind, field: field, of: message)))
  }

  @Test func `intents of newer programs are distinguished from damaged ones`() {
    #expect(UnreadableIntent(PayloadDefect(.intent(13), field: 2, of: "MessageIntent")).isUnknown)
    #expect(UnreadableIntent(PayloadDefect(.type("composerTyped.2"), field: 1, of: "ComposerAction")).isUnknown)
    #expect(!UnreadableIntent(PayloadDefect(.unknown, field: 2)).isUnknown)
  }

  @Test func `the error is described in a sentence`() {
    #expect(
      "\(UnreadableIntent(PayloadDefect(.intent(13), field: 2, of: "MessageIntent")))"
        == "The intent cannot be read: field 2 of MessageIntent in its payload has the number 13, which is not an "
        + "intent that this program knows; keep its bytes, and read them with the program that wrote it, or a "
        + "newer one."
    )
    #expect(
      "\(UnreadableIntent(PayloadDefect(.type("composerTyped.2"), field: 1, of: "ComposerAction")))"
        == "The intent cannot be read: field 1 of ComposerAction in its payload has the type \"composerTyped.2\", "
        + "which this program does not know there; keep its bytes, and read them with the program that wrote it, "
        + "or a newer one.")
    #expect(
      "\(UnreadableIntent(PayloadDefect(.missing, field: 1, of: "MuteKey")))"
        == "The intent cannot be read: field 1 of MuteKey in its payload is missing; keep its bytes, and check the "
        + "program that wrote it.")
  }
}

extension ByteWriter {
  fileprivate mutating func field(_ number: UInt64, _ bytes: [UInt8]) {
    bytes.withUnsafeBytes { field(number, bytes: $0) }
  }
}
