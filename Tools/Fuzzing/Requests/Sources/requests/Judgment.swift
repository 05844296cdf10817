// Inputs within the process: escapes, paths, parameters, and requests at the gate.
import Studio
import WebServer

/// Compares what the parsers and the gate say of random inputs with what the oracle says.
struct Judgment {
  private static let port: UInt16 = 8080
  private var gate = StudioGate()
  private var token = ""
  private var session = ""

  init() throws(Failure) { try renew() }

  /// Makes a gate that has let one browser in, and has a new token.
  private mutating func renew() throws(Failure) {
    gate = StudioGate()
    let entry = WebRequest(
      method: "GET", path: "/", query: [WebRequest.Field("token", newToken())],
      headers: [WebRequest.Field("host", "localhost:\(Self.port)")])
    guard let answer = gate.refuse(entry), answer.status == 303,
      let cookie = answer.headers.first(where: { $0.name == "Set-Cookie" })?.value
    else { throw Failure("The gate does not accept its own token.") }
    session = String(cookie.split(separator: ";")[0].split(separator: "=")[1])
    token = newToken()
  }

  private func newToken() -> String { String(gate.open(at: Self.port).split(separator: "=")[1]) }

  /// Tries an input; throws when an invariant is broken.
  mutating func check(_ dice: inout Dice) throws(Failure) {
    switch dice.below(4) {
    case 0: try checkPath(dice.text(of: Self.pathParts, max: 10))
    case 1: try checkText(dice.text(of: Self.pathParts, max: 10), plusIsSpace: dice.once(in: 2))
    default: try checkGate(&dice)
    }
  }

  private func checkPath(_ tail: String) throws(Failure) {
    for raw in [tail, "/" + tail] {
      let path = WebRequest.path(decoding: raw).map { Array($0.utf8) }
      if path != Oracle.path(raw) { throw Failure("The path “\(raw)” is decoded as \(String(describing: path)).") }
    }
  }

  private func checkText(_ raw: String, plusIsSpace: Bool) throws(Failure) {
    let text = WebRequest.text(decoding: raw, plusIsSpace: plusIsSpace).map { Array($0.utf8) }
    if text != Oracle.text(raw, plusIsSpace: plusIsSpace) {
      throw Failure("The text “\(raw)” is decoded as \(String(describing: text)).")
    }
    guard let text else { return }
    let escaped = text.map { "%" + String(0x100 + Int($0), radix: 16, uppercase: $0 & 1 == 0).suffix(2) }.joined()
    let again = WebRequest.text(decoding: escaped, plusIsSpace: plusIsSpace).map { Array($0.utf8) }
    if again != text { throw Failure("“\(escaped)” is not decoded as it was escaped.") }
  }

  private mutating func checkGate(_ dice: inout Dice) throws(Failure) {
    let request = request(&dice)
    try checkLookup(request)
    let expected = Oracle.status(request, port: Self.port, token: token, session: session)
    let refusal = gate.refuse(request)
    if refusal?.status != expected {
      let answer = refusal.map { "\($0.status)" } ?? "no refusal"
      throw Failure("The gate says \(answer), the oracle \(String(describing: expected)), of \(request).")
    }
    guard let refusal else { return }
    let entering = [303: ["Location", "Set-Cookie"], 200: ["Set-Cookie"]]
    let fields = Answers.guardFields + (entering[refusal.status] ?? [])
    for field in fields where refusal.headers.filter({ $0.name == field }).count != 1 {
      throw Failure("An answer with status \(refusal.status) has no field \(field), or two: \(request).")
    }
    if refusal.headers.contains(where: { !fields.contains($0.name) && $0.name != "Content-Type" }) {
      throw Failure("An answer has other fields: \(refusal.headers).")
    }
    for field in refusal.headers where field.value.contains(RawRequest.marker) {
      throw Failure("A field of an answer contains a part of the request: \(field.value).")
    }
    if entering[refusal.status] != nil { try renew() }
  }

  /// Checks that a field or a parameter that is there twice is none.
  private func checkLookup(_ request: WebRequest) throws(Failure) {
    for name in ["host", "cookie", "origin"] {
      let values = request.headers.filter { $0.name == name }.map(\.value)
      if request.header(name) != (values.count == 1 ? values[0] : nil) { throw Failure("\(name): \(request)") }
    }
    let tokens = request.query.filter { $0.name == "token" }.map(\.value)
    if request.parameter("token") != (tokens.count == 1 ? tokens[0] : nil) { throw Failure("token: \(request)") }
  }

