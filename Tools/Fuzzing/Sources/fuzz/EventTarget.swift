// The decoder of stored events.
import Chat
import ChatCodec
import EventLog
import Foundation

extension Target {
  /// A byte for the type, a byte for the stream, and the payload.
  static let events = Target("events", seeds: StoredInput.seeds) { StoredInput($0)?.check() }
}

/// An input: a stored event.
private struct StoredInput {
  let type: StoredType
  let subject: StreamSubject
  let payload: [UInt8]

  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 2 else { return nil }
    let shapes = Shape.allCases
    type = Int(bytes[0]) < shapes.count ? .shape(shapes[Int(bytes[0])]) : .app("poll", version: UInt32(bytes[0]))
    subject = Self.subjects[Int(bytes[1]) % Self.subjects.count]
    payload = Array(bytes[2...])
  }

  /// A stream of each form.
  static let subjects: [StreamSubject] = [
    .user("u"), .channel("c"), .draft(Draft.Key(by: "u", in: "c")), .draft(Draft.Key(by: "u", in: "c", thread: "m")),
    .composer(Composer.Key(of: "u", on: "d", in: "c")), .composer(Composer.Key(of: "u", on: "d", in: "c", thread: "m")),
    .app("a"),
  ]

  /// Decodes the payload; if it decodes, checks that it is encoded to the same bytes, or, for a retired shape, to the
  /// same event.
  func check() {
    let stamp = EventOrigin(by: .system, at: Timestamp(rawValue: 0))
    guard let event = try? decode(payload.span.bytes, as: type, in: subject, stamp) else { return }
    let written = encode(event)
    if case .shape(let shape) = type, let today = shape.successor {
      let again = try? decode(written.payload.span.bytes, as: .shape(today), in: subject, stamp)
      require(again == event, "\(type) is read as \(event), and written as \(String(describing: again))")
    } else {
      require(written.type == type.name, "\(type) is written as \(written.type)")
      require(payload == written.payload, "\(type): \(payload) is written as \(written.payload)")
    }
  }

  /// Returns every stored shape of the fixtures, in a stream of each form.
  static func seeds(_ fixtures: URL) throws -> [String: [UInt8]] {
    var seeds: [String: [UInt8]] = [:]
    for (name, bytes) in try fixtures.appending(path: "events").files("bin") {
      guard let type = number(of: name) else { continue }
      for subject in subjects.indices { seeds["\(name)-\(subject)"] = [type, UInt8(subject)] + bytes }
    }
    return seeds
  }

  /// Returns the byte of a type in an input; nil when the file name does not begin with the name of a shape.
  private static func number(of file: String) -> UInt8? {
    let (family, rest) = (file.prefix { $0 != "-" }, file.drop { $0 != "-" }.dropFirst())
    let shape = Shape(rawValue: "\(family).\(rest.prefix { $0.isNumber })")
    return shape.flatMap { Shape.allCases.firstIndex(of: $0) }.map(UInt8.init)
  }
}
