// Inputs for the socket: requests as a browser sends them, damaged.

/// The bytes of one or several requests on a connection, and how they are sent.
struct RawRequest {
  enum Ending {
    /// Waits for what the server says.
    case answer
    /// Closes the connection without waiting.
    case close
    /// Resets the connection without waiting.
    case reset
  }

  /// A text in most fields that no answer has by itself.
  static let marker = "zqxj"

  var bytes: [UInt8] = []
  /// Where the bytes are cut into parts that are sent one by one.
  var cuts: [Int] = []
  var ending = Ending.answer
  /// Whether the cookie that opens the gate is among the bytes.
  let hasCookie: Bool
  /// The number of requests before the damage.
  let count: Int

  init(_ dice: inout Dice, port: UInt16, cookie: String) {
    hasCookie = dice.once(in: 4)
    count = dice.once(in: 4) ? 2 + dice.below(4) : 1
    let cookie = hasCookie ? cookie : dice.pick(Self.foreign(cookie, port))
    for _ in 0..<count { bytes += Self.request(&dice, port: port, cookie: cookie) }
    for _ in 0..<dice.below(3) where dice.once(in: 2) { damage(&dice) }
    if dice.once(in: 4) { cuts = (0...dice.below(4)).map { _ in dice.below(bytes.count + 1) }.sorted() }
    switch dice.below(16) {
    case 0: (ending, bytes) = (.reset, Array(bytes.prefix(dice.below(bytes.count + 1))))
    case 1: (ending, bytes) = (.close, Array(bytes.prefix(dice.below(bytes.count + 1))))
    case 2: bytes = Array(bytes.prefix(dice.below(bytes.count + 1)))
    default: break
    }
  }

  /// Cookies that do not open the gate, nor do so after the damage: none, and one of another port with the same secret.
  private static func foreign(_ cookie: String, _ port: UInt16) -> [String] {
    let secret = cookie.drop { $0 != "=" }
    return [
      "", "a=b", "verbatim-studio-\(port ^ 0x5555)\(secret)", "verbatim-studio\(secret)",
      "verbatim-studio-\(port)=" + String(repeating: "0", count: 64),
    ]
  }

  private static func request(_ dice: inout Dice, port: UInt16, cookie: String) -> [UInt8] {
    let host = "\(dice.pick(["127.0.0.1", "localhost"])):\(port)"
    let method = dice.once(in: 6) ? dice.pick(methods) : dice.pick(["GET", "GET", "HEAD", "POST"])
    var fields = ["Host: \(host)"]
    if !cookie.isEmpty { fields.append("Cookie: \(cookie)") }
    if method == "POST" || dice.once(in: 3) { fields.append("Origin: http://\(host)") }
    if dice.once(in: 2) { fields.append("Sec-Fetch-Site: same-origin") }
    while dice.once(in: 3) { fields.append("X-\(marker): \(marker)") }
    while dice.once(in: 6) { fields.append(dice.pick(oddFields)) }
    var body: [UInt8] = []
    if method == "POST" || dice.once(in: 8) { body = self.body(&dice, &fields) }
    let targets = dice.once(in: 3) ? oddTargets(host, &dice) : ["/", "/\(marker)", "/a/b?c=d&\(marker)=\(marker)"]
    let version = dice.once(in: 12) ? dice.pick(oddVersions) : " HTTP/1.1"
    edit(&fields, &dice)
    let end = dice.once(in: 24) ? dice.pick(["\n", "\r", "\r\r\n", "\n\r"]) : "\r\n"
    let head = ([method + " " + dice.pick(targets) + version] + fields + ["", ""]).joined(separator: end)
    return Array(head.utf8) + body
  }

  /// Adds the field that announces a body, and returns the body; one of them lies now and then.
  private static func body(_ dice: inout Dice, _ fields: inout [String]) -> [UInt8] {
    let content = [UInt8](repeating: 0x78, count: dice.once(in: 50) ? dice.below(3 << 16) : dice.below(64))
    let isTrue = !dice.once(in: 4)
    if dice.once(in: 2) {
      fields.append("Content-Length: " + (isTrue ? "\(content.count)" : dice.pick(lengths)))
      if dice.once(in: 12) { fields.append("Transfer-Encoding: chunked") }
      return content
    }
    fields.append("Transfer-Encoding: " + (dice.once(in: 8) ? dice.pick(encodings) : "chunked"))
    var body: [UInt8] = []
    for part in [content.prefix(content.count / 2), content.dropFirst(content.count / 2)] where !part.isEmpty {
      let size = isTrue ? String(part.count, radix: 16) : dice.pick(sizes)
      body += Array((size + (dice.once(in: 8) ? ";\(marker)=\(marker)" : "") + "\r\n").utf8) + part + [0x0D, 0x0A]
    }
    let trailer = dice.once(in: 8) ? "Cookie: a=b\r\nHost: \(marker)\r\n" : ""
    return body + Array("0\r\n\(trailer)\r\n".utf8)
  }

