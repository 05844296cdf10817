// Tests of damaged payloads: each is refused, or decoded to an event with exactly these bytes.
import ChatCodec
import EventLog
import Testing

@Suite struct DamageTests {
  @Test(arguments: Sample.all)
  func `a truncated payload is refused, or canonical without its end`(sample: Sample) throws {
    let payload = Fixture(sample).payload
    for count in 0..<payload.count { try check(Array(payload[..<count]), of: sample) }
  }

  @Test(arguments: Sample.all)
  func `a payload with a changed bit is refused, or canonical`(sample: Sample) throws {
    var payload = Fixture(sample).payload
    for place in payload.indices {
      for bit in 0..<8 {
        payload[place] ^= 1 << bit
        try check(payload, of: sample)
        payload[place] ^= 1 << bit
      }
    }
  }

  @Test(arguments: Sample.all)
  func `a payload decoded as every other shape is refused, or canonical`(sample: Sample) throws {
    for other in Sample.all { try check(Fixture(sample).payload, of: other) }
  }

  private func check(_ payload: [UInt8], of sample: Sample) throws {
    let type = try #require(StoredType(name: Fixture(sample).type))
    let subject = StreamSubject(of: sample.change)
    guard let event = try? decode(payload.span.bytes, as: type, in: subject, sample.stamp) else { return }
    if sample.retired == nil { #expect(encode(event).payload == payload) }
  }
}
