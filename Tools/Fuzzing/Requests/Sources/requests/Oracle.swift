// What the parsers and the gate must say, written a second time: over bytes, and without regard to speed.
import WebServer

enum Oracle {
  /// Returns the decoded text, or nil where it must be refused.
  static func text(_ raw: String, plusIsSpace: Bool) -> [UInt8]? {
    let raw = Array(raw.utf8)
    var decoded: [UInt8] = []
    var index = 0
    while index < raw.count {
      var byte = raw[index]
      if byte == 0x25 {
        let digits = raw[(index + 1)...].prefix(2)
        let areDigits = digits.allSatisfy { Unicode.Scalar($0).properties.isASCIIHexDigit }
        guard digits.count == 2, areDigits else { return nil }
        byte = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)!
        index += 2
      } else if byte == 0x2B, plusIsSpace {
        byte = 0x20
      }
      if byte < 0x20 || byte == 0x7F { return nil }
      decoded.append(byte)
      index += 1
    }
    return String(validating: decoded, as: UTF8.self) == nil ? nil : decoded
  }

  /// Returns the decoded path, or nil where it must be refused.
  static func path(_ raw: String) -> [UInt8]? {
    guard raw.utf8.first == 0x2F, let path = text(raw, plusIsSpace: false), !path.contains(0x5C) else { return nil }
    let ended = path + [0x2F]
    for bad in ["//", "/./", "/../"] where contains(path, Array(bad.utf8)) { return nil }
    return contains(ended, Array("/./".utf8)) || contains(ended, Array("/../".utf8)) ? nil : path
  }

  static func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
    guard bytes.count >= part.count else { return false }
    return (0...bytes.count - part.count).contains { bytes[$0..<$0 + part.count].elementsEqual(part) }
  }

  /// Returns the status with which the gate must refuse a request; nil when it must let it in.
  static func status(_ request: WebRequest, port: UInt16, token: String, session: String) -> Int? {
    func values(_ name: String, _ fields: [WebRequest.Field]) -> [[UInt8]] {
      fields.filter { Array($0.name.utf8) == Array(name.utf8) }.map { Array($0.value.utf8) }
    }
    let hosts = values("host", request.headers)
    let names = ["127.0.0.1:\(port)", "localhost:\(port)"].map { Array($0.utf8) }
    guard hosts.count == 1, names.contains(hosts[0]) else { return 421 }
    let method = Array(request.method.utf8)
    guard ["GET", "HEAD", "POST"].contains(where: { Array($0.utf8) == method }) else { return 405 }
    let origins = values("origin", request.headers)
    let sites = values("sec-fetch-site", request.headers)
    let ownSites = ["same-origin", "none"].map { Array($0.utf8) }
    let tokens = values("token", request.query)
    let isForeign =
      origins.contains { $0 != Array("http://".utf8) + hosts[0] } || sites.contains { !ownSites.contains($0) }
    if isForeign {
      let navigation = [("site", "cross-site"), ("mode", "navigate"), ("dest", "document")]
      let isNavigation = navigation.allSatisfy { values("sec-fetch-\($0)", request.headers) == [Array($1.utf8)] }
      let hasToken = tokens == [Array(token.utf8)] && method == Array("GET".utf8)
      return hasToken && isNavigation && origins.isEmpty ? 200 : 403
    }
    if method == Array("POST".utf8), origins.count != 1 { return 403 }
    if tokens.count == 1, method == Array("GET".utf8) { return tokens[0] == Array(token.utf8) ? 303 : 401 }
    let pair = Array("verbatim-studio-\(port)=\(session)".utf8)
    let pairs = values("cookie", request.headers).flatMap { $0.split(separator: 0x3B) }
    return pairs.contains { Array($0.drop { $0 == 0x20 }) == pair } ? nil : 401
  }
}
