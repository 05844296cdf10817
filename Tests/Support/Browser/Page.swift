// A page in a browser, closed with its object.

/// An isolated page: no storage, cache or window is shared with other pages.
final class Page: Sendable {
  let wire: Wire
  let session: String
  private let context: String
  // Kept so that the browser lives as long as its pages.
  private let browser: Browser

  init(_ browser: Browser, _ wire: Wire) throws {
    (self.browser, self.wire) = (browser, wire)
    let context: Context = try wire.ask("Target.createBrowserContext")
    self.context = context.browserContextId
    let target: Target = try wire.ask(
      "Target.createTarget", ["url": "about:blank", "browserContextId": context.browserContextId])
    let session: Session = try wire.ask("Target.attachToTarget", ["targetId": target.targetId, "flatten": true])
    self.session = session.sessionId
    wire.open(session.sessionId)
  }

  deinit {
    wire.post("Target.disposeBrowserContext", ["browserContextId": context])
    wire.close(session)
  }

  func prepare(width: Int, height: Int, scheme: Browser.Scheme) throws {
    for domain in ["Page", "Runtime", "Log", "Network"] { try tell("\(domain).enable") }
    try tell("Page.setLifecycleEventsEnabled", ["enabled": true])
    try tell(
      "Emulation.setDeviceMetricsOverride", ["width": width, "height": height, "deviceScaleFactor": 1, "mobile": false])
    try tell("Emulation.setScrollbarsHidden", ["hidden": true])
    try prefer(scheme)
  }

  func prefer(_ scheme: Browser.Scheme, reducedMotion: Bool = false) throws {
    let features = [
      ["name": "prefers-color-scheme", "value": scheme.rawValue],
      ["name": "prefers-reduced-motion", "value": reducedMotion ? "reduce" : "no-preference"],
    ]
    try tell("Emulation.setEmulatedMedia", ["features": features])
  }

  func ask<Answer: Decodable>(
    _ method: String, _ parameters: [String: Any] = [:], within seconds: Int = 60
  ) throws -> Answer {
    try wire.ask(method, parameters, session: session, within: seconds)
  }

  func tell(_ method: String, _ parameters: [String: Any] = [:]) throws {
    try wire.tell(method, parameters, session: session)
  }

  /// Returns the value of a JavaScript expression; a promise is awaited.
  func evaluate<Value: Decodable>(_ script: String, within seconds: Int = 60) throws -> Value {
    let parameters: [String: Any] = ["expression": script, "awaitPromise": true, "returnByValue": true]
    let evaluation: Evaluation<Value> = try ask("Runtime.evaluate", parameters, within: seconds)
    return evaluation.value
  }
}

private struct Context: Decodable { let browserContextId: String }
private struct Target: Decodable { let targetId: String }
private struct Session: Decodable { let sessionId: String }

private struct Evaluation<Value: Decodable>: Decodable {
  enum Key: CodingKey { case result, value, exceptionDetails }

  let value: Value

  init(from decoder: any Decoder) throws {
    let answer = try decoder.container(keyedBy: Key.self)
    if let thrown = try answer.decodeIfPresent(Event.Thrown.self, forKey: .exceptionDetails) {
      throw Browser.Failure.script(thrown.description)
    }
    value = try answer.nestedContainer(keyedBy: Key.self, forKey: .result).decode(Value.self, forKey: .value)
  }
}
