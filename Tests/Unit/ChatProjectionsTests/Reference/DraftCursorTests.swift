// Threat: a cursor is decoded as another one, or decoding an arbitrary text traps.
import Chat
import ChatSamples
import EventLog
import SeededRandom
import Testing

@testable import ChatProjections

@Suite struct `Draft cursors as text` {
  private func cursor(_ random: inout SeededRandom) -> DraftCursor {
    let instants = [Timestamp(rawValue: .min), Timestamp(rawValue: .max), Timestamp(rawValue: -1), random.instant()]
    let key = Draft.Key(by: random.id(), in: random.id(), thread: random.maybe { $0.id() })
    let place = DraftSortPosition(key, created: random.pick(instants), updated: random.pick(instants))
    return DraftCursor(place, at: Position(rawValue: random.pick([0, 1, .max, random.number()])))
  }

  @Test func `a cursor's text is short, needs no escaping in URLs, and decodes to the same cursor`() {
    var random = SeededRandom.printingSeed()
    let allowed = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    for _ in 0..<2_000 {
      let cursor = cursor(&random)
      let text = cursor.description
      #expect(DraftCursor(text) == cursor, "seed \(random.seed)")
      #expect(text.allSatisfy { allowed.contains($0) } && text.count <= 300, "\(text)")
    }
  }

  @Test func `a cursor's text is stable`() {
    let key = Draft.Key(by: "ada", in: "general", thread: "m1")
    let place = DraftSortPosition(key, created: Timestamp(rawValue: 1), updated: Timestamp(rawValue: -2))
    let cursor = DraftCursor(place, at: Position(rawValue: 300))
    #expect(cursor.description == "AawCAQAAAAAAAAD-_________wNhZGEHZ2VuZXJhbAJtMQ")
  }

  @Test func `a damaged text is rejected, or is the text of another cursor`() {
    var random = SeededRandom.printingSeed()
    var counts = (refused: 0, read: 0)
    for _ in 0..<4_000 {
      let text = Array(cursor(&random).description.utf8)
      var damaged = text
      switch random.below(4) {
      case 0: damaged[random.below(text.count)] ^= 1 << UInt8(random.below(7))
      case 1: damaged.removeLast(1 + random.below(text.count))
      case 2: damaged.append(random.pick(text))
      default: damaged = random.noise(random.below(60)).map { $0 & 0x7F }
      }
      let string = String(decoding: damaged, as: UTF8.self)
      if let other = DraftCursor(string) {
        counts.read += 1
        #expect(other.description == string, "seed \(random.seed)")
      } else {
        counts.refused += 1
      }
    }
    #expect(counts.read > 100 && counts.refused > 100, "\(counts)")
  }

  @Test func `a text with trailing bytes, of another version, or empty is rejected`() {
    var random = SeededRandom.printingSeed()
    for _ in 0..<200 {
      let text = cursor(&random).description
      let whole = bytes(ofURLText: text) ?? []
      for bytes in [whole + [0], whole + [1, 0x61], [2] + whole.dropFirst(), Array(whole.dropLast()), []] {
        #expect(DraftCursor(bytes.withUnsafeBytes { urlText(of: $0) }) == nil, "\(text)")
      }
      #expect(DraftCursor(text + "=") == nil && DraftCursor(" " + text) == nil && DraftCursor(text + "A") == nil)
    }
  }
}