  /// Returns a request of which each part is what a browser would send, more often than not.
  private func request(_ dice: inout Dice) -> WebRequest {
    let good = 3
    func field(_ name: String, _ right: String, _ wrong: [String], _ dice: inout Dice) -> WebRequest.Field {
      if !dice.once(in: good) { return WebRequest.Field(name, right) }
      return WebRequest.Field(name, dice.once(in: 2) ? dice.pick(wrong) : Self.damaged(right, &dice))
    }
    let host = "\(dice.pick(["127.0.0.1", "localhost"])):\(Self.port)"
    var headers = [field("host", host, Self.hosts, &dice)]
    if !dice.once(in: 3) { headers.append(field("origin", "http://\(host)", Self.origins, &dice)) }
    let site = dice.once(in: 4) ? "cross-site" : "same-origin"
    if !dice.once(in: 3) { headers.append(field("sec-fetch-site", site, Self.sites, &dice)) }
    if dice.once(in: 2) {
      headers.append(field("sec-fetch-mode", "navigate", ["", "cors", "no-cors", "Navigate"], &dice))
      headers.append(field("sec-fetch-dest", "document", ["", "iframe", "empty", "image"], &dice))
    }
    let pair = "verbatim-studio-\(Self.port)=\(session)"
    for _ in 0..<dice.below(3) {
      var cookies = dice.once(in: 4) ? [String]() : [field("", pair, Self.cookies(session), &dice).value]
      while dice.once(in: 3) { cookies.insert(dice.pick(Self.cookies(session)), at: 0) }
      headers.append(WebRequest.Field("cookie", cookies.joined(separator: dice.pick(["; ", ";", ";  ", "\u{37E}"]))))
    }
    while dice.once(in: 4) { headers.append(dice.pick(headers)) }
    while dice.once(in: 4) { headers.insert(WebRequest.Field("x-\(RawRequest.marker)", RawRequest.marker), at: 0) }
    var query: [WebRequest.Field] = []
    while dice.once(in: 3) { query.append(field("token", token, ["", session, RawRequest.marker], &dice)) }
    while dice.once(in: 8) { query.append(WebRequest.Field(RawRequest.marker, dice.text(of: Self.pathParts, max: 3))) }
    let method = dice.once(in: 6) ? dice.pick(Self.methods) : dice.pick(["GET", "HEAD", "POST"])
    return WebRequest(method: method, path: "/" + RawRequest.marker, query: query, headers: headers)
  }

  /// Changes, removes or inserts a character or two.
  private static func damaged(_ text: String, _ dice: inout Dice) -> String {
    var scalars = Array(text.unicodeScalars)
    for _ in 0...dice.below(2) where !scalars.isEmpty {
      let place = dice.below(scalars.count)
      switch dice.below(4) {
      case 0: scalars.remove(at: place)
      case 1: scalars.insert(dice.pick(strange), at: place)
      case 2: scalars[place] = dice.pick(strange)
      default: scalars[place] = Unicode.Scalar(UInt32(dice.below(0x300))) ?? " "
      }
    }
    var damaged = String.UnicodeScalarView()
    damaged.append(contentsOf: scalars)
    return String(damaged)
  }

  /// Characters that Swift joins with the ones before them, or takes to be equal to others.
  private static let strange: [Unicode.Scalar] = [
    "\u{301}", "\u{200D}", "\u{37E}", "\u{212A}", "\u{0}", " ", ";", "=", ".", ":", "\u{1FEF}", "\u{FE0F}", "0",
  ]
  private static let pathParts = [
    "/", "/", "/", ".", "..", "%2e", "%2E%2e", "%2F", "%5c", "\\", "%", "%4", "%zz", "%00", "%0d%0a", "%7f", "%CC%81",
    "\u{301}", "%C3%A4", "ä", "%ff", "a", "chat", "+", "?", "%EF%BC%8F", "\u{200D}", "%E2%80%8D", "%F0%9F%98%80",
    "%ED%A0%80", "%C0%AF", "%C0%AE", "\r\n", "\n", "\0", " ", "%20", "%25", "2e", "~", ";", "&",
  ]
  private static let hosts = [
    "", "localhost", "127.0.0.1", "evil.example:\(port)", "127.0.0.1:\(port).evil.example", "0.0.0.0:\(port)",
    "LOCALHOST:\(port)", "[::1]:\(port)", "localhost:8081", "localhost:08080", "127.1:\(port)",
    "user@localhost:\(port)", "localhost.:\(port)", " localhost:\(port)",
  ]
  private static let origins = [
    "", "null", "http://evil.example", "https://localhost:\(port)", "http://localhost:8081", "http://127.0.0.1",
    "http://localhost:\(port)/", "HTTP://localhost:\(port)", "http://localhost:\(port) http://evil.example",
  ]
  private static let sites = [
    "", "cross-site", "same-site", "none", "Same-Origin", "same-origin, none", "same-origin ",
  ]
  private static let methods = [
    "", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "get", "GET ", "G\u{200D}ET", "PATCH",
  ]

  private static func cookies(_ session: String) -> [String] {
    [
      "", "=", "a=b", "verbatim-studio-8081=\(session)", "verbatim-studio-\(port)=", "verbatim-studio-\(port)",
      "verbatim-studio-\(port)=\(session) ", "verbatim-studio-\(port) =\(session)",
      "verbatim-studio-\(port)==\(session)",
      "Verbatim-Studio-\(port)=\(session)", "verbatim-studio-\(port)=\"\(session)\"", RawRequest.marker,
      "verbatim-studio-\(port)=\(session.uppercased())-", "verbatim-studio-\(port)=\(session)\(session)",
    ]
  }
}
