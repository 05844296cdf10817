// A page as the user sees it: its problems, width and contents, and further queries by tests.
package import Foundation

/// A page that is open for the lifetime of this object.
package final class Sight: Sendable {
  package typealias Part = Window.Part

  /// The width of the content, and of the window: if the content is wider, the page scrolls sideways.
  package let scrollWidth: Int
  package let clientWidth: Int

  /// The color behind the content, such as `rgb(18, 18, 18)`: the body's or, where it has none, the canvas's.
  package let backgroundColor: String

  /// The visible text.
  package let text: String

  /// The window that displays the page.
  package let window: Window

  private let load: String?
  private let faults: [String]

  init(_ window: Window, _ file: URL, within seconds: Int) throws {
    self.window = window
    load = try window.page.navigate(to: file.absoluteString, within: seconds)
    let measures: Measures = try window.page.evaluate(measuring, within: seconds)
    (scrollWidth, clientWidth) = (measures.scrollWidth, measures.clientWidth)
    (backgroundColor, text) = (measures.backgroundColor, measures.text)
    faults =
      measures.addresses.compactMap(complaint) + measures.images.map { "an image cannot be shown: \($0.prefix(80))" }
  }

  /// The problems so far: failed scripts, errors on the console, resources that were loaded, blocked or not displayed.
  ///
  /// A page is self-contained, so every external resource is a problem, even if it is invisible to a reader.
  package var problems: [String] {
    let told = window.events.compactMap { $0.problem(load: load) } + faults
    return told.unique
  }

  /// Returns the value of a JavaScript expression on this page; a promise is awaited.
  package func evaluate<Value: Decodable>(_ script: String, as: Value.Type = Value.self) throws -> Value {
    try window.evaluate(script)
  }

  /// Presses and releases a key at the focus.
  package func press(_ key: Window.Key) throws { try window.press(key) }

  /// Returns the elements of the page that a screen reader presents.
  package func parts() throws -> [Part] { try window.parts() }

  /// Sets the preferred color scheme, and whether reduced motion is preferred; waits until the page is redrawn.
  package func prefer(_ scheme: Browser.Scheme, reducedMotion: Bool = false) throws {
    try window.prefer(scheme, reducedMotion: reducedMotion)
  }

  /// Returns a PNG of the window's contents, or of the whole page.
  package func screenshot(whole: Bool = false) throws -> Data { try window.screenshot(whole: whole) }

  /// Returns the number of colors in a picture, by default one of the window. One color means an empty page.
  package func colors(in picture: Data? = nil) throws -> Int { try window.colors(in: picture) }
}

private struct Measures: Decodable {
  let scrollWidth: Int
  let clientWidth: Int
  let backgroundColor: String
  let text: String
  let addresses: [String]
  let images: [String]
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
