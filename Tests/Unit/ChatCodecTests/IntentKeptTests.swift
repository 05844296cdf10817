// Tests of the check that an intent can be stored: typed input never traps.
import Bytes
import Chat
import ChatCodec
import ChatSamples
import SeededRandom
import Testing

/// A position in an intent at which a value without a stored form is possible.
private struct Place: CustomTestStringConvertible, Sendable {
  let testDescription: String
  /// The intent with extra values and a range at that position; a position for only one of them ignores the other.
  let intent: @Sendable (_ extra: Extra, _ range: UTF16Range) -> ChatIntent
  let takesExtra: Bool
  let takesRange: Bool

  init(_ name: String, extra intent: @escaping @Sendable (Extra) -> ChatIntent) {
    (testDescription, self.intent, takesExtra, takesRange) = (name, { extra, _ in intent(extra) }, true, false)
  }

  init(_ name: String, range intent: @escaping @Sendable (UTF16Range) -> ChatIntent) {
    (testDescription, self.intent, takesExtra, takesRange) = (name, { _, range in intent(range) }, false, true)
  }

  private static func message(_ intent: Message.Intent) -> ChatIntent { .message(Message.Key("c", "m"), intent) }

  private static func composer(_ event: Composer.Event) -> ChatIntent {
    .composer(Composer.Key(of: "a", on: "d", in: "c"), .record([.opened, event]))
  }

  private static func draft(_ content: Composition) -> ChatIntent {
    .draft(Draft.Key(by: "a", in: "c"), .update(content, editedAt: Timestamp(rawValue: 1)))
  }

  private static func attachment(_ extra: Extra) -> Chat.Attachment { Chat.Attachment("x", .file, extra: extra) }

  private static func composed(_ extra: Extra) -> [(String, Composition)] {
    var own = Composition("text")
    own.extra = extra
    var attached = Composition("text")
    attached.attachments = [ComposedAttachment(attachment(extra), .done)]
    return [("extra", own), ("attachment", attached)]
  }

  private static func mentioning(_ range: UTF16Range) -> Composition {
    var content = Composition("text")
    content.mentions = [Mention("b", at: range)]
    return content
  }

  private static let wholes: [(String, @Sendable (Composition) -> ChatIntent)] = [
    ("a draft", { draft($0) }), ("a fill", { composer(.filled($0, selection: 0..<0)) }),
    ("an edit's beginning", { composer(.editBegan("m", $0)) }),
    ("what a send keeps", { composer(.sent("m", keeping: $0)) }),
    ("what a clearing keeps", { composer(.cleared(keeping: $0)) }),
  ]

  static let all: [Place] =
    [
      Place("a new user") { .user("a", .create(User.Profile(name: "A", extra: $0))) },
      Place("a user") { .user("a", .change(User.Profile(name: "A", extra: $0))) },
      Place("a new channel") {
        .channel("c", .create("team", Channel.Profile(extra: $0), ChannelConfig(), members: []))
      },
      Place("a channel") { .channel("c", .change(Channel.Profile(extra: $0))) },
      Place("a message") { message(.send(Message.Content("text", extra: $0))) },
      Place("a message's attachment") { message(.send(Message.Content(attachments: [attachment($0)]))) },
      Place("an edit") { message(.edit(Message.Edits(extra: $0))) },
      Place("an edit's attachment") { message(.edit(Message.Edits(attachments: [attachment($0)]))) },
      Place("a shuffle") { message(.shuffleEphemeral([attachment([:]), attachment($0)])) },
      Place("an attaching") { composer(.attached(ComposedAttachment(attachment($0), .local))) },
      Place("an attachment's change") { composer(.attachmentChanged(attachment($0))) },
      Place("a composer's extra values") { composer(.extraSet($0)) },
    ]
    + [
      Place(
        "a message's mention", range: { message(.send(Message.Content("text", mentions: [Mention("b", at: $0)]))) }),
      Place("an edit's mention", range: { message(.edit(Message.Edits(mentions: [Mention("b", at: $0)]))) }),
      Place("a fill's selection", range: { composer(.filled(Composition("text"), selection: $0)) }),
      Place("what was typed", range: { composer(.typed(Splice($0, to: "a"))) }),
      Place("where a mention was picked", range: { composer(.mentionPicked("b", Splice($0, to: "@b"), length: 2)) }),
      Place("a replacement", range: { composer(.replaced(Splice($0, to: "a"), mentions: [], selection: 0..<0)) }),
      Place(
        "a replacement's mention",
        range: { composer(.replaced(Splice(0..<0, to: "a"), mentions: [Mention("b", at: $0)], selection: 0..<0)) }),
      Place(
        "a replacement's selection", range: { composer(.replaced(Splice(0..<0, to: "a"), mentions: [], selection: $0)) }
      ),
      Place("a selection", range: { composer(.selectionMoved($0)) }),
      Place(
        "a command's beginning", range: { composer(.commandActivated(ComposedCommand("ban"), Splice($0, to: ""))) }),
      Place("a command's end", range: { composer(.commandCleared(Splice($0, to: ""))) }),
    ]
    + wholes.flatMap { name, whole in
      composed([:]).indices.map { index in
        Place("\(name): \(composed([:])[index].0)", extra: { whole(composed($0)[index].1) })
      } + [Place("\(name): mention", range: { whole(mentioning($0)) })]
    }
}

