// What is encoded is decoded as what it was, and takes the same bytes again.
import Bytes
import Chat
import ChatCodec
import EventLog
import Testing

@Suite struct RoundTripTests {
  @Test(arguments: Sample.all)
  func `an event is decoded as what was encoded`(sample: Sample) throws {
    let stored = encode(sample.event)
    let subject = try #require(StreamSubject(name: stored.stream))
    let type = try #require(StoredType(name: stored.type))
    #expect(subject.name == stored.stream)
    #expect(type.name == stored.type)
    #expect(try decode(stored.payload.span.bytes, as: type, in: subject, sample.stamp) == sample.event)
  }
}

extension Sample: CustomTestStringConvertible {
  var testDescription: String { fixture }
}
