// A window of a browser: visits addresses, evaluates scripts, waits for conditions.
import ChildProcess
package import Foundation
import Locks

/// A window with a page, open for the lifetime of this object.
///
/// Its functions block their thread: a suite of tests that use windows has the trait `.waitsForBrowser`. Pages of its
/// context reach only servers at 127.0.0.1 and localhost. Several windows are displayed, focused and drawn at the same
/// time.
package final class Window: Sendable {
  /// An element of the page as a screen reader presents it.
  package struct Part: Hashable, Sendable {
    package let role: String
    package let name: String
    package let isFocusable: Bool
  }

  let page: Page
  private let origins = Locked<Set<String>>([])

  init(_ page: Page) { self.page = page }

  /// Opens an address that a server of this machine serves; waits until it is loaded.
  package func visit(_ address: String, within seconds: Int = Deadline.seconds) throws {
    _ = origins.withLock { $0.insert(origin(of: address)) }
    _ = try page.navigate(to: address, within: seconds)
    try drawn()
  }

  /// Loads the page again; waits until it is loaded.
  package func reload(within seconds: Int = Deadline.seconds) throws {
    try page.reload(within: seconds)
    try drawn()
  }

  /// Waits until the page is drawn: before its first frame, the browser discards input and has nothing to scroll.
  func drawn() throws {
    try wait(for: "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))")
  }

  /// Returns the value of a JavaScript expression on this page; a promise is awaited.
  package func evaluate<Value: Decodable>(_ script: String, as: Value.Type = Value.self) throws -> Value {
    try page.evaluate(script)
  }

  /// Runs JavaScript statements on this page; a promise that is their result is awaited.
  package func run(_ script: String) throws { try page.run(script) }

  /// Waits until a JavaScript expression is true, or resolves to true; it is evaluated once per frame.
  ///
  /// An expression that throws counts as false: elements that it uses can be missing at first. The page can be replaced
  /// by another one meanwhile.
  package func wait(for expression: String, within seconds: Int = Deadline.seconds) throws {
    let deadline = Date(timeIntervalSinceNow: Double(seconds))
    while true {
      let rest = deadline.timeIntervalSinceNow
      do {
        let verdict: Verdict = try page.evaluate(
          waiting(for: expression, milliseconds: Int(max(0, rest) * 1000)), within: max(0, Int(rest)) + 5)
        if verdict.isMet { return }
        throw Browser.Failure.unmet(
          expression, seconds: seconds, problem: verdict.problem, shown: verdict.shown ?? "")
      } catch Browser.Failure.refused(_, let reason) where rest > 0 && isReplacement(reason) {
        continue
      } catch Browser.Failure.silent {
        throw Browser.Failure.unmet(expression, seconds: seconds, problem: "the page does not respond", shown: "")
      }
    }
  }

  /// Returns the visible text of the page, or of the first element that matches a selector.
  package func text(of selector: String = "body") throws -> String {
    let text: String? = try page.evaluate("document.querySelector(\(literal(selector)))?.innerText ?? null")
    guard let text else { throw Browser.Failure.element("the page has no “\(selector)”") }
    return text
  }

  /// Returns the elements of the page that a screen reader presents.
  package func parts() throws -> [Part] {
    let tree: Tree = try page.ask("Accessibility.getFullAXTree")
    return tree.nodes.filter { !$0.ignored }.map { node in
      let isFocusable = (node.properties ?? []).contains { $0.name == "focusable" }
      return Part(role: node.role?.value?.text ?? "", name: node.name?.value?.text ?? "", isFocusable: isFocusable)
    }
  }

  /// Sets the preferred color scheme, and whether reduced motion is preferred; waits until the page is redrawn.
  package func prefer(_ scheme: Browser.Scheme, reducedMotion: Bool = false) throws {
    try page.prefer(scheme, reducedMotion: reducedMotion)
    try drawn()
  }

  /// Returns a PNG of the window's contents, or of the whole page.
  package func screenshot(whole: Bool = false) throws -> Data {
    let picture: Picture = try page.ask("Page.captureScreenshot", ["captureBeyondViewport": whole])
    return picture.data
  }

  /// Returns the number of colors in a picture, by default one of the window. One color means an empty page.
  package func colors(in picture: Data? = nil) throws -> Int {
    let picture = try picture ?? screenshot()
    return try page.evaluate("(\(counting))('\(picture.base64EncodedString())')")
  }

  var events: [Event] { page.wire.events(of: page.session) }

  /// Whether an address belongs to an origin that a test visited in this window.
  func isOwn(_ address: String) -> Bool { origins.withLock { $0.contains(origin(of: address)) } }
}

/// Returns the origin of an address; that of a web socket is the origin of its server's pages.
private func origin(of address: String) -> String {
  guard let parts = URLComponents(string: address), let scheme = parts.scheme else { return address }
  let port = parts.port ?? (["https", "wss"].contains(scheme) ? 443 : 80)
  return "\(["ws": "http", "wss": "https"][scheme] ?? scheme)://\(parts.host ?? ""):\(port)"
}

/// Whether a script was not evaluated to its end since another page was opened.
private func isReplacement(_ reason: String) -> Bool {
  ["navigated", "context was destroyed", "Cannot find context", "was collected"].contains(where: reason.contains)
}

private func waiting(for expression: String, milliseconds: Int) -> String {
  """
  (async () => {
    const end = performance.now() + \(milliseconds)
    let problem = null
    while (true) {
      try {
        problem = null
        if (await (
          \(expression)
        )) return { isMet: true }
      } catch (error) { problem = String(error) }
      if (performance.now() > end) return { isMet: false, problem, shown: document.body?.innerText.slice(-2000) }
      await new Promise(requestAnimationFrame)
    }
  })()
  """
}

private struct Verdict: Decodable {
  let isMet: Bool
  let problem: String?
  let shown: String?
}

private struct Picture: Decodable { let data: Data }

private struct Tree: Decodable {
  struct Value: Decodable { let value: Event.Text? }
  struct Property: Decodable { let name: String }
  struct Node: Decodable {
    let ignored: Bool
    let role: Value?
    let name: Value?
    let properties: [Property]?
  }

  let nodes: [Node]
}

private let counting = """
  async text => {
    const bytes = Uint8Array.from(atob(text), letter => letter.charCodeAt(0))
    const image = await createImageBitmap(new Blob([bytes]))
    const context = new OffscreenCanvas(image.width, image.height).getContext('2d')
    context.drawImage(image, 0, 0)
    const points = context.getImageData(0, 0, image.width, image.height).data
    return new Set(new Uint32Array(points.buffer)).size
  }
  """
