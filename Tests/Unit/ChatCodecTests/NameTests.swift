// Tests of unknown types, streams and authors: each is refused with its defect.
import Chat
import ChatCodec
import EventLog
import Testing

@Suite struct NameTests {
  @Test(arguments: [
    "", "messageSent", "messageSent.", "messageSent.0", "messageSent.01", "messageSent.1 ", "MessageSent.1", "x.1",
    "messageSent.-1", "messageSent.4294967296", "app/x", "app/x.0", "app/.1", "app/a/b.1", "app/x.01", "userMuted.0",
  ])
  func `an unknown type name is refused`(name: String) {
    #expect(
      name.utf8.withContiguousStorageIfAvailable { StoredType(name: UnsafeRawBufferPointer($0).bytes) } == .some(nil))
    #expect(UnreadableEvent.Defect.ofType(name) == .unknownType)
  }

  @Test func `a newer version is distinguished from an unknown type`() {
    #expect(UnreadableEvent.Defect.ofType("messageSent.2") == .newerVersion(known: 1))
    #expect(UnreadableEvent.Defect.ofType("userMuted.300") == .newerVersion(known: 2))
  }

  @Test func `types have their names and versions`() {
    #expect(StoredType(name: "userMuted.1" as Name) == .shape(.userMuted1))
    #expect(StoredType(name: "app/poll.closed.12" as Name) == .app("poll.closed", version: 12))
    #expect(StoredType.app("poll.closed", version: .max).name == "app/poll.closed.4294967295")
    for shape in Shape.allCases { #expect(StoredType(name: StoredType.shape(shape).name) == .shape(shape)) }
  }

  @Test(arguments: [
    "user", "user/", "user/a/b", "User/a", "users/a", "channel/", "channel/a/", "draft/a", "draft/a/", "draft/a/b/",
    "draft/a/b/c/d", "draft//b", "composer/a/b", "composer/a/b/c/d/e", "composer/a/b/c/", "composer//b/c", "app/", "x",
    "user/é", "user/a b",
  ])
  func `a stream name that is none of a chat has no subject`(name: String) throws {
    #expect(try StreamSubject(name: Name(name)) == nil)
  }

  @Test func `stream names have their subjects`() {
    #expect(StreamSubject(name: "draft/ada/general" as Name) == .draft(Draft.Key(by: "ada", in: "general")))
    let thread = Composer.Key(of: "ada", on: "phone", in: "general", thread: "m0")
    #expect(StreamSubject(name: "composer/ada/phone/general/m0" as Name) == .composer(thread))
    let long = String(repeating: "x", count: idLengthMax)
    let key = Composer.Key(
      of: ID(stringLiteral: long), on: ID(stringLiteral: long), in: ID(stringLiteral: long),
      thread: ID(stringLiteral: long))
    #expect(StreamSubject(name: StreamSubject.composer(key).name) == .composer(key))
  }

  @Test(arguments: Sample.all)
  func `an event in a stream of another kind is refused`(sample: Sample) throws {
    let own = StreamSubject(of: sample.change)
    let (payload, type) = (Fixture(sample).payload, try #require(StoredType(name: Fixture(sample).type)))
    let draft = Draft.Key(by: "ada", in: "general")
    let composer = Composer.Key(of: "ada", on: "phone", in: "general")
    let others: [StreamSubject] = [
      .user("u"), .channel("c"), .draft(draft), .composer(composer), .consumer("c"), .app("a"),
    ]
    for other in others {
      if own.kind == other.kind { continue }
      // Reviews of messages and of users have the same shapes, in streams of channels and of users.
      if case .review = sample.change, ["user", "channel"].contains(other.kind) { continue }
      if case .app = type, ["user", "channel", "app"].contains(other.kind) { continue }
      let error = #expect(throws: UnreadableEvent.self) {
        try decode(payload.span.bytes, as: type, in: other, sample.stamp)
      }
      #expect(error?.defect == .wrongStream(other.name.text))
    }
  }

  @Test(
    arguments: [
      ("nobodyKnows.1", "user/ada", nil, nil, .unknownType),
      ("userMuted.3", "user/ada", nil, nil, .newerVersion(known: 2)),
      ("userDeactivated.1", "users/ada", nil, nil, .unknownStream("users/ada")),
      ("userDeactivated.1", "channel/ada", nil, nil, .wrongStream("channel/ada")),
      ("userDeactivated.1", "user/ada", "a b", nil, .actor("a b")),
      ("userDeactivated.1", "user/ada", "ada", "é", .device("é")),
      ("userDeactivated.1", "user/ada", nil, "phone", .device("phone")),
      ("userRoleChanged.1", "user/ada", nil, nil, .payload(PayloadDefect(.missing, field: 1))),
    ] as [(Name, Name, Name?, Name?, UnreadableEvent.Defect)])
  func `an unreadable event is refused with its type, position and defect`(
    type: Name, stream: Name, actor: Name?, device: Name?, defect: UnreadableEvent.Defect
  ) throws {
    let store = store(at: Timestamp(rawValue: 1))
    _ = try store.appendBlocking([ProposedEvent(stream: stream, type: type, payload: [], actor: actor, device: device)])
    let expected = UnreadableEvent(defect, type: type.text, at: .first)
    let event = try #require(try store.events(limit: 1).first)
    #expect(throws: expected) { try decode(event) }
    try store.read { event in
      #expect(throws: expected) { try decode(event) }
      return .next
    }
    #expect("\(expected)".hasPrefix("The event at position 1 of type \"\(type)\" cannot be read: "))
  }

  @Test func `the error is described in a sentence`() {
    let defect = PayloadDefect(.option(9), field: 2, of: "Attachment")
    #expect(
      "\(UnreadableEvent(.payload(defect), type: "messageSent.1", at: nil))"
        == "The event of type \"messageSent.1\" cannot be read: field 2 of Attachment in its payload has the number 9, "
        + "which is not defined; verify the log, and check the program that wrote it.")
    #expect(
      "\(UnreadableEvent(.newerVersion(known: 2), type: "userMuted.3", at: .first))"
        == "The event at position 1 of type \"userMuted.3\" cannot be read: "
        + "this program knows the type up to version 2; open the log with a newer program.")
  }
}

extension StreamSubject {
  fileprivate var kind: Substring { name.text.prefix { $0 != "/" } }
}
