// The wire to a browser: commands, answers and events of the DevTools protocol, through two pipes.
import ChildProcess
import Foundation

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A browser's process and what was said with it. Each message is a JSON object with a zero byte after it.
///
/// Several threads may ask at once; a thread of its own reads what comes, and ends when the browser has.
// Safe because only the thread that reads receives from the child, commands are sent under `sending`, and every
// variable is used under `change`.
final class Wire: @unchecked Sendable {
  private let child: Child
  private let sending = NSLock()
  private let change = NSCondition()
  private var lastID = 0
  private var awaited: Set<Int> = []
  private var answers: [Int: Data] = [:]
  private var events: [String: [Event]] = [:]
  private var isAtEnd = false

  /// Starts a shell's command that reads commands from its standard input and writes answers to its standard output.
  init(_ arguments: [String], environment: [String: String?]) throws {
    child = try Child(arguments, environment: environment, inOwnGroup: true)
    Thread { [self] in receive() }.start()
  }

  /// Ends the browser; answers whether it ended as asked, so that no force was needed.
  func end(within seconds: Int = 10) -> Bool {
    sending.withLock { child.closeInput() }
    let hasEnded: Void? = try? wait(for: "end", within: seconds) { isAtEnd ? () : nil }
    if hasEnded == nil { child.signal(SIGKILL) }
    child.wait()
    return hasEnded != nil
  }

  /// Sends a command to the page of a session, or to the browser, and waits for its answer.
  func ask<Answer: Decodable>(
    _ method: String, _ parameters: [String: Any] = [:], session: String? = nil, within seconds: Int = 60
  ) throws -> Answer {
    let id = change.withLock { nextAwaitedID() }
    defer { change.withLock { forget(id) } }
    try send(id, method, parameters, session)
    let answer = try wait(for: method, within: seconds) { answers[id] }
    return try JSONDecoder().decode(Reply<Answer>.self, from: answer).value(of: method)
  }

  /// Sends a command of which only matters that it is done.
  func tell(_ method: String, _ parameters: [String: Any] = [:], session: String? = nil) throws {
    let _: Nothing = try ask(method, parameters, session: session)
  }

  /// Sends a command and waits for nothing; nobody hears when it fails.
  func post(_ method: String, _ parameters: [String: Any], session: String? = nil) {
    try? send(change.withLock { nextID() }, method, parameters, session)
  }

  /// Keeps events of a session from now on.
  func open(_ session: String) { change.withLock { events[session] = [] } }

  /// Forgets a session's events.
  func close(_ session: String) { _ = change.withLock { events.removeValue(forKey: session) } }

  /// What has happened in a session so far.
  func events(of session: String) -> [Event] { change.withLock { events[session] ?? [] } }

  /// Waits until something has happened in a session.
  func wait(for what: String, in session: String, within seconds: Int, _ isIt: (Event) -> Bool) throws {
    try wait(for: what, within: seconds) { events[session, default: []].contains(where: isIt) ? () : nil }
  }

  private func nextID() -> Int {
    lastID += 1
    return lastID
  }

  private func nextAwaitedID() -> Int {
    let id = nextID()
    awaited.insert(id)
    return id
  }

  private func forget(_ id: Int) {
    awaited.remove(id)
    answers[id] = nil
  }

  private func send(_ id: Int, _ method: String, _ parameters: [String: Any], _ session: String?) throws {
    var message: [String: Any] = ["id": id, "method": method, "params": parameters]
    message["sessionId"] = session
    let bytes = try JSONSerialization.data(withJSONObject: message) + [0]
    sending.withLock { child.send(Array(bytes)) }
  }

  /// Waits for what another thread brings. The deadline is there so that a browser that hangs fails the test.
  private func wait<Value>(for what: String, within seconds: Int, _ look: () -> Value?) throws -> Value {
    let deadline = Date(timeIntervalSinceNow: Double(seconds))
    return try change.withLock {
      while true {
        if let value = look() { return value }
        if isAtEnd { throw Browser.Failure.ended(said: child.rest) }
        guard change.wait(until: deadline) else { throw Browser.Failure.silent(what, seconds: seconds) }
      }
    }
  }

  private func receive() {
    while let bytes = try? child.bytes(endedBy: 0, within: nil) {
      let message = Data(bytes)
      guard let event = try? JSONDecoder().decode(Event.self, from: message) else { continue }
      change.withLock { keep(message, event) }
      if event.isDialog { post("Page.handleJavaScriptDialog", ["accept": false], session: event.sessionId) }
    }
    change.withLock {
      isAtEnd = true
      change.broadcast()
    }
  }

  private func keep(_ message: Data, _ event: Event) {
    if let id = event.id {
      if awaited.contains(id) { answers[id] = message }
    } else if let session = event.sessionId {
      events[session]?.append(event)
    }
    change.broadcast()
  }
}

/// An answer, or why there is none.
private struct Reply<Answer: Decodable>: Decodable {
  struct Refusal: Decodable { let message: String }

  let result: Answer?
  let error: Refusal?

  func value(of method: String) throws -> Answer {
    guard let result else { throw Browser.Failure.refused(method, error?.message ?? "") }
    return result
  }
}

/// An answer in which nothing matters.
struct Nothing: Decodable {}
