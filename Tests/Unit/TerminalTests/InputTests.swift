// Tests the events of a terminal program: input, wakes, alarms, the end.
import ChildProcess
import Terminal
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The limit measures nothing: it lets a missing event fail a test instead of blocking it.
@Suite(.timeLimit(.minutes(10))) struct InputTests {
  /// A pipe into which a test types.
  private final class Typist: Sendable {
    let reading: CInt
    private let writing: CInt

    init() {
      var ends: [CInt] = [-1, -1]
      precondition(pipe(&ends) == 0)
      (reading, writing) = (ends[0], ends[1])
    }

    deinit { close(reading) }

    func type(_ text: String) {
      let bytes = Array(text.utf8)
      _ = bytes.withUnsafeBytes { write(writing, $0.baseAddress, $0.count) }
    }

    func leave() { close(writing) }
  }

  @Test func `keys arrive in order until the end of input`() async throws {
    let typist = Typist()
    let input = Input(descriptor: typist.reading)
    typist.type("hello\r\u{1B}[A")
    typist.leave()
    let events = try await within("the end of the input") {
      await input.events.reduce(into: []) { $0.append($1) }
    }
    #expect(events == [.key(.text("hello")), .key(.named(.enter)), .key(.named(.up))])
  }

  @Test func `an escape is delivered when nothing follows`() async throws {
    let typist = Typist()
    let input = Input(descriptor: typist.reading)
    let events = Elements(of: input.events)
    typist.type("\u{1B}")
    #expect(try await events.next() == .key(.named(.escape)))
    typist.type("\u{1B}")
    typist.leave()
    #expect(try await events.next() == .key(.named(.escape)))
    #expect(try await events.next() == nil)
  }

  @Test func `an escape waits for the rest of a longer key`() async throws {
    let typist = Typist()
    let input = Input(descriptor: typist.reading, patience: .seconds(600))
    let events = Elements(of: input.events)
    typist.type("a\u{1B}")
    #expect(try await events.next() == .key(.text("a")))
    typist.type("[A")
    #expect(try await events.next() == .key(.named(.up)))
    typist.leave()
  }

  @Test func `undelivered wakes are coalesced`() async throws {
    let typist = Typist()
    let input = Input(descriptor: typist.reading)
    // More than a pipe holds, so that the reader must process the wakes in between.
    for _ in 0..<100 {
      input.wake()
      typist.type(String(repeating: "a", count: 4_000))
    }
    typist.leave()
    let wakeCount = try await within("the end of the input") {
      await input.events.reduce(into: 0) { $0 += $1 == .woken ? 1 : 0 }
    }
    #expect(wakeCount == 1)
  }

  @Test func `another wake can follow each delivered wake`() async throws {
    let typist = Typist()
    let input = Input(descriptor: typist.reading)
    let events = Elements(of: input.events)
    for _ in 0..<10 {
      Task.detached { input.wake() }
      #expect(try await events.next() == .woken)
    }
    typist.leave()
    #expect(try await events.next() == nil)
  }

  @Test func `an alarm fires once at its time unless it is cancelled`() async throws {
    let typist = Typist()
    let input = Input(descriptor: typist.reading)
    let events = Elements(of: input.events)
    let time = ContinuousClock.now + .milliseconds(5)
    input.wake(at: time)
    #expect(try await events.next() == .woken)
    #expect(ContinuousClock.now >= time)
    input.wake(at: .now + .seconds(600))
    input.wake(at: nil)
    input.wake(at: .now)
    #expect(try await events.next() == .woken)
    typist.leave()
    #expect(try await events.next() == nil)
  }

  @Test func `raw mode refuses a descriptor that is not a terminal`() {
    let typist = Typist()
    do throws(RawModeError) {
      _ = try RawMode(input: typist.reading, output: typist.reading)
      Issue.record("a pipe became raw")
    } catch {
      #expect(error == .noTerminal(descriptor: typist.reading))
      #expect("\(error)" == "Descriptor \(typist.reading) is not a terminal: start the program in one.")
    }
    typist.leave()
  }
}
