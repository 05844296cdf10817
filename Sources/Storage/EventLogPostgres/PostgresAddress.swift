// The address of a log on PostgreSQL.

/// The address of a log on a PostgreSQL server: `postgres://user@host:port/database?log=name`.
///
/// It is an address of libpq, so that several hosts, a Unix socket, TLS and authentication are given as to `psql`, also
/// by its environment variables, its service file and its password file. The parameter `log` names the log, of which a
/// database may contain several; without it, the name is `main`. With the parameter `notify=off`, a process neither
/// sends nor expects notifications about appends.
public struct PostgresAddress: Hashable, Sendable {
  /// The name of the log in its database.
  public let log: String
  /// Whether processes are notified of appends by the server; if not, they look for them every 10 milliseconds.
  public let notifies: Bool
  /// The address for libpq: without the name of the log, and possibly with a password.
  internal let server: String

  /// Creates an address from its text; nil for a text that does not begin with `postgres://` or `postgresql://`.
  public init?(_ text: String) {
    guard Self.isAddress(text) else { return nil }
    let (rest, log) = Self.taking("log", from: text[...])
    let (server, notify) = Self.taking("notify", from: rest[...])
    // Other values are left to libpq, which refuses them.
    let isKnown = notify == "on" || notify == "off"
    (self.server, self.log, notifies) = (isKnown ? server : rest, log ?? "main", notify != "off")
  }

  /// Returns a text without the password, if it is an address with one, and the password.
  ///
  /// Special characters of a password are to be escaped; one in which they are not is found, too.
  package static func withoutPassword(_ text: String) -> (text: String, password: String?) {
    guard isAddress(text), let scheme = text.firstRange(of: "://") else { return (text, nil) }
    var rest = text[scheme.upperBound...]
    var (shown, password) = (Substring(), Substring?.none)
    if let at = endOfPassword(in: rest), let colon = rest[..<at].firstIndex(of: ":") {
      password = rest[rest.index(after: colon)..<at]
      (shown, rest) = (rest[..<colon], rest[at...])
    }
    let (others, parameter) = taking("password", from: rest)
    return (text[..<scheme.upperBound] + shown + others, parameter ?? password.map { decoded($0) })
  }

  /// Returns the place of the `@` behind the user and the password of an address without its scheme: the last one that
  /// is not in the parameters, of which no name has one; otherwise the first one before a slash, which libpq takes.
  private static func endOfPassword(in rest: Substring) -> Substring.Index? {
    let path = rest.prefix { $0 != "?" }
    let name = rest[path.endIndex...].prefix { $0 != "=" && $0 != "&" }
    return path.lastIndex(of: "@") ?? name.lastIndex(of: "@") ?? rest.prefix { $0 != "/" }.firstIndex(of: "@")
  }

  /// Returns a text without a parameter behind its `?`, and the last value of the parameter.
  private static func taking(_ name: String, from text: Substring) -> (text: String, value: String?) {
    let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let parameters = parts.count < 2 ? [] : parts[1].split(separator: "&")
    let others = parameters.filter { !$0.hasPrefix(name + "=") }
    let value = parameters.last { $0.hasPrefix(name + "=") }.map { decoded($0.dropFirst(name.count + 1)) }
    return (parts[0] + (others.isEmpty ? "" : "?" + others.joined(separator: "&")), value)
  }

  /// Returns whether a text is meant as an address rather than as the path of a directory.
  public static func isAddress(_ text: String) -> Bool {
    text.hasPrefix("postgres://") || text.hasPrefix("postgresql://")
  }

  /// Returns a text with its escapes of the form `%2F` replaced; an invalid escape stays.
  private static func decoded(_ text: Substring) -> String {
    var (bytes, rest) = ([UInt8](), Array(text.utf8)[...])
    while let byte = rest.popFirst() {
      let digits = String(decoding: rest.prefix(2), as: UTF8.self)
      if byte == UInt8(ascii: "%"), digits.utf8.count == 2, let value = UInt8(digits, radix: 16) {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension PostgresAddress: CustomStringConvertible {
  /// The address without a password and without the parameters of the connection.
  public var description: String {
    let base = Self.withoutPassword(server).text.prefix { $0 != "?" }
    return base + "?log=\(log)"
  }
}
