// Threat: an append id is mistaken for another, or does not sort by its time.
import SeededRandom
import Testing

@testable import EventLog

@Suite struct `Append id` {
  @Test func `an append id is formatted as a UUID and parsed back`() {
    var random = SeededRandom.printingSeed()
    for _ in 0..<500 {
      let id = AppendID(high: random.number(), low: random.number())
      #expect(AppendID(id.description) == id)
      #expect(AppendID(id.description.uppercased()) == id)
      #expect(id.withBytes { AppendID(bytes: $0.bytes) } == id)
    }
    let id = AppendID(high: 0x018F_2C6A_0001_7ABC, low: 0x8000_0000_0000_0001)
    #expect(id.description == "018f2c6a-0001-7abc-8000-000000000001")
    #expect(id.withBytes { Array($0) } == [1, 0x8F, 0x2C, 0x6A, 0, 1, 0x7A, 0xBC, 0x80, 0, 0, 0, 0, 0, 0, 1])
    #expect(AppendID(high: 0, low: 0).description == "00000000-0000-0000-0000-000000000000")
  }

  @Test(arguments: [
    "", "018f2c6a-0001-7abc-8000-00000000000", "018f2c6a-0001-7abc-8000-0000000000011",
    "018f2c6a00017abc8000000000000001", "018f2c6a-0001-7abc-8000-00000000000g",
    "018f2c6-a0001-7abc-8000-000000000001", "{18f2c6a-0001-7abc-8000-00000000001}",
    "+18f2c6a-0001-7abc-8000-000000000001", "018f2c6a-0001-7abc-+000-000000000001",
    "018f2c6a-0001-7abc--000-000000000001", " 18f2c6a-0001-7abc-8000-000000000001",
    "018f2c6a-0001-7abc-8000-000000000001-", "0x8f2c6a-0001-7abc-8000-000000000001",
    "018f2c6a_0001_7abc_8000_000000000001", "٠18f2c6-0001-7abc-8000-000000000001",
  ])
  func `a text in another form is not parsed as an append id`(text: String) {
    #expect(AppendID(text) == nil)
  }

  @Test func `an append id has sixteen bytes`() {
    for count in 0...32 {
      let bytes = [UInt8](repeating: 7, count: count)
      #expect((AppendID(bytes: bytes.span.bytes) == nil) == (count != 16))
    }
  }

  @Test func `new append ids sort by their microsecond`() {
    var random = SeededRandom.printingSeed()
    var previous: [UInt8] = []
    for microsecond in 1_700_000_000_000_000..<1_700_000_000_003_000 as Range<Int64> {
      let id = AppendID.timeOrdered(at: Timestamp(rawValue: microsecond), random: random.next())
      let bytes = id.withBytes { Array($0) }
      if !previous.lexicographicallyPrecedes(bytes) { Issue.record("\(microsecond)") }
      previous = bytes
    }
  }

  @Test(arguments: [.min, -1, 0, 1, 999, 1_700_000_000_123_456, 281_474_976_710_656_000, .max] as [Int64])
  func `a new append id is a UUID of version 7 at every time`(microsecond: Int64) {
    var random = SeededRandom.printingSeed()
    for _ in 0..<100 {
      let id = AppendID.timeOrdered(at: Timestamp(rawValue: microsecond), random: random.next())
      let bytes = id.withBytes { Array($0) }
      if bytes[6] >> 4 != 7 || bytes[8] >> 6 != 2 { Issue.record("\(id)") }
    }
  }

  @Test func `a new append id stores its millisecond as the UUID standard specifies`() {
    var random = SeededRandom(seed: 1)
    let id = AppendID.timeOrdered(at: Timestamp(rawValue: 0x018F_2C6A_0001 * 1000 + 500), random: random.next())
    #expect(id.description.hasPrefix("018f2c6a-0001-7800-"))
  }

  @Test func `two new append ids of one instant differ`() {
    var random = SeededRandom.printingSeed()
    let ids = (0..<1000).map { _ in AppendID.timeOrdered(at: Timestamp(rawValue: 5), random: random.next()) }
    #expect(Set(ids).count == 1000)
  }
}
