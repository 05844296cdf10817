// Tests of the frozen intents in `Fixtures/intents`: all are still decoded, and encoded to the same bytes.
import Chat
import ChatCodec
import ChatSamples
import Foundation
import Testing

struct `Frozen intents` {
  @Test(arguments: IntentSample.all)
  func `a frozen intent is decoded to its sample`(sample: IntentSample) throws {
    guard IntentFixture.names.contains(sample.fixture) else {
      try IntentFixture.write(bytes(of: sample.intent), as: sample.fixture)
      Issue.record("Fixtures/intents/\(sample.fixture) was missing: run Tools/fixtures --write, look at it, keep it")
      return
    }
    let frozen = try IntentFixture.bytes(sample.fixture)
    #expect(try decodeIntent(frozen.span.bytes) == sample.intent)
  }

  @Test(arguments: IntentSample.all.filter { IntentFixture.names.contains($0.fixture) })
  func `a sample is encoded to its frozen bytes`(sample: IntentSample) throws {
    #expect(try IntentFixture.bytes(sample.fixture) == bytes(of: sample.intent))
  }

  @Test func `every kind has a fixture, and every fixture has a sample`() {
    let frozen = Set(IntentSample.all.filter { IntentFixture.names.contains($0.fixture) }.map { IntentKind($0.intent) })
    #expect(IntentKind.allCases.filter { !frozen.contains($0) } == [])
    #expect(IntentFixture.names.subtracting(IntentSample.all.map(\.fixture)) == [])
    #expect(IntentSample.all.count == Set(IntentSample.all.map(\.fixture)).count)
  }

  @Test func `every action of a composer is in a frozen intent of a composer`() {
    let events = IntentSample.all.flatMap { sample -> [Composer.Event] in
      if case .composer(_, .record(let events)) = sample.intent { events } else { [] }
    }
    let kinds = events.map { event in
      EventKind(ChatEvent(.composer(Composer.Key(of: "a", on: "b", in: "c"), event), Sample.all[0].stamp))
    }
    #expect(Set(kinds) == Set(EventKind.allCases.filter { $0.rawValue.hasPrefix("composer") }))
  }
}

/// An intent frozen in `Fixtures/intents`: its bytes, and beside them their text as protoc reads them.
enum IntentFixture {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Fixtures/intents")

  /// The names of all fixtures, without extensions.
  static let names: Set<String> = {
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path(percentEncoded: false))) ?? []
    return Set(names.filter { $0.hasSuffix(".bin") }.map { String($0.dropLast(4)) })
  }()

  /// Returns the bytes of a fixture.
  static func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: folder.appending(path: name + ".bin")))
  }

  /// Writes bytes as a fixture; `Tools/fixtures --write` adds them as text.
  static func write(_ bytes: [UInt8], as name: String) throws {
    let file = folder.appending(path: name)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: file.appendingPathExtension("bin"))
    try Data().write(to: file.appendingPathExtension("txt"))
  }
}
