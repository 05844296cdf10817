// Events determined by a seed.
package import EventLog
package import SeededRandom

extension SeededRandom {
  /// Returns events of twenty streams and five types.
  package mutating func events(_ count: Int) -> [ProposedEvent] {
    (0..<count).map { _ in
      ProposedEvent(
        stream: Name(validatedText: "stream/\(below(20))"), type: Name(validatedText: "type\(below(5))"),
        payload: noise(below(30)))
    }
  }
}

extension Name {
  package init(validatedText text: String) { self = (try? Name(text)) ?? "none" }
}
