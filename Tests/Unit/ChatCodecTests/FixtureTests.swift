// Tests of the frozen events in `Fixtures/events`: all are still decoded, and current shapes encoded to the same bytes.
import Chat
import ChatCodec
import EventLog
import Testing

@Suite struct FixtureTests {
  @Test(arguments: Sample.all)
  func `a frozen event is decoded to its sample`(sample: Sample) throws {
    guard Fixture.names.contains(sample.fixture) else {
      try Fixture(sample).write(as: sample.fixture)
      Issue.record("Fixtures/events/\(sample.fixture) was missing: run Tools/fixtures --write, look at it, keep it")
      return
    }
    #expect(try Fixture(sample.fixture).decoded() == sample.event)
  }

  @Test(arguments: Sample.all.filter { Fixture.names.contains($0.fixture) })
  func `a sample is encoded to its frozen bytes`(sample: Sample) throws {
    #expect(try Fixture(sample.fixture) == Fixture(sample))
  }

  @Test func `a stored event is in canonical form, and so is any other readable one`() throws {
    var readable = 0
    for name in Fixture.names.sorted() {
      let fixture = try Fixture(name)
      #expect(try fixture.isInForm(), "\(name)")
      for place in fixture.payload.indices.prefix(12) {
        var other = fixture
        other.payload.insert(0x01, at: place)
        guard let isInForm = try? other.isInForm() else { continue }
        #expect(isInForm, "\(name) with 01 at \(place)")
        readable += 1
      }
    }
    #expect(readable > 0)
  }

  @Test func `every shape has a fixture, and every fixture has a sample`() {
    let frozen = Set(Sample.all.filter { Fixture.names.contains($0.fixture) }.compactMap(\.shape))
    #expect(Shape.allCases.filter { !frozen.contains($0) } == [])
    #expect(Fixture.names.subtracting(Sample.all.map(\.fixture)) == [])
    #expect(Sample.all.count == Set(Sample.all.map(\.fixture)).count)
  }

  @Test func `a retired shape has a successor of the same family that is current`() {
    for shape in Shape.allCases {
      guard let successor = shape.successor else { continue }
      #expect(successor.family == shape.family)
      #expect(successor.version == shape.version + 1)
    }
  }

  /// Of two current versions the content determines the one that is written, so every other shape has one version.
  @Test func `only events with failures have two current versions`() {
    let current = Shape.allCases.filter { $0.successor == nil }
    let first = Dictionary(grouping: current, by: \.family).compactMapValues { $0.map(\.version).min() }
    let second = current.filter { $0.version > first[$0.family]! }
    let withFailures: Set<Shape> = [
      .draftUpdated2, .draftSuperseded2, .composerFilled2, .composerAttached2, .composerUploadFailed2,
      .composerEditBegan2, .composerCommandFailed2, .composerSendRefused2, .composerSent2, .composerCleared2,
    ]
    #expect(Set(second) == withFailures)
  }

  /// A part newly added to the domain would be lost silently if no sample had it.
  @Test(
    arguments: [
      (Part.composition, Composition()), (Part.fullContent, Message.Content()),
      (Part.fullPicture, Chat.Attachment("x", .file)),
      (
        ChannelConfig(off: .all, messageLengthMax: 1, slowMode: 1, isPublic: true, commands: []), ChannelConfig()
      ),
      (Part.composition.attachments[4], ComposedAttachment(Chat.Attachment("x", .file), .local)),
    ] as [(any Sendable, any Sendable)])
  func `the full sample of a value has all of its parts`(full: any Sendable, bare: any Sendable) {
    for (part, other) in zip(Mirror(reflecting: full).children, Mirror(reflecting: bare).children) {
      #expect("\(part.value)" != "\(other.value)", "\(type(of: full)).\(part.label ?? "")")
    }
  }

  @Test(arguments: Sample.all)
  func `a sample is of the shape in its fixture's name`(sample: Sample) {
    guard let shape = sample.shape else { return }
    #expect(Fixture(sample).type == StoredType.shape(shape).name)
  }
}

extension Fixture {
  /// Returns whether the event, stored in a log, is in canonical form.
  fileprivate func isInForm() throws -> Bool {
    let store = EventStore.inMemory()
    let event = ProposedEvent(stream: stream, type: type, payload: payload, actor: actor, device: device)
    _ = try store.appendBlocking([event])
    var decoder = EventDecoder()
    var result: Result<Bool, any Error> = .success(false)
    try store.log.blocks(from: .first, .forward, checks: .full) { block in
      do { result = .success(try decoder.isInForm(block.event(at: 0))) } catch { result = .failure(error) }
      return .stop
    }
    return try result.get()
  }
}
