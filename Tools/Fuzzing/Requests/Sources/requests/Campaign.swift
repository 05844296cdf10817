// Random inputs: first those within the process, then those that are sent to a server.
import Foundation
import Locks
import Studio
import WebServer

/// A server behind a gate, and the cookie that opens the gate.
struct Guarded {
  let server: WebServer
  let cookie: String

  init(_ options: WebServer.Options = WebServer.Options()) throws {
    let gate = StudioGate()
    let handlers = WebServer.Handlers(refuse: gate.refuse) { _ in
      StudioGate.guarded(WebResponse(status: 200, text: "inside"))
    }
    server = try WebServer(handlers, options: options)
    let token = gate.open(at: server.port).split(separator: "=")[1]
    let link = try Link(to: server.port)
    link.send("GET /?token=\(token) HTTP/1.1\r\nHost: localhost:\(server.port)\r\n\r\n".utf8)
    let answers = try Answers(link.receive(milliseconds: 5_000) { !$0.isEmpty }.bytes)
    let field = answers.all.first?.fields.first { $0.name == "Set-Cookie" }
    guard let field else { throw Failure("The server does not accept its own token.") }
    cookie = String(field.value.prefix { $0 != ";" })
  }

  /// A request that must be answered.
  var goodRequest: [UInt8] {
    Array("GET /good HTTP/1.1\r\nHost: localhost:\(server.port)\r\nCookie: \(cookie)\r\n\r\n".utf8)
  }

  /// Sends a good request; throws unless it is answered within so many milliseconds.
  func ask(on link: Link, milliseconds: Int32 = 10_000) throws(Failure) {
    let isSent = link.send(goodRequest)
    let (bytes, _) = link.receive(milliseconds: milliseconds) { $0.suffix(6).elementsEqual("inside".utf8) }
    let text = String(decoding: bytes, as: UTF8.self)
    guard isSent, text.hasPrefix("HTTP/1.1 200 "), text.hasSuffix("\r\n\r\ninside") else {
      throw Failure("A good request is answered with “\(text)”.")
    }
  }
}

/// The inputs of a seed.
final class Campaign: Sendable {
  private let options: Options
  private let failure = Locked<Failure?>(nil)
  /// The growth of the resident size that is due to threads and allocators, whatever the number of inputs.
  private static let growthMax = 16 << 20

  init(_ options: Options) { self.options = options }

  func run() throws {
    print("seed \(options.seed)")
    fflush(nil)
    try runWithinProcess()
    try runOverSockets()
  }

  private func runWithinProcess() throws {
    let warmUp = options.runs / 20
    try spread(options.first, warmUp, over: 2, judge)
    let (before, start) = (Memory.resident(), ContinuousClock.now)
    try spread(options.first + warmUp, options.runs - warmUp, over: 2, judge)
    try report("within the process", options.runs, since: start, before)
  }

  private func judge(_ inputs: StrideTo<Int>) throws(Failure) {
    var judgment = try Judgment()
    for input in inputs {
      var dice = Dice(seed: options.seed, input: input)
      do { try judgment.check(&dice) } catch { throw Failure("Input \(input): \(error)") }
      if input & 0xFFF == 0, failure.withLock({ $0 != nil }) { return }
    }
  }

  private func runOverSockets() throws {
    guard options.sockets > 0 else { return }
    let guarded = try Guarded()
    let counts = Locked(Counts())
    let warmUp = options.sockets / 20
    let send: @Sendable (StrideTo<Int>) throws -> Void = { try self.send($0, to: guarded, counts) }
    try spread(options.first, warmUp, over: 48, send)
    let (before, start) = (Memory.resident(), ContinuousClock.now)
    try spread(options.first + warmUp, options.sockets - warmUp, over: 48, send)
    let said = counts.withLock { $0 }
    try guarded.ask(on: Link(to: guarded.server.port))
    try report("over sockets", options.sockets, since: start, before)
    let statuses = said.statuses.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
    print("  \(said.requests) requests before they were damaged, \(said.bytes >> 20) MiB; statuses \(statuses);")
    print("  \(said.silent) inputs without an answer (cut off, not ended, or closed by the client)")
    guarded.server.stop()
  }

  private struct Counts {
    var statuses: [Int: Int] = [:]
    var requests = 0
    var bytes = 0
    var silent = 0
  }

  private func send(_ inputs: StrideTo<Int>, to guarded: Guarded, _ counts: borrowing Locked<Counts>) throws {
    for (number, input) in inputs.enumerated() {
      var dice = Dice(seed: options.seed, input: input)
      let request = RawRequest(&dice, port: guarded.server.port, cookie: guarded.cookie)
      do {
        let statuses = try send(request, to: guarded)
        counts.withLock {
          for status in statuses { $0.statuses[status, default: 0] += 1 }
          $0.requests += request.count
          $0.bytes += request.bytes.count
          if statuses.isEmpty { $0.silent += 1 }
        }
        if number % 500 == 0 { try guarded.ask(on: Link(to: guarded.server.port)) }
      } catch {
        throw Failure("Input \(input): \(error)\n\(String(decoding: request.bytes.prefix(2_000), as: UTF8.self))")
      }
      if failure.withLock({ $0 != nil }) { return }
    }
  }

  private func send(_ request: RawRequest, to guarded: Guarded) throws -> [Int] {
    let link = try Link(to: guarded.server.port)
    defer { link.close(withReset: true) }
    var start = 0
    for cut in request.cuts.filter({ $0 < request.bytes.count }) + [request.bytes.count] {
      link.send(request.bytes[start..<cut])
      start = cut
      if cut < request.bytes.count { usleep(200) }
    }
    switch request.ending {
    case .reset: return []
    case .close:
      link.close()
      return []
    case .answer: break
    }
    var expected = request.count
    let (bytes, _) = link.receive(milliseconds: 60) { received in
      guard !received.isEmpty, let answers = try? Answers(received).all else { return false }
      expected = request.count + answers.count { $0.status == 100 }
      return answers.count >= expected
    }
    if !request.hasCookie, Oracle.contains(bytes, Array("inside".utf8)) { throw Failure("Inside without the cookie.") }
    let answers = try Answers(bytes)
    try answers.check(request)
    return answers.all.map(\.status)
  }

  /// Runs a body on threads, each with every n-th input; throws the first failure.
  private func spread(
    _ first: Int, _ count: Int, over threads: Int, _ body: @escaping @Sendable (StrideTo<Int>) throws -> Void
  ) throws {
    let group = DispatchGroup()
    for index in 0..<threads {
      group.enter()
      Thread.detachNewThread {
        defer { group.leave() }
        do { try body(stride(from: first + index, to: first + count, by: threads)) } catch {
          let error = error as? Failure ?? Failure("\(error)")
          self.failure.withLock { $0 = $0 ?? error }
        }
      }
    }
    group.wait()
    if let failure = failure.withLock({ $0 }) {
      throw Failure("\(failure)\nTo replay it: --seed \(options.seed), and --first with the number of the input")
    }
  }

  private func report(_ name: String, _ count: Int, since start: ContinuousClock.Instant, _ before: Int) throws(Failure)
  {
    let (after, took) = (Memory.resident(), start.duration(to: .now))
    print("\(count) inputs \(name), the last 95 % of them in \(Times.text(took)): no invariant broken;", terminator: "")
    print(" resident \(Memory.text(before)) before these, \(Memory.text(after)) after")
    fflush(nil)
    if after - before > Self.growthMax { throw Failure("Memory grew by \(Memory.text(after - before)).") }
  }
}
