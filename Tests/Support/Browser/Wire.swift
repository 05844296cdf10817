// The connection to a browser: commands, responses and events of the DevTools protocol, through two pipes.
import ChildProcess
import Foundation

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A browser's process and the messages exchanged with it. Each message is a JSON object followed by a zero byte.
///
/// Several threads can send commands concurrently; a thread of its own reads messages, and ends with the browser.
// Safe because only the reading thread receives from the child, commands are sent under `sending`, and every variable
// is used under `change`.
final class Wire: @unchecked Sendable {
  private let child: Child
  private let sending = NSLock()
  private let change = NSCondition()
  private var lastID = 0
  private var awaited: Set<Int> = []
  private var answers: [Int: Data] = [:]
  private var events: [String: [Event]] = [:]
  private var isAtEnd = false

  /// Starts a shell command that reads commands from its standard input and writes responses to its standard output.
  init(_ arguments: [String], environment: [String: String?]) throws {
    child = try Child(arguments, environment: environment, inOwnGroup: true)
    Thread { [self] in receive() }.start()
  }

  /// Ends the browser; returns whether it ended on request, without being killed.
  func end(within seconds: Int = 10) -> Bool {
    sending.withLock { child.closeInput() }
    let hasEnded: Void? = try? wait(for: "end", within: seconds) { isAtEnd ? () : nil }
    if hasEnded == nil { child.signal(SIGKILL) }
    child.wait()
    return hasEnded != nil
  }

  /// Sends a command to the page of a session, or to the browser, and waits for its response.
  func ask<Answer: Decodable>(
    _ method: String, _ parameters: [String: Any] = [:], session: String? = nil, within seconds: Int = Deadline.seconds
  ) throws -> Answer {
    let id = change.withLock { nextAwaitedID() }
    defer { change.withLock { forget(id) } }
    try send(id, method, parameters, session)
    let answer = try wait(for: method, within: seconds) { answers[id] }
    return try JSONDecoder().decode(Reply<Answer>.self, from: answer).value(of: method)
  }

  /// Sends a command and waits for its completion.
  func tell(_ method: String, _ parameters: [String: Any] = [:], session: String? = nil) throws {
    let _: Nothing = try ask(method, parameters, session: session)
  }

  /// Sends a command without waiting; failures are ignored.
  func post(_ method: String, _ parameters: [String: Any], session: String? = nil) {
    try? send(change.withLock { nextID() }, method, parameters, session)
  }

  /// Begins to collect the events of a session.
  func open(_ session: String) { change.withLock { events[session] = [] } }

  /// Discards a session's events.
  func close(_ session: String) { _ = change.withLock { events.removeValue(forKey: session) } }

  /// Returns the events of a session so far.
  func events(of session: String) -> [Event] { change.withLock { events[session] ?? [] } }

  /// Waits until the events of a session fulfil a condition.
  func wait(for what: String, in session: String, within seconds: Int, _ isIt: ([Event]) -> Bool) throws {
    try wait(for: what, within: seconds) { isIt(events[session, default: []]) ? () : nil }
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

  /// Waits for a result of another thread. The deadline lets a browser that hangs fail the test.
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
      if event.isDialog {
        post("Page.handleJavaScriptDialog", ["accept": event.isLeaving], session: event.sessionId)
      }
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

/// A response, or the reason for its absence.
private struct Reply<Answer: Decodable>: Decodable {
  struct Refusal: Decodable { let message: String }

  let result: Answer?
  let error: Refusal?

  func value(of method: String) throws -> Answer {
    guard let result else { throw Browser.Failure.refused(method, error?.message ?? "") }
    return result
  }
}

/// A response whose contents are ignored.
struct Nothing: Decodable {}
