// Who may ask the studio, and what browsers may do with its answers.
internal import Locks
package import WebServer

/// The gate of a studio: only the browser that was given the printed address gets in.
///
/// A server at 127.0.0.1 can be reached by every page in a browser of this machine, and by every program and user of
/// it. See <doc:Studio> for what is refused, and why.
package final class StudioGate: Sendable {
  private let state: Locked<State>

  private struct State {
    /// The port; nil until the server listens.
    var port: UInt16?
    /// The token of the printed address; nil when it was used.
    var token: String?
    var sessions: Set<String> = []
  }

  /// Creates a gate with a new token.
  package init() { state = Locked(State(token: Self.secret())) }

  /// Opens the gate for a port, and returns the address that lets one browser in.
  package func open(at port: UInt16) -> String {
    state.withLock { state in
      state.port = port
      let token = state.token ?? Self.secret()
      state.token = token
      return "http://127.0.0.1:\(port)/?token=\(token)"
    }
  }

  /// Returns the answer to a request that is refused, or that has brought the token; nil for one that goes on.
  package func refuse(_ request: WebRequest) -> WebResponse? {
    let port = state.withLock { $0.port }
    guard let port else { return refusal(503, "The studio is not ready.") }
    var hosts = ["127.0.0.1:\(port)", "localhost:\(port)"]
    // Browsers leave out the default port.
    if port == 80 { hosts += ["127.0.0.1", "localhost"] }
    guard let host = request.header("host"), hosts.contains(host) else {
      return refusal(421, "This is not a name of the studio: use the address that it printed.")
    }
    guard ["GET", "HEAD", "POST"].contains(request.method) else { return refusal(405, "The method is not used here.") }
    let token = request.method == "GET" ? request.parameter("token") : nil
    if let refusal = refuseForeign(request, host) {
      // The file that `verbatim studio --open` opens leads here, and is of another origin.
      guard let token, isNavigation(request), let session = exchange(token) else { return refusal }
      return entrance(for: session, port, isForeign: true)
    }
    if let token {
      if let session = exchange(token) { return entrance(for: session, port) }
      return refusal(401, "This address was used before: end the studio and start it again for another one.")
    }
    guard hasSession(request, port) else {
      return refusal(401, "This browser was not let in: open the address that the studio printed.")
    }
    return nil
  }

  /// Refuses what a page of another origin has sent.
  private func refuseForeign(_ request: WebRequest, _ host: String) -> WebResponse? {
    let origins = request.headers.filter { $0.name == "origin" }.map(\.value)
    let sites = request.headers.filter { $0.name == "sec-fetch-site" }.map(\.value)
    let isOwn =
      origins.allSatisfy { $0 == "http://\(host)" } && sites.allSatisfy { $0 == "same-origin" || $0 == "none" }
    // Every browser names the origin of a request that can change something.
    guard isOwn, request.method != "POST" || origins.count == 1 else {
      return refusal(403, "Pages of other origins cannot use the studio.")
    }
    return nil
  }

  /// Whether a browser goes from a page of another origin to this address in a window of its own.
  private func isNavigation(_ request: WebRequest) -> Bool {
    !request.headers.contains { $0.name == "origin" } && request.header("sec-fetch-site") == "cross-site"
      && request.header("sec-fetch-mode") == "navigate" && request.header("sec-fetch-dest") == "document"
  }

  /// Exchanges the token for the secret of a cookie, once; nil for another token.
  private func exchange(_ token: String) -> String? {
    state.withLock { state in
      guard let expected = state.token, Self.areEqual(expected, token) else { return nil }
      let session = Self.secret()
      state.token = nil
      state.sessions.insert(session)
      return session
    }
  }

  /// Returns the response that gives a browser its cookie, and sends it on to the first page.
  ///
  /// A browser that was led here by a page of another origin follows a redirection on behalf of that origin, without
  /// the cookie: it is sent on by a page.
  private func entrance(for session: String, _ port: UInt16, isForeign: Bool = false) -> WebResponse {
    var response =
      isForeign
      ? WebResponse(
        headers: [WebRequest.Field("Content-Type", "text/html; charset=utf-8")],
        content: .bytes(Array(Self.entrancePage.utf8)))
      : WebResponse(status: 303, headers: [WebRequest.Field("Location", "/")])
    response.headers.append(
      WebRequest.Field("Set-Cookie", "\(Self.cookie(port))=\(session); Path=/; HttpOnly; SameSite=Strict"))
    return Self.guarded(response)
  }

  private static let entrancePage = """
    <!DOCTYPE html>
    <meta http-equiv="refresh" content="0; url=/">
    <title>Verbatim</title>
    <p><a href="/">Open the studio</a></p>

    """

  private func hasSession(_ request: WebRequest, _ port: UInt16) -> Bool {
    let sessions = state.withLock { $0.sessions }
    // Over bytes: as characters of a string, a Greek question mark equals a semicolon.
    return request.headers.filter { $0.name == "cookie" }.contains { field in
      field.value.utf8.split(separator: UInt8(ascii: ";")).contains { cookie in
        let parts = cookie.drop { $0 == UInt8(ascii: " ") }.split(
          separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].elementsEqual(Self.cookie(port).utf8) else { return false }
        return sessions.contains { Self.areEqual($0, String(Substring(parts[1]))) }
      }
    }
  }

  /// The name of the cookie, which contains the port: cookies are shared by all ports.
  private static func cookie(_ port: UInt16) -> String { "verbatim-studio-\(port)" }

  private func refusal(_ status: Int, _ text: String) -> WebResponse {
    Self.guarded(WebResponse(status: status, text: text.isEmpty ? "" : text + "\n"))
  }

  /// Adds to a response the fields by which a browser runs, loads, embeds and keeps nothing else.
  package static func guarded(_ response: WebResponse) -> WebResponse {
    var response = response
    response.headers += [
      WebRequest.Field(
        "Content-Security-Policy",
        "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; img-src 'self' data:; "
          + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"),
      WebRequest.Field("X-Content-Type-Options", "nosniff"),
      WebRequest.Field("Referrer-Policy", "no-referrer"),
      WebRequest.Field("Cross-Origin-Opener-Policy", "same-origin"),
      WebRequest.Field("Cross-Origin-Resource-Policy", "same-origin"),
      WebRequest.Field("Cache-Control", "no-store"),
    ]
    return response
  }

  /// Returns 256 random bits as 64 hexadecimal digits.
  private static func secret() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<4).map { _ in
      let digits = String(generator.next(), radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }
    .joined()
  }

  /// Compares two texts in a time that is independent of how many of their first bytes are equal.
  private static func areEqual(_ one: String, _ other: String) -> Bool {
    let (one, other) = (Array(one.utf8), Array(other.utf8))
    guard one.count == other.count else { return false }
    return zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