  /// Doubles, drops, folds or splits a field, or makes the head huge.
  private static func edit(_ fields: inout [String], _ dice: inout Dice) {
    guard dice.once(in: 3) else { return }
    let place = dice.below(fields.count)
    let field = fields[place]
    switch dice.below(12) {
    case 0, 1: fields.insert(field, at: dice.below(fields.count + 1))
    case 2: fields.remove(at: place)
    case 3:
      let fold = dice.pick(["\r\n ", "\r\n\t", "\n ", "\r\n \r\n "])
      fields[place] = field.split(separator: " ").joined(separator: fold)
    case 4: fields[place] = field + dice.pick(["\r\nSet-Cookie: \(marker)=1", "\nX-\(marker): 1", "\rX-\(marker): 1"])
    case 5:
      let colon = dice.pick([" :", "", "::", "\t:", "\0:", " "])
      fields[place] = field.replacing(":", with: colon, maxReplacements: 1)
    case 6: fields[place] = field + dice.pick(["\0", "\0.evil.example", " ", "\t", ", \(marker)", "ä", "\u{212A}"])
    case 7: fields[place] = dice.once(in: 2) ? field.uppercased() : field.lowercased()
    case 8: fields.append("\(marker): " + String(repeating: marker, count: dice.once(in: 8) ? 20_000 : 200))
    case 9: fields += (0..<(dice.once(in: 8) ? 4_000 : 40)).map { "X-\($0): \(marker)" }
    case 10: fields[place] = " " + field
    default: fields.append("")
    }
  }

  /// Changes bytes without regard to what they mean.
  private mutating func damage(_ dice: inout Dice) {
    guard !bytes.isEmpty else { return }
    let place = dice.below(bytes.count)
    switch dice.below(7) {
    case 0: bytes[place] = dice.byte()
    case 1: bytes.insert(dice.pick([0, 0x0A, 0x0D, 0x20, 0x09, 0x3A, 0x25, 0xFF]), at: place)
    case 2: bytes.insert(contentsOf: dice.bytes(1 + dice.below(32)), at: place)
    case 3: bytes.removeSubrange(place..<min(place + 1 + dice.below(8), bytes.count))
    case 4: bytes.insert(contentsOf: bytes[place...].prefix(1 + dice.below(100)), at: place)
    case 5: bytes = dice.bytes(dice.below(200)) + bytes
    default: bytes[place] ^= 1 << UInt8(dice.below(8))
    }
  }

  private static func oddTargets(_ host: String, _ dice: inout Dice) -> [String] {
    [
      "http://\(host)/", "http://evil.example/", "*", "\(host)", "", " ", "//evil.example/",
      "/../\(marker)", "/%2e%2e/%2fetc", "/..%5c", "/%00", "/%0d%0aX-\(marker):%201", "/?token=\(marker)",
      "/?token=a&token=b", "/?a=%ff",
      "/?\(marker)=%0d%0aSet-Cookie:%20\(marker)=1", "/#\(marker)", "/\u{301}", "/a b", "/?%", "/%zz", "/\0", "/ä", "?",
      "/../%CC%81\(marker)", long(dice.pick(["/", "/?", "/?a&"]), &dice),
    ]
  }

  private static func long(_ start: String, _ dice: inout Dice) -> String {
    start + String(repeating: start.count > 2 ? "a&" : "a", count: dice.once(in: 100) ? 70_000 : 300)
  }

  private static let methods = [
    "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "get", "", " ", "PRI", marker, "G\0ET", "GÄT",
    String(repeating: "A", count: 300),
  ]
  private static let oddVersions = [
    "", "\r\n", " HTTP/0.9", " HTTP/1.0", " HTTP/1.2", " HTTP/2.0", " HTTP/9.9", " http/1.1", " HTTP/1.1 ", " HTTP/",
    " \0", " HTTP/1.1\u{301}", "  HTTP/1.1", "\tHTTP/1.1",
  ]
  private static let oddFields = [
    "Connection: close", "Connection: keep-alive", "Connection: upgrade", "Upgrade: websocket",
    "Expect: 100-continue", "Host: evil.example", "Origin: null", "Origin: http://evil.example",
    "Sec-Fetch-Site: cross-site", "Content-Length: 5", "Range: bytes=0-1", "If-None-Match: *",
    "X-Forwarded-For: \(marker)", "X-Forwarded-Host: localhost", "Cookie: \(marker)",
    "Authorization: Basic \(marker)", "Accept-Encoding: gzip", ": \(marker)", "Coo\u{212A}ie: \(marker)",
    "TE: trailers", "Transfer-Encoding: identity", "Referer: http://\(marker)/",
    "Access-Control-Request-Method: POST",
  ]
  private static let lengths = [
    "0", "1", "7", "1000", "-1", "+5", "0x5", "5, 5", "5 5", "", " ", "18446744073709551615", "18446744073709551616",
    "9223372036854775807", "16777217", "99999999999999999999999", "1e3", "5\0", "٣", "005",
  ]
  private static let sizes = [
    "0", "1", "5", "ffff", "-1", "g", "", "ffffffffffffffff", "10000000000000000", "7fffffffffffffff", "0x5", " 5",
    "5 ", "5\0",
  ]
  private static let encodings = [
    "gzip", "gzip, chunked", "chunked, gzip", "Chunked", "xchunked", "chunked\0", "", "identity",
  ]
}
