// A small web application that tests visit.
import Browser
import WebServer

/// A page at `/` with its script at `/script.js`; the page's content security policy permits nothing else.
struct Site {
  /// The cookie that `/sign-in` sets; `/user` is a text with the cookies that it gets.
  static let cookie = "user=ann"

  private let server: WebServer

  /// The address of the page.
  var address: String { address() }

  init(_ body: String, script: String = "", style: String = "", title: String = "A page") throws {
    let links = "<link rel=icon href='data:,'><link rel=stylesheet href=/style.css>"
    let head = links + "<script defer src=/script.js></script>"
    let html = page(body, head: head, title: title)
    let files = [
      "/": ("text/html", html), "/script.js": ("text/javascript", script), "/style.css": ("text/css", style),
    ]
    // The head is answered by the server's own thread: no test waits for the threads that tasks share.
    let refuse: @Sendable (WebRequest) -> WebResponse? = { request in
      if request.path == "/sign-in" { return .redirect(setting: Self.cookie) }
      if request.path == "/user" { return WebResponse(status: 200, text: request.header("cookie") ?? "nobody") }
      // The browser asks for the icon of a page that names none.
      if request.path == "/favicon.ico" { return WebResponse(status: 204, text: "") }
      guard let (type, text) = files[request.path] else { return WebResponse(status: 404, text: "not found") }
      return .file(type, text)
    }
    server = try WebServer(WebServer.Handlers(refuse: refuse) { _ in WebResponse(status: 500, text: "") })
  }

  /// Visits the page, then stops.
  func visit(in browser: Browser) throws -> Window {
    defer { stop() }
    return try browser.visit(address)
  }

  var port: UInt16 { server.port }

  func stop() { server.stop() }

  func address(_ path: String = "/", host: String = "127.0.0.1") -> String { "http://\(host):\(server.port)\(path)" }
}

extension WebResponse {
  fileprivate static func file(_ type: String, _ text: String) -> WebResponse {
    WebResponse(
      headers: [
        WebRequest.Field("Content-Type", type + "; charset=utf-8"),
        WebRequest.Field("Content-Security-Policy", policy),
      ], content: .bytes(Array(text.utf8)))
  }

  fileprivate static func redirect(setting cookie: String) -> WebResponse {
    WebResponse(
      status: 303,
      headers: [
        WebRequest.Field("Location", "/user"), WebRequest.Field("Set-Cookie", cookie + "; HttpOnly; SameSite=Strict"),
      ])
  }
}

private let policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:"
