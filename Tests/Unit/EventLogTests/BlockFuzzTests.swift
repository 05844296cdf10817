// Threat: arbitrary bytes instead of a block.
import Digests
import Foundation
import SeededRandom
import Testing

@testable import EventLog

@Suite struct `Block fuzzing` {
  @Test func `blocks of random appends are valid, canonical and hold the added events`() throws {
    var random = SeededRandom.printingSeed()
    var head = BlockParts.head
    var builder = BlockBuilder()
    for _ in 0..<150 {
      let appends = (0...random.below(4)).map { _ in random.append() }
      let bytes = builder.block(appends, after: head)
      #expect(defect(bytes, after: head, canonical: true) == nil)
      let block = try BlockView(bytes.span.bytes)
      let events = block.events(0..<block.count)
      let proposed = appends.flatMap(\.events)
      #expect(events.map(\.payload) == proposed.map(\.payload))
      #expect(events.map(\.stream) == proposed.map(\.stream) && events.map(\.type) == proposed.map(\.type))
      #expect(events.map(\.actor) == proposed.map(\.actor) && events.map(\.device) == proposed.map(\.device))
      #expect(
        events.map(\.correlation)
          == appends.flatMap { append in append.events.map { _ in append.correlation } })
      #expect(
        events.map(\.proposal)
          == appends.flatMap { append in append.events.indices.map { $0 == 0 ? append.proposal : nil } })
      #expect(events.map(\.append) == appends.flatMap { append in append.events.map { _ in append.id } })
      #expect(
        events.map(\.position.rawValue) == proposed.indices.map { head.position.rawValue + UInt64($0) + 1 })
      head = block.head
    }
  }

  @Test func `a block with any bit flipped or truncated anywhere is invalid`() {
    var random = SeededRandom.printingSeed()
    var builder = BlockBuilder()
    let sounds =
      [BlockParts().encoded(), BlockParts.single.encoded()]
      + (0..<3).map { _ in
        builder.block([random.append(), random.append()], after: BlockParts.head)
      }
    for sound in sounds {
      var bytes = sound
      for index in bytes.indices {
        for bit in 0..<8 {
          bytes[index] ^= 1 << bit
          if defect(bytes, after: BlockParts.head) == nil {
            Issue.record("byte \(index), bit \(bit) of \(sound)")
          }
          bytes[index] = sound[index]
        }
        if defect(Array(sound.prefix(index))) == nil { Issue.record("\(index) bytes of \(sound)") }
      }
    }
  }

  @Test func `a mutated block with a correct checksum does not crash its reader`() {
    // With VERBATIM_LONG_TESTS set, many more.
    let isLong = ProcessInfo.processInfo.environment["VERBATIM_LONG_TESTS"] != nil
    var random = SeededRandom.printingSeed()
    var builder = BlockBuilder()
    var sounds: [[UInt8]] = []
    var sound: [UInt8] = []
    var passed = 0
    for round in 0..<(isLong ? 2_000_000 : 200_000) {
      if round % 1000 == 0 {
        sounds = [BlockParts().encoded(), BlockParts.single.encoded(), sound]
        sounds.append(builder.block([random.smallAppend(), random.smallAppend()], after: BlockParts.head))
      }
      sound = sounds[random.below(sounds.count)]
      let bytes = random.mutated(sound)
      if readAll(bytes) { passed += 1 }
    }
    // Some changes are harmless: of payloads, of versions, of the time. Without any, nothing after the checks was read.
    #expect(passed > 1000)
  }
}

/// Reads all of a block that passes validation, which must not trap; returns whether it passes.
private func readAll(_ bytes: [UInt8]) -> Bool {
  guard defect(bytes) == nil, let block = try? BlockView(bytes.span.bytes) else { return false }
  var count = 0
  block.forEachAppend { count += $0.count }
  let events = block.events(0..<block.count)
  _ = defect(bytes, after: BlockParts.head, canonical: true)
  return events.count == count && count == block.count
}

private struct RandomAppend {
  let id: AppendID
  let events: [ProposedEvent]
  let correlation: Name?
  let proposal: ProposalHash?
}

extension BlockBuilder {
  fileprivate mutating func block(_ appends: [RandomAppend], after head: Head) -> [UInt8] {
    removeAll()
    for append in appends {
      beginAppend(append.id, count: append.events.count, correlation: append.correlation, proposal: append.proposal)
      for (index, event) in append.events.enumerated() {
        let stream = number(ofStream: event.stream)
        add(index, of: append.events.span, stream: stream, version: UInt64(index) + 1)
      }
    }
    let later = Timestamp(rawValue: head.recorded.rawValue + 1)
    finish(after: head, recorded: later)
    return withBlock { $0.bytes.withUnsafeBytes { Array($0) } }
  }
}

extension SeededRandom {
  fileprivate mutating func name() -> Name {
    let names =
      ["a", "b", "é", "stream/1", Name(stringLiteral: String(repeating: "n", count: 320))] as [Name]
    return names[below(names.count)]
  }

  fileprivate mutating func append() -> RandomAppend {
    let events = (0...below(6)).map { _ in
      ProposedEvent(
        stream: name(), type: name(), payload: noise(below(300)), actor: below(2) == 0 ? nil : name(),
        device: below(2) == 0 ? nil : name())
    }
    return RandomAppend(
      id: AppendID(high: next(), low: next()), events: events, correlation: below(2) == 0 ? nil : name(),
      proposal: below(2) == 0 ? nil : ProposalHash(rawValue: next()))
  }

  fileprivate mutating func smallAppend() -> RandomAppend {
    let events = (0...below(2)).map { _ in
      ProposedEvent(stream: "s", type: "t", payload: noise(below(10)), actor: below(2) == 0 ? nil : "a")
    }
    return RandomAppend(
      id: AppendID(high: next(), low: next()), events: events, correlation: below(2) == 0 ? nil : "c",
      proposal: below(2) == 0 ? nil : ProposalHash(rawValue: next()))
  }

  /// Returns a block with some bytes of its body changed, removed or inserted, and with correct length and checksum.
  fileprivate mutating func mutated(_ block: [UInt8]) -> [UInt8] {
    guard block.count > 44 else { return block }
    var body = Array(block[8..<block.count - 36])
    for _ in 0...below(3) where !body.isEmpty {
      let place = below(body.count)
      switch below(8) {
      case 0: body.remove(at: place)
      case 1: body.insert(UInt8(below(256)), at: place)
      case 2: body[place] = UInt8(below(256))
      case 3: body[place] = [0, 1, 0x7F, 0x80, 0xFF][below(5)]
      case 4: body.removeSubrange(place..<min(body.count, place + below(9)))
      case 5: body.insert(contentsOf: body[place..<min(body.count, place + below(9))], at: below(body.count))
      default: body[place] ^= 1 << UInt8(below(8))
      }
    }
    return framed(body, magic: Frame.blockMagic, after: nil)
  }
}