/// Returns nested values of a depth.
private func extra(depth: Int) -> Extra {
  (0..<depth).reduce(Extra()) { inner, level in
    level == 0 ? ["a": 1] : level.isMultiple(of: 2) ? ["a": .fields(inner)] : ["a": .list([.fields(inner)])]
  }
}

private let sound = extra(depth: 3)
private let deepest: Extra = (1..<Limits.storedDepthMax).reduce(["a": true]) { inner, _ in ["a": .fields(inner)] }
private let tooDeep: Extra = ["a": .fields(deepest)]
private let last = UTF16Offset(rawValue: Int(Int32.max))
private let beyond = UTF16Offset(rawValue: Int(Int32.max) + 1)
private let badRanges: [UTF16Range] = [
  -1..<0, -1 ..< -1, 0..<beyond, last..<beyond, beyond..<beyond,
  UTF16Offset(rawValue: .min)..<UTF16Offset(rawValue: .max),
]

struct `Intents that can be stored` {
  @Test(arguments: IntentSample.all)
  func `samples can be stored`(sample: IntentSample) { #expect(sample.intent.canBeKept) }

  @Test func `intents of a random history and random intents within the bounds can be stored`() {
    var random = SeededRandom.printingSeed()
    for intent in random.intents(ofEach: 60) { #expect(intent.canBeKept) }
    var history = History(random)
    for _ in 0..<2000 { #expect(history.step().intent.canBeKept) }
  }

  @Test(arguments: Place.all)
  private func `an intent can be stored up to the bounds, and not beyond them, at any position`(place: Place) throws {
    for (extra, range) in [(Extra(), 0..<0), (deepest, 0..<last), (sound, last..<last)] {
      let intent = place.intent(extra, range)
      #expect(intent.canBeKept)
      #expect(try decodeIntent(bytes(of: intent).span.bytes) == intent)
    }
    if place.takesExtra { #expect(!place.intent(tooDeep, 0..<0).canBeKept) }
    if place.takesRange { for range in badRanges { #expect(!place.intent([:], range).canBeKept) } }
  }

  // What broke: it ended the process. A program gets such an event from a workspace with erased content.
  @Test func `a composer event whose content was erased cannot be stored`() {
    let key = Composer.Key(of: "ada", on: "phone", in: "general")
    #expect(!ChatIntent.composer(key, .record([.opened, .erased])).canBeKept)
  }

  @Test func `a picked mention longer than a text or of negative length cannot be stored`() {
    for length in [-1, Int.min, Int(Int32.max) + 1, Int.max] {
      let event = Composer.Event.mentionPicked("b", Splice(0..<0, to: "@b"), length: length)
      #expect(!ChatIntent.composer(Composer.Key(of: "a", on: "d", in: "c"), .record([event])).canBeKept)
    }
  }

  @Test func `storable intents are written without a trap, and others are detected, whatever their content`() throws {
    var random = SeededRandom.printingSeed()
    var counts = (kept: 0, not: 0)
    for _ in 0..<6000 {
      let place = random.pick(Place.all)
      let depth = random.below(2 * Limits.storedDepthMax)
      let ends = [random.end(), random.end()].sorted()
      let intent = place.intent(
        depth == 0 ? [:] : random.deepExtra(depth), UTF16Offset(rawValue: ends[0])..<UTF16Offset(rawValue: ends[1]))
      let isSound =
        (!place.takesExtra || depth <= Limits.storedDepthMax)
        && (!place.takesRange || (ends[0] >= 0 && ends[1] <= Int(Int32.max)))
      #expect(intent.canBeKept == isSound)
      if intent.canBeKept {
        counts.kept += 1
        #expect(try decodeIntent(bytes(of: intent).span.bytes) == intent)
      } else {
        counts.not += 1
      }
    }
    #expect(counts.kept > 500 && counts.not > 500, "\(counts)")
  }
}

extension SeededRandom {
  /// Returns an offset within a text, or outside of any.
  fileprivate mutating func end() -> Int {
    switch below(6) {
    case 0: Int(truncatingIfNeeded: next())
    case 1: Int(Int32.max) + below(5) - 2
    case 2: below(5) - 2
    default: below(1000)
    }
  }
}
