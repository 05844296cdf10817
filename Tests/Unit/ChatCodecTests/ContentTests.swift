// What is content, and what is left of an event without it.
import Bytes
import Chat
import ChatSamples
import EventLog
import SeededRandom
import Testing

@testable import ChatCodec

@Suite struct `The content of an event` {
  @Test func `is split off and joined again, and what is left can be read`() throws {
    var random = SeededRandom.printingSeed()
    var withContent: Set<String> = []
    let fixtures = Fixture.names.sorted().compactMap { try? Fixture($0).decoded() }
    for event in random.events(ofEach: 20) + fixtures {
      let proposed = encode(event)
      guard let content = proposed.content else { continue }
      var text = ByteWriter()
      var rest = ByteWriter()
      var joined = ByteWriter()
      split(proposed.payload.span.bytes, by: content.fields, &text, &rest)
      let (words, readable) = (text.array(), rest.array())
      #expect(join(words.span.bytes, readable.span.bytes, into: &joined))
      #expect(joined.array() == proposed.payload)
      if words.isEmpty { continue }
      withContent.insert(proposed.type.text)
      let type = try #require(StoredType(name: proposed.type))
      let left = try decode(
        readable.span.bytes, as: type, in: StreamSubject(of: event.change), event.origin, isErased: true)
      #expect(left.isErased && left.origin == event.origin, "\(event)")
      var state = InMemoryChatState()
      fold(left, into: &state)
    }
    // Each shape with content occurs.
    let shapes = Shape.allCases.filter { $0.contentFields != 0 && $0.successor == nil }.map(\.rawValue)
    #expect(Set(shapes).subtracting(withContent) == [])
  }

  /// Fields with texts that are not content: why each remains readable.
  private static let readable: Set<String> = [
    "messageFailed.1",  // the reason of a server
    "scheduledMessageFailed.1",  // a refusal, whose values are ids and numbers
  ]

  @Test func `is every text that a person writes`() throws {
    var random = SeededRandom.printingSeed()
    for event in random.events(ofEach: 20) {
      let proposed = encode(event)
      guard case .shape(let shape)? = StoredType(name: proposed.type), !Self.readable.contains(shape.rawValue) else {
        continue
      }
      var text = ByteWriter()
      var rest = ByteWriter()
      split(proposed.payload.span.bytes, by: proposed.content?.fields ?? 0, &text, &rest)
      let left = rest.array()
      for text in texts(in: event.change) where text.utf8.count >= 8 {
        #expect(left.firstRange(of: Array(text.utf8)) == nil, "\(shape): \(text)")
      }
    }
  }

  @Test func `is that of the message's author, also after an edit or forwarding by another user`() throws {
    var state = InMemoryChatState()
    let origin = EventOrigin(by: .user("bo"), at: Timestamp(rawValue: 1))
    let key = Message.Key("general", "m")
    fold(
      ChatEvent(.message(key, .sent(Message.Content("words"))), EventOrigin(by: .user("ada"), at: origin.at)),
      into: &state)
    let edit = ChatEvent(.message(key, .edited(Message.Edits(text: "other"))), origin)
    let composer = Composer.Key(of: "bo", on: "desk", in: "general")
    let typed = Composer.Event.typed(Splice(0..<0, to: "more "))
    let events = [
      .editBegan("m", Composition(TypedText("words"))), typed, .editEnded(.cancelled), typed,
    ].map { ChatEvent(.composer(composer, $0), origin) }
    #expect(
      encode([edit] + events, given: state).map(\.content?.owner)
        == [.person("ada"), .person("ada"), .person("ada"), nil, .author])
    fold(events[0], into: &state)
    #expect(encode([events[1]], given: state).map(\.content?.owner) == [.person("ada")])
    var forwarded = Message.Content("words")
    forwarded.forwarded = Message.Forwarded(key, by: "ada")
    let forward = ChatEvent(.message(Message.Key("lunch", "f"), .sent(forwarded)), origin)
    #expect(encode(forward).content?.owner == .person("ada"))
    let profile = ChatEvent(.user("ada", .changed(User.Profile(name: "Ada"))), origin)
    #expect(encode(profile).content?.owner == .person("ada"))
    let name = ChatEvent(.channel("general", .changed(Channel.Profile(name: "Lunch"))), origin)
    #expect(encode(name).content?.owner == .channel)
  }

  @Test func `is left out of a change, whose ids stay`() throws {
    let origin = EventOrigin(by: .user("bo"), at: Timestamp(rawValue: 1))
    let (key, composer) = (Message.Key("general", "m"), Composer.Key(of: "bo", on: "desk", in: "general"))
    let file = Attachment("a", .file, at: .url("https://example.com/a"))
    var (whole, rest) = (Message.Content("words", attachments: [file], quoted: "q"), Message.Content(quoted: "q"))
    (whole.forwarded, rest.forwarded) = (Message.Forwarded(key, by: "ada"), Message.Forwarded(key, by: "ada"))
    let changes: [(ChatEvent.Change, ChatEvent.Change)] = [
      (.message(key, .sent(whole)), .message(key, .sent(rest))),
      (
        .message(key, .edited(Message.Edits(text: "words", attachments: [file]))),
        .message(key, .edited(Message.Edits()))
      ),
      (
        .composer(composer, .editBegan("m", Composition("words"))),
        .composer(composer, .editBegan("m", Composition()))
      ),
      (.composer(composer, .typed(Splice(0..<0, to: "words"))), .composer(composer, .erased)),
      (.user("ada", .changed(User.Profile(name: "Ada"))), .user("ada", .changed(User.Profile(name: "")))),
      (.message(key, .restored), .message(key, .restored)),
    ]
    for (change, expected) in changes {
      let event = ChatEvent(change, origin)
      #expect(try readableChange(of: event, in: encode(event)) == expected)
    }
  }
}

/// Returns all texts of users in a value.
private func texts(in value: Any) -> [String] {
  if let text = value as? UserText { return [text.string] }
  if let text = value as? TypedText { return [text.userText.string] }
  return Mirror(reflecting: value).children.flatMap { texts(in: $0.value) }
}
