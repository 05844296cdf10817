// What a program hears of: input, wakes, alarms, the end.
import Terminal
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The limit measures nothing: it is there so that what never comes fails a test instead of hanging it.
@Suite(.timeLimit(.minutes(2))) struct InputTests {
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

  @Test func `keys come in order, and the end of input ends them`() async {
    let typist = Typist()
    let input = Input(descriptor: typist.reading)
    typist.type("hello\r\u{1B}[A")
    typist.leave()
    var events: [InputEvent] = []
    for await event in input.events { events.append(event) }
    #expect(events == [.key(.text("hello")), .key(.named(.enter)), .key(.named(.up))])
  }

  @Test func `an escape comes when nothing follows it`() async {
    let typist = Typist()
    let input = Input(descriptor: typist.reading)
    var events = input.events.makeAsyncIterator()
    typist.type("\u{1B}")
    #expect(await events.next(isolation: nil) == .key(.named(.escape)))
    typist.type("\u{1B}")
    typist.leave()
    #expect(await events.next(isolation: nil) == .key(.named(.escape)))
    #expect(await events.next(isolation: nil) == nil)
  }

  @Test func `an escape is patient`() async {
    let typist = Typist()
    let input = Input(descriptor: typist.reading, patience: .seconds(600))
    var events = input.events.makeAsyncIterator()
    typist.type("a\u{1B}")
    #expect(await events.next(isolation: nil) == .key(.text("a")))
    typist.type("[A")
    #expect(await events.next(isolation: nil) == .key(.named(.up)))
    typist.leave()
  }

  @Test func `wakes that nobody took are one`() async {
    let typist = Typist()
    let input = Input(descriptor: typist.reading)
    // More than a pipe holds, so that the reader must come to look at the wakes between.
    for _ in 0..<100 {
      input.wake()
      typist.type(String(repeating: "a", count: 4_000))
    }
    typist.leave()
    var wakeCount = 0
    for await event in input.events where event == .woken { wakeCount += 1 }
    #expect(wakeCount == 1)
  }

  @Test func `each wake that was taken can be followed by another`() async {
    let typist = Typist()
    let input = Input(descriptor: typist.reading)
    var events = input.events.makeAsyncIterator()
    for _ in 0..<10 {
      Task.detached { input.wake() }
      #expect(await events.next(isolation: nil) == .woken)
    }
    typist.leave()
    #expect(await events.next(isolation: nil) == nil)
  }

  @Test func `an alarm comes once, at its time, and not when it was taken back`() async {
    let typist = Typist()
    let input = Input(descriptor: typist.reading)
    var events = input.events.makeAsyncIterator()
    let time = ContinuousClock.now + .milliseconds(5)
    input.wake(at: time)
    #expect(await events.next(isolation: nil) == .woken)
    #expect(ContinuousClock.now >= time)
    input.wake(at: .now + .seconds(600))
    input.wake(at: nil)
    input.wake(at: .now)
    #expect(await events.next(isolation: nil) == .woken)
    typist.leave()
    #expect(await events.next(isolation: nil) == nil)
  }

  @Test func `what is no terminal is refused`() {
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
