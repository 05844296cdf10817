// A page as the user sees it: its problems, width and contents, and further queries by tests.
package import Foundation

/// A page that is open for the lifetime of this object.
package final class Sight: Sendable {
  /// An element of the page as a screen reader presents it.
  package struct Part: Hashable, Sendable {
    package let role: String
    package let name: String
    package let isFocusable: Bool
  }

  /// A key to press.
  package enum Key: String, Sendable {
    case tab = "Tab"
    case enter = "Enter"
    case escape = "Escape"

    fileprivate var code: Int {
      switch self {
      case .tab: 9
      case .enter: 13
      case .escape: 27
      }
    }
  }

  /// The width of the content, and of the window: if the content is wider, the page scrolls sideways.
  package let scrollWidth: Int
  package let clientWidth: Int

  /// The color behind the content, such as `rgb(18, 18, 18)`: the body's or, where it has none, the canvas's.
  package let backgroundColor: String

  /// The visible text.
  package let text: String

  private let page: Page
  private let load: String?
  private let faults: [String]

  init(_ page: Page, _ file: URL, within seconds: Int) throws {
    let navigation: Navigation = try page.ask("Page.navigate", ["url": file.absoluteString])
    if let problem = navigation.errorText { throw Browser.Failure.refused("Page.navigate", problem) }
    try page.wire.wait(for: "load", in: page.session, within: seconds) { $0.isEnd(ofLoad: navigation.loaderId) }
    let measures: Measures = try page.evaluate(measuring, within: seconds)
    (self.page, load) = (page, navigation.loaderId)
    (scrollWidth, clientWidth) = (measures.scrollWidth, measures.clientWidth)
    (backgroundColor, text) = (measures.backgroundColor, measures.text)
    faults =
      measures.addresses.compactMap(complaint) + measures.images.map { "an image cannot be shown: \($0.prefix(80))" }
  }

  /// The problems so far: failed scripts, errors on the console, resources that were loaded, blocked or not displayed.
  ///
  /// A page is self-contained, so every external resource is a problem, even if it is invisible to a reader.
  package var problems: [String] {
    let told = page.wire.events(of: page.session).compactMap { $0.problem(load: load) } + faults
    return told.enumerated().filter { told.firstIndex(of: $1) == $0 }.map(\.element)
  }

  /// Returns the value of a JavaScript expression on this page; a promise is awaited.
  package func evaluate<Value: Decodable>(_ script: String, as: Value.Type = Value.self) throws -> Value {
    try page.evaluate(script)
  }

  /// Presses and releases a key at the focus.
  package func press(_ key: Key) throws {
    var event: [String: Any] = ["key": key.rawValue, "code": key.rawValue, "windowsVirtualKeyCode": key.code]
    event["type"] = "keyDown"
    event["text"] = key == .enter ? "\r" : nil
    try page.tell("Input.dispatchKeyEvent", event)
    event["type"] = "keyUp"
    try page.tell("Input.dispatchKeyEvent", event)
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
    let _: Bool = try page.evaluate(
      "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))")
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
}

private struct Navigation: Decodable {
  let loaderId: String?
  let errorText: String?
}

private struct Measures: Decodable {
  let scrollWidth: Int
  let clientWidth: Int
  let backgroundColor: String
  let text: String
  let addresses: [String]
  let images: [String]
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

/// Waits until the page is drawn, then measures it. `Canvas` is the color of a page that sets none.
private let measuring = """
  (async () => {
    await document.fonts.ready
    await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))
    const root = document.scrollingElement ?? document.documentElement
    const color = element => element ? getComputedStyle(element).backgroundColor : 'rgba(0, 0, 0, 0)'
    const probe = document.createElement('i')
    probe.style.backgroundColor = 'Canvas'
    document.documentElement.append(probe)
    const colors = [document.body, document.documentElement, probe].map(color)
    probe.remove()
    return {
      scrollWidth: root.scrollWidth,
      clientWidth: root.clientWidth,
      backgroundColor: colors.find(color => color != 'rgba(0, 0, 0, 0)'),
      text: document.body?.innerText ?? '',
      addresses: [...document.querySelectorAll('link[href], [src], object[data]')]
        .map(element => element.href || element.src || element.data).filter(address => address),
      images: [...document.images].filter(image => image.complete && !image.naturalWidth).map(image => image.src),
    }
  })()
  """

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
