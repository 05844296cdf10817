// A request as a web server received it.

/// A request of a web server, or its head as long as the body has not been received.
public struct WebRequest: Hashable, Sendable {
  /// The method, in capital letters as sent: `GET`, `POST`.
  public let method: String
  /// The path, decoded; it begins with a slash, and has no empty component, `.` or `..`.
  public let path: String
  /// The parameters behind the path, decoded, in the order sent.
  public let query: [Field]
  /// The header fields with their names in small letters, in the order sent.
  public let headers: [Field]
  /// The body; empty as long as only the head was received.
  public internal(set) var body: [UInt8]

  /// Creates a request.
  public init(method: String, path: String, query: [Field] = [], headers: [Field] = [], body: [UInt8] = []) {
    (self.method, self.path, self.query, self.headers, self.body) = (method, path, query, headers, body)
  }

  /// A name and a value.
  public struct Field: Hashable, Sendable {
    /// The name.
    public let name: String
    /// The value.
    public let value: String

    /// Creates a field.
    public init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
  }

  /// Returns the value of the only header field with a name; nil when there is none, or more than one.
  public func header(_ name: String) -> String? { Self.only(name, in: headers) }

  /// Returns the value of the only parameter with a name; nil when there is none, or more than one.
  public func parameter(_ name: String) -> String? { Self.only(name, in: query) }

  private static func only(_ name: String, in fields: [Field]) -> String? {
    let found = fields.filter { $0.name == name }
    return found.count == 1 ? found[0].value : nil
  }
}

extension WebRequest {
  /// Decodes the escapes of a path; nil when it is not one that a program should see.
  package static func path(decoding raw: String) -> String? {
    guard raw.utf8.first == UInt8(ascii: "/"), let path = text(decoding: raw, plusIsSpace: false) else { return nil }
    // Over bytes: as characters of a string, a slash and a combining mark behind it are one that is no slash.
    let components = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst()
    let isPlain = components.enumerated().allSatisfy { index, component in
      !component.elementsEqual(".".utf8) && !component.elementsEqual("..".utf8)
        && (!component.isEmpty || index == components.count - 1) && !component.contains(UInt8(ascii: "\\"))
    }
    return isPlain ? path : nil
  }

  /// Decodes escapes; nil when one is malformed, or the result is not UTF-8, or has a control character.
  package static func text(decoding raw: String, plusIsSpace: Bool) -> String? {
    var bytes: [UInt8] = []
    var rest = raw.utf8[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "%"):
        guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else { return nil }
        bytes.append(high << 4 | low)
      case UInt8(ascii: "+") where plusIsSpace: bytes.append(UInt8(ascii: " "))
      default: bytes.append(byte)
      }
    }
    if bytes.contains(where: { $0 < 0x20 || $0 == 0x7F }) { return nil }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
