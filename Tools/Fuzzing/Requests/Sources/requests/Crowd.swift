// Many connections at once: without a request, with half of one, with slow heads and slow bodies.
import Foundation
import Locks
import WebServer

/// Attacks that keep connections busy, and what a browser that was let in gets meanwhile.
struct Crowd {
  private let options: Options

  init(_ options: Options) { self.options = options }

  func run() throws {
    let allowed = try raiseLimit()
    try crowd(min(options.connections, allowed))
    try slowHeads()
    try slowBodies(withCookie: false)
    try slowBodies(withCookie: true)
  }

  /// Lets this process have enough open files; returns the number of connections for which they suffice.
  private func raiseLimit() throws(Failure) -> Int {
    var limit = rlimit()
    #if canImport(Glibc)
      let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
      let files = RLIMIT_NOFILE
    #endif
    getrlimit(files, &limit)
    limit.rlim_cur = min(limit.rlim_max, rlim_t(options.connections + 2_000))
    setrlimit(files, &limit)
    let allowed = Int(limit.rlim_cur) - 1_500
    if allowed < options.connections { print("Only \(limit.rlim_cur) files can be open, for \(allowed) connections.") }
    guard allowed > 0 else { throw Failure("Too few files can be open: raise `ulimit -n`.") }
    return allowed
  }

  // MARK: Connections

  private func crowd(_ count: Int) throws {
    let guarded = try Guarded()
    let own = try Link(to: guarded.server.port)
    try guarded.ask(on: own)
    let before = Memory.resident()
    let host = "Host: localhost:\(guarded.server.port)\r\n"
    let said = ["", "GET / HTTP/1.1\r\n\(host)", "GET / HTTP/1.1\r\n\(host)\r\n"].map { Array($0.utf8) }
    var links: [Link] = []
    let start = ContinuousClock.now
    for _ in 0..<count { links.append(try Link(to: guarded.server.port, waits: false)) }
    var times = Times()
    var newTimes = Times()
    var sent = Set<Int>()
    for round in 0..<20 {
      for (index, link) in links.enumerated() where !sent.contains(index) && link.isOpen {
        link.send(said[index % said.count])
        sent.insert(index)
      }
      for _ in 0..<10 { try times.add { try guarded.ask(on: own) } }
      if round % 4 == 0 {
        try newTimes.add { try guarded.ask(on: Link(to: guarded.server.port), milliseconds: 60_000) }
      }
    }
    let took = start.duration(to: .now)
    print("\(count) connections at once (a third says nothing, a third half a head, a third a request without cookie):")
    let open = links.count(where: \.isOpen)
    print("  after \(Times.text(took)) \(sent.count) had been accepted by the system, \(open) are open;")
    print("  the connection that had been let in is answered in \(times); a new one with the cookie in \(newTimes);")
    print("  resident \(Memory.text(before)) before, \(Memory.text(Memory.resident())) meanwhile", terminator: "")
    links = []
    var after = Times()
    for _ in 0..<20 { try after.add { try guarded.ask(on: Link(to: guarded.server.port)) } }
    print(", \(Memory.text(Memory.resident())) after; then a new connection is answered in \(after)")
    fflush(nil)
    guarded.server.stop()
  }

  // MARK: Slowness

  private func slowHeads() throws {
    let guarded = try Guarded()
    let own = try Link(to: guarded.server.port)
    try guarded.ask(on: own)
    let head = Array("GET / HTTP/1.1\r\nX-Slow: \(String(repeating: "a", count: 10_000))".utf8)
    let (times, newTimes, open) = try trickle(head, over: 600, guarded, own)
    print("600 heads that come by a byte every 100 ms for \(options.slowSeconds) s, at most 512 connections:")
    print("  \(open) are still open; the connection that had been let in is answered in \(times),")
    print("  a new one with the cookie in \(newTimes)")
    fflush(nil)
    guarded.server.stop()
  }

  /// Sends bodies slowly; those with the cookie are closed after a time of three seconds.
  private func slowBodies(withCookie: Bool) throws {
    var limits = WebServer.Options()
    limits.bodyTimeout = .seconds(3)
    let guarded = try Guarded(limits)
    let own = try Link(to: guarded.server.port)
    try guarded.ask(on: own)
    let host = "localhost:\(guarded.server.port)"
    let cookie = withCookie ? "Cookie: \(guarded.cookie)\r\n" : ""
    let head = Array(
      "POST / HTTP/1.1\r\nHost: \(host)\r\nOrigin: http://\(host)\r\n\(cookie)Content-Length: 10000\r\n\r\n".utf8)
    let (times, newTimes, open) = try trickle(
      [UInt8](repeating: 0x61, count: 10_000), after: head, over: 600, guarded, own)
    print(
      "600 bodies \(withCookie ? "with" : "without") the cookie that come by a byte every 100 ms for",
      "\(options.slowSeconds) s, 3 s allowed:")
    print("  \(open) are still open; the connection that had been let in is answered in \(times),")
    print("  a new one with the cookie in \(newTimes)")
    fflush(nil)
    guarded.server.stop()
  }

  /// Sends the bytes one by one on many connections; returns how a browser was answered, and how many are still open.
  private func trickle(
    _ bytes: [UInt8], after head: [UInt8] = [], over count: Int, _ guarded: Guarded, _ own: Link
  ) throws -> (own: Times, new: Times, open: Int) {
    let port = guarded.server.port
    let end = ContinuousClock.now + .seconds(options.slowSeconds)
    let open = Locked<Int?>(nil)
    Thread.detachNewThread {
      var links = (0..<count).compactMap { _ in try? Link(to: port, waits: false) }
      for place in bytes.indices where .now < end {
        links.removeAll { !$0.isOpen }
        for link in links { link.send((place == 0 ? head : []) + bytes[place..<place + 1]) }
        usleep(100_000)
      }
      open.withLock { $0 = links.count(where: \.isOpen) }
    }
    var (times, newTimes) = (Times(), Times())
    while open.withLock({ $0 == nil }) {
      usleep(100_000)
      try times.add { try guarded.ask(on: own) }
      try newTimes.add { try guarded.ask(on: Link(to: port), milliseconds: 60_000) }
    }
    return (times, newTimes, open.withLock { $0 } ?? 0)
  }
}

/// How long answers took.
struct Times: CustomStringConvertible {
  private var all: [Duration] = []

  mutating func add<E: Error>(_ body: () throws(E) -> Void) throws(E) {
    let start = ContinuousClock.now
    try body()
    all.append(start.duration(to: .now))
  }

  var description: String {
    let sorted = all.sorted()
    guard let last = sorted.last else { return "no time" }
    return "\(Self.text(sorted[sorted.count / 2])) (the longest of \(sorted.count): \(Self.text(last)))"
  }

  static func text(_ duration: Duration) -> String {
    duration.formatted(.units(allowed: [.seconds, .milliseconds], width: .narrow, fractionalPart: .show(length: 1)))
  }
}
