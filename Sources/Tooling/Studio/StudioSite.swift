// The site of a studio: pages and assets of the program, behind the gate, around the answers of an app.
package import WebServer

/// The web site of a studio, at one address of this machine, until it is stopped.
package final class StudioSite: Sendable {
  /// A page: its path, its title, and the names of its module and its style sheet.
  package struct Page: Sendable {
    /// The name, as in `/events`.
    package let name: String
    /// The title for the window and for screen readers.
    package let title: String

    /// The name of its module and its style sheet.
    fileprivate let assets: String

    /// Creates a page, with the module and the style sheet of its name or of another one.
    package init(_ name: String, title: String, assets: String? = nil) {
      (self.name, self.title, self.assets) = (name, title, assets ?? name)
    }
  }

  /// The address that lets one browser in.
  package let address: String
  private let server: WebServer

  /// Starts a site; the first page is the one at `/`. Requests for addresses below `/api/` are answered by the closure.
  ///
  /// - Parameters:
  ///   - pages: The pages.
  ///   - sheets: Style sheets that are not of this module, by name.
  ///   - options: The port and the limits of the server.
  ///   - answer: Answers a request; nil for an unknown address.
  package init(
    _ pages: [Page], sheets: [String: String], options: WebServer.Options = WebServer.Options(),
    answer: @escaping @Sendable (WebRequest) async -> WebResponse?
  ) throws(WebServerError) {
    let (gate, content) = (StudioGate(), SiteContent(pages, sheets: sheets))
    server = try WebServer(
      WebServer.Handlers(refuse: gate.refuse) { request in
        if let response = content.response(to: request) { return StudioGate.guarded(response) }
        let isAnswered = request.path.hasPrefix("/api/")
        let response = isAnswered ? await answer(request) : nil
        return StudioGate.guarded(response ?? WebResponse(status: 404, text: "There is nothing at this address.\n"))
      }, options: options)
    address = gate.open(at: server.port)
  }

  /// Closes all connections and stops listening; idempotent.
  package func stop() { server.stop() }
}

/// The pages and assets, which do not change while the program runs.
private struct SiteContent: Sendable {
  private var responses: [String: WebResponse] = [:]
  private let first: String

  init(_ pages: [StudioSite.Page], sheets: [String: String]) {
    first = "/" + (pages.first?.name ?? "")
    for page in pages { responses["/" + page.name] = Self.response(Array(Self.markup(page).utf8), "text/html") }
    for (name, bytes) in StudioAssets.all {
      let type = name.hasSuffix(".js") ? "text/javascript" : "text/css"
      responses["/assets/" + name] = Self.response(bytes, type)
    }
    for (name, sheet) in sheets { responses["/assets/" + name] = Self.response(Array(sheet.utf8), "text/css") }
  }

  func response(to request: WebRequest) -> WebResponse? {
    if request.path == "/" {
      return WebResponse(status: 303, headers: [WebRequest.Field("Location", first)])
    }
    guard let response = responses[request.path] else { return nil }
    return request.method == "POST" ? WebResponse(status: 405, text: "This address is only read.\n") : response
  }

  private static func response(_ bytes: [UInt8], _ type: String) -> WebResponse {
    WebResponse(headers: [WebRequest.Field("Content-Type", type + "; charset=utf-8")], content: .bytes(bytes))
  }

  private static func markup(_ page: StudioSite.Page) -> String {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>\(page.title) · Verbatim</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/assets/chat.css">
    <link rel="stylesheet" href="/assets/studio.css">
    <link rel="stylesheet" href="/assets/\(page.assets).css">
    <script type="module" src="/assets/\(page.assets).js"></script>
    </head>
    <body></body>
    </html>

    """
  }
}
