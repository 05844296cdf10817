// A page in a browser, closed with its object.
import ChildProcess
import Foundation

/// A page in a window of its own, which shares the context's storage with the other pages of the context.
final class Page: Sendable {
  let session: String
  private let target: String
  // Kept so that the context lives as long as its pages.
  let context: Browser.Context

  var wire: Wire { context.wire }

  init(_ context: Browser.Context) throws {
    self.context = context
    let wire = context.wire
    // A tab behind another one would not be drawn.
    let target: Target = try wire.ask(
      "Target.createTarget", ["url": "about:blank", "browserContextId": context.id, "newWindow": true])
    let session: Session = try wire.ask("Target.attachToTarget", ["targetId": target.targetId, "flatten": true])
    (self.target, self.session) = (target.targetId, session.sessionId)
    wire.open(session.sessionId)
  }

  deinit {
    wire.post("Target.closeTarget", ["targetId": target])
    wire.close(session)
  }

  func prepare(width: Int, height: Int, scheme: Browser.Scheme) throws {
    for domain in ["Page", "Runtime", "Log", "Network", "Performance"] { try tell("\(domain).enable") }
    try tell("Page.setLifecycleEventsEnabled", ["enabled": true])
    try tell(
      "Emulation.setDeviceMetricsOverride", ["width": width, "height": height, "deviceScaleFactor": 1, "mobile": false])
    try tell("Emulation.setScrollbarsHidden", ["hidden": true])
    try tell("Emulation.setFocusEmulationEnabled", ["enabled": true])
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
    _ method: String, _ parameters: [String: Any] = [:], within seconds: Int = Deadline.seconds
  ) throws -> Answer {
    try wire.ask(method, parameters, session: session, within: seconds)
  }

  func tell(_ method: String, _ parameters: [String: Any] = [:]) throws {
    try wire.tell(method, parameters, session: session)
  }

  /// Opens an address; waits until it is loaded. Returns the ID of the load, or nil if the document remains the same.
  func navigate(to address: String, within seconds: Int) throws -> String? {
    let navigation: Navigation = try ask("Page.navigate", ["url": address])
    if let problem = navigation.errorText { throw Browser.Failure.refused("Page.navigate", problem) }
    guard let load = navigation.loaderId else { return nil }
    try wire.wait(for: "load", in: session, within: seconds) { $0.contains { $0.isEnd(ofLoad: load) } }
    return load
  }

  /// Loads the page again; waits until it is loaded.
  func reload(within seconds: Int) throws {
    let isEnd = { [target] (event: Event) in event.isEndOfLoad && event.params?.frameId == target }
    let loads = wire.events(of: session).count(where: isEnd)
    try tell("Page.reload")
    try wire.wait(for: "reload", in: session, within: seconds) { $0.count(where: isEnd) > loads }
  }

  /// Runs JavaScript statements; a promise that is their result is awaited.
  ///
  /// As a user, they may do what needs a click or a key.
  func run(_ script: String, asUser: Bool = false) throws {
    let parameters = evaluation(script).merging(["userGesture": asUser]) { $1 }
    let execution: Execution = try ask("Runtime.evaluate", parameters)
    if let thrown = execution.exceptionDetails { throw Browser.Failure.script(thrown.description) }
  }

  /// Returns the value of a JavaScript expression; a promise is awaited.
  func evaluate<Value: Decodable>(
    _ script: String, inWorld world: Int? = nil, within seconds: Int = Deadline.seconds
  ) throws -> Value {
    var parameters = evaluation(script).merging(["returnByValue": true]) { $1 }
    parameters["contextId"] = world
    let evaluation: Evaluation<Value> = try ask("Runtime.evaluate", parameters, within: seconds)
    return evaluation.value
  }
}

/// The parameters of an evaluation. The handlers that it calls are subject to the page's content security policy.
private func evaluation(_ script: String) -> [String: Any] {
  [
    "expression": script, "awaitPromise": true, "allowUnsafeEvalBlockedByCSP": false, "objectGroup": objectGroup,
  ]
}

/// The name of the objects that the browser keeps as results of scripts.
let objectGroup = "results"

/// Returns a text as a JavaScript literal.
func literal(_ text: String) -> String {
  // Safe to force, as every string can be encoded.
  String(decoding: try! JSONEncoder().encode(text), as: UTF8.self)
}

private struct Target: Decodable { let targetId: String }
private struct Session: Decodable { let sessionId: String }

private struct Navigation: Decodable {
  let loaderId: String?
  let errorText: String?
}

private struct Execution: Decodable { let exceptionDetails: Event.Thrown? }

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
