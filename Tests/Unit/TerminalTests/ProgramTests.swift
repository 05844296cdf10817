// Tests a program in a terminal: its output, and the restored terminal.
import ChildProcess
import PseudoTerminal
import Terminal
import TerminalWorker
import Testing
import TestThreads

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@Suite(.waitsForProcesses) struct ProgramTests {
  private let worker = Child.path(ofWorker: "TerminalWorker")

  /// Returns a terminal in which the editor waits for input, and the settings before the editor started.
  private func edit(
    _ words: [String]? = nil, noColor: String? = nil
  ) throws -> (terminal: PseudoTerminal, before: String) {
    let before = try PseudoTerminal(["cat"]).settings
    let terminal = try PseudoTerminal(words ?? [worker], environment: ["NO_COLOR": noColor])
    try terminal.wait { $0.text.contains("a line editor") && $0.isCaretVisible && $0.column == 2 }
    return (terminal, before)
  }

  @Test func `typed text is shown and keys act`() throws {
    let (terminal, before) = try edit()
    #expect(terminal.settings != before)
    #expect(terminal.screen.bracketsPastes)
    try terminal.send("hello 東京é")
    try terminal.wait { $0.text.contains("> hello 東京é") }
    #expect(terminal.screen.column == 13)
    #expect(terminal.screen.rows[terminal.screen.row].cells[0].look == [32])
    try terminal.send("\u{7F}\u{7F}")
    try terminal.wait { $0.rows[$0.row].text == "> hello 東" }
    try terminal.send("\r")
    try terminal.wait { $0.text.contains("said hello 東\na line editor\n>") }
    try terminal.send("\u{1B}[1;5A")
    try terminal.wait { $0.text.contains("up 4") }
    try terminal.send("\u{1B}")
    try terminal.wait { $0.text.contains("escape 0") }
    try terminal.send("\u{04}")
    try #expect(terminal.finish() == .exit(0))
    #expect(terminal.screen.text.contains("escape 0\nleft\n"))
    #expect(!terminal.screen.text.contains("a line editor"))
    #expect(terminal.settings == before)
    #expect(!terminal.screen.bracketsPastes)
  }

  @Test(arguments: [(nil, [32]), ("", [32]), ("1", [])] as [(String?, [Int])])
  func `colors follow the environment`(noColor: String?, look: [Int]) throws {
    let (terminal, _) = try edit(noColor: noColor)
    #expect(terminal.screen.rows[terminal.screen.row].cells[0].look == look)
    #expect(terminal.screen.rows[terminal.screen.row - 1].cells[0].look == [7])
  }

  @Test func `a huge paste arrives whole`() throws {
    let (terminal, _) = try edit()
    let content = String(repeating: "line\rwith \u{03} é\t", count: 20_000)
    try terminal.send("\u{1B}[200~\(content)\u{1B}[201~")
    try terminal.wait { $0.text.contains("pasted \(content.unicodeScalars.count) line␍with ␃ é␉line␍w") }
  }

  @Test func `a resized window is repainted`() throws {
    let (terminal, _) = try edit()
    try terminal.send("abcdefghijklmnopqrstuvwxyz")
    try terminal.wait { $0.text.contains("xyz") }
    terminal.resize(columns: 16, rows: 8)
    try terminal.wait { $0.text.contains("resized 16 8\na line editor\n> abcdefghijklmn\nopqrstuvwxyz") }
    #expect(terminal.screen.column == 12)
  }

  @Test func `another task and an alarm wake the program`() throws {
    let (terminal, _) = try edit()
    try terminal.send("\u{17}")
    try terminal.wait { $0.text.contains("woken\na line editor") }
    try terminal.send("\u{14}")
    try terminal.wait { $0.text.contains("woken\nwoken\na line editor") }
  }

  @Test(arguments: [SIGTERM, SIGINT, SIGHUP, SIGQUIT]) func `a signal ends the program and restores the terminal`(
    signal: CInt
  ) throws {
    let (terminal, before) = try edit()
    #expect(terminal.settings != before)
    terminal.signal(signal)
    try #expect(terminal.finish() == .signal(signal))
    #expect(terminal.settings == before)
    #expect(!terminal.screen.bracketsPastes)
    #expect(terminal.screen.isCaretVisible && terminal.screen.column == 0)
  }

  @Test func `an exit without leaving raw mode restores the terminal`() throws {
    let (terminal, before) = try edit()
    try terminal.send("\u{18}")
    try #expect(terminal.finish() == .exit(3))
    #expect(terminal.settings == before)
  }

  @Test func `a crash restores the terminal`() throws {
    let (terminal, before) = try edit()
    try terminal.send("\u{03}")
    guard case .signal = try terminal.finish() else {
      Issue.record("it did not crash")
      return
    }
    #expect(terminal.settings == before)
  }

  @Test func `a program outside a terminal reports an error`() throws {
    let child = try Child([worker])
    #expect(try child.line() == "Descriptor 0 is not a terminal: start the program in one.")
    #expect(child.wait() == .exit(2))
  }

  @Test func `only SIGKILL leaves the terminal raw`() throws {
    let (terminal, before) = try edit()
    terminal.signal(SIGKILL)
    try #expect(terminal.finish() == .signal(SIGKILL))
    #expect(terminal.settings != before)
  }

  /// The way in which a program is stopped.
  enum Stop: CaseIterable { case byItself, byTSTP, bySTOP }

  @Test(arguments: Stop.allCases) func `a stopped program leaves the terminal to the shell`(how: Stop) throws {
    let script = "set -m; \(worker); echo stopped; read _; fg >/dev/null; echo over"
    let (terminal, before) = try edit(["sh", "-c", script])
    try terminal.send("draft")
    try terminal.wait { $0.text.contains("> draft") }
    switch how {
    case .byItself: try terminal.send("\u{1A}")
    case .byTSTP: terminal.signalForeground(SIGTSTP)
    case .bySTOP: terminal.signalForeground(SIGSTOP)
    }
    try terminal.wait { $0.text.contains("stopped\n") }
    if how != .bySTOP { #expect(terminal.settings == before) }
    try terminal.send("\n")
    try terminal.wait { $0.text.contains("resumed\na line editor\n> draft") }
    #expect(terminal.settings != before)
    try terminal.send("\u{04}")
    try #expect(terminal.finish() == .exit(0))
    #expect(terminal.screen.text.contains("left\nover"))
    #expect(terminal.settings == before)
  }
}
