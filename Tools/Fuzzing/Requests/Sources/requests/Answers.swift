// What a server has sent on a connection, and what must hold of it.

/// The answers of a server.
struct Answers {
  struct Answer {
    let status: Int
    let fields: [(name: String, value: String)]
  }

  /// The complete answers, in the order sent.
  private(set) var all: [Answer] = []

  /// Reads the answers; throws when bytes are no answer.
  init(_ bytes: [UInt8]) throws(Failure) {
    var rest = bytes[...]
    while let end = Self.end(ofHead: rest) {
      let head = String(decoding: rest[..<end], as: UTF8.self)
      let lines = head.split(separator: "\r\n", omittingEmptySubsequences: true)
      let status = lines[0].split(separator: " ").dropFirst().first.flatMap { Int($0) }
      guard lines[0].hasPrefix("HTTP/1."), let status else { throw Failure("This is no answer: \(head)") }
      var fields: [(name: String, value: String)] = []
      for line in lines.dropFirst() {
        let parts = line.split(separator: ":", maxSplits: 1)
        guard parts.count == 2 else { throw Failure("This is no field: \(line)") }
        fields.append((String(parts[0]), String(parts[1].drop { $0 == " " })))
      }
      all.append(Answer(status: status, fields: fields))
      rest = rest[(end + 4)...]
      // The answer to HEAD has no content, whatever its length says.
      let isLast = rest.isEmpty || rest.starts(with: Array("HTTP/1.".utf8))
      let length = fields.first { $0.name == "Content-Length" }.flatMap { Int($0.value) } ?? 0
      if !isLast { rest = rest.dropFirst(length) }
    }
  }

  private static func end(ofHead bytes: ArraySlice<UInt8>) -> Int? {
    guard bytes.count >= 4 else { return nil }
    return (bytes.startIndex...bytes.endIndex - 4).first {
      bytes[$0] == 0x0D && bytes[$0 + 1] == 0x0A && bytes[$0 + 2] == 0x0D && bytes[$0 + 3] == 0x0A
    }
  }

  /// The fields that the gate adds to every answer.
  static let guardFields = [
    "Content-Security-Policy", "X-Content-Type-Options", "Referrer-Policy", "Cross-Origin-Opener-Policy",
    "Cross-Origin-Resource-Policy", "Cache-Control",
  ]
  /// The statuses of the gate and of what is behind it.
  static let guarded = [200, 303, 401, 403, 405, 421]
  /// The statuses of the server itself: of what is no request, or too large.
  static let own = [100, 400, 411, 413, 414, 431, 500, 501, 505]
  /// The fields of an answer besides the guard's.
  private static let plain = ["Content-Type", "Content-Length", "Date", "Connection"]

  /// Checks the answers to an input.
  func check(_ input: RawRequest) throws(Failure) {
    for answer in all {
      if answer.status == 200, !input.hasCookie { throw Failure("Status 200 without the cookie.") }
      if answer.status == 303 { throw Failure("A token that is none was accepted.") }
      let isGuarded = Self.guarded.contains(answer.status)
      guard isGuarded || Self.own.contains(answer.status) else { throw Failure("Status \(answer.status).") }
      for name in Self.guardFields where answer.fields.filter({ $0.name == name }).count != (isGuarded ? 1 : 0) {
        throw Failure("An answer with status \(answer.status) has no field \(name), or two: \(answer.fields)")
      }
      for field in answer.fields {
        if !Self.plain.contains(field.name), !Self.guardFields.contains(field.name) {
          throw Failure("An answer with status \(answer.status) has the field \(field).")
        }
        if "\(field)".contains(RawRequest.marker) { throw Failure("A part of the request is in the field \(field).") }
      }
    }
  }
}
