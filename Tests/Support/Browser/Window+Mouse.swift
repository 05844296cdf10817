// The mouse.

extension Window {
  /// A position in a window, in points from its upper left corner.
  package struct Point: Hashable, Sendable {
    package var x: Double
    package var y: Double

    package init(_ x: Double, _ y: Double) { (self.x, self.y) = (x, y) }
  }

  /// A button of the mouse.
  package enum Button: String, Sendable {
    case left, right, middle

    /// The bit of the button in events.
    fileprivate var mask: Int {
      switch self {
      case .left: 1
      case .right: 2
      case .middle: 4
      }
    }
  }

  /// Returns the center of the first element that matches a selector, scrolled into view.
  ///
  /// An element that is missing, not displayed or covered at its center by another one is an error.
  package func point(of selector: String) throws -> Point {
    let place: Place = try page.evaluate("(\(placing))(\(literal(selector)))")
    guard let x = place.x, let y = place.y else { throw Browser.Failure.element(place.problem ?? "") }
    return Point(x, y)
  }

  /// Clicks the center of the first element that matches a selector.
  package func click(
    _ selector: String, count: Int = 1, button: Button = .left, modifiers: Key.Modifiers = []
  ) throws {
    try click(at: point(of: selector), count: count, button: button, modifiers: modifiers)
  }

  /// Clicks a position; with a count of 2, twice in short sequence.
  package func click(
    at point: Point, count: Int = 1, button: Button = .left, modifiers: Key.Modifiers = []
  ) throws {
    try move(to: point)
    for number in 1...count {
      for type in ["mousePressed", "mouseReleased"] {
        try send(
          type, at: point,
          [
            "button": button.rawValue, "buttons": type == "mousePressed" ? button.mask : 0, "clickCount": number,
            "modifiers": modifiers.rawValue,
          ])
      }
    }
  }

  /// Moves the mouse without pressing a button.
  package func move(to point: Point) throws { try send("mouseMoved", at: point) }

  /// Presses the left button, moves the mouse in equal steps, and releases the button.
  ///
  /// `beforeRelease` runs while the button is still pressed.
  package func drag(
    from start: Point, to end: Point, steps: Int = 10, beforeRelease: () throws -> Void = {}
  ) throws {
    let pressed: [String: Any] = ["button": Button.left.rawValue, "buttons": Button.left.mask, "clickCount": 1]
    try move(to: start)
    try send("mousePressed", at: start, pressed)
    for step in 1...max(1, steps) {
      let part = Double(step) / Double(max(1, steps))
      let point = Point(start.x + (end.x - start.x) * part, start.y + (end.y - start.y) * part)
      try send("mouseMoved", at: point, pressed)
    }
    try beforeRelease()
    try send("mouseReleased", at: end, pressed.merging(["buttons": 0]) { $1 })
  }

  /// Turns the wheel at a position; positive distances scroll down and to the right, in points.
  package func wheel(at point: Point, deltaX: Double = 0, deltaY: Double) throws {
    try send("mouseWheel", at: point, ["deltaX": deltaX, "deltaY": deltaY])
  }

  private func send(_ type: String, at point: Point, _ parameters: [String: Any] = [:]) throws {
    try page.tell(
      "Input.dispatchMouseEvent", ["type": type, "x": point.x, "y": point.y].merging(parameters) { $1 })
  }
}

private struct Place: Decodable {
  let x: Double?
  let y: Double?
  let problem: String?
}

private let placing = """
  selector => {
    const element = document.querySelector(selector)
    if (!element) return { problem: `the page has no “${selector}”` }
    element.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' })
    const box = [...element.getClientRects()].find(box => box.width && box.height)
    if (!box) return { problem: `“${selector}” is not displayed` }
    const left = Math.max(box.left, 0), right = Math.min(box.right, innerWidth)
    const top = Math.max(box.top, 0), bottom = Math.min(box.bottom, innerHeight)
    const point = { x: (left + right) / 2, y: (top + bottom) / 2 }
    let hit = document.elementFromPoint(point.x, point.y)
    while (hit?.shadowRoot && !hit.contains(element)) {
      const inner = hit.shadowRoot.elementFromPoint(point.x, point.y)
      if (!inner || inner == hit) break
      hit = inner
    }
    if (element.contains(hit) || hit?.closest('label')?.control == element) return point
    return { problem: `“${selector}” is covered by ${hit ? hit.cloneNode().outerHTML : 'nothing: it is not in view'}` }
  }
  """
