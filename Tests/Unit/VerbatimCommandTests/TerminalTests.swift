// Threat: on a terminal, rows wrap because they are too wide, or have unwanted colors.
import Foundation
import PseudoTerminal
import Testing
import TestThreads
import Verbatim

@testable import VerbatimCommand

@Suite(.waitsForProcesses, .enabled(if: program != nil, "the program was not built"), .serialized)
struct `Output on a terminal` {
  private let folder = Folder()

  /// Returns the terminal after a command has ended.
  private func terminal(
    _ arguments: String..., columns: Int = 60, colors: Bool = true
  ) throws -> PseudoTerminal {
    let terminal = try PseudoTerminal(
      [try #require(program)] + arguments, columns: columns, rows: 40, environment: ["NO_COLOR": colors ? nil : "1"])
    try #expect(terminal.finish() == .exit(0))
    return terminal
  }

  @Test func `output fits the columns of the terminal, and has colors unless disabled`() async throws {
    let chat = try await Drafts(in: folder)
    try await chat.ben.channel("general").send(
      "A long word " + String(repeating: "x", count: 99))
    await chat.close()
    let shown = try terminal("query", "messages", chat.path, "general", "--as", "ada").screen
    #expect(shown.looks(of: "message") == Array(repeating: [2], count: 7) && shown.looks(of: "Ben") == [[1], [1], [1]])
    #expect(shown.text.contains("  A long word x") && shown.text.contains("x…"))
    let events = try terminal("events", chat.path).screen
    #expect(events.looks(of: "userCreated") == Array(repeating: [36], count: 11))
    #expect(events.looks(of: "“Ada”").first == [])
    let rows = events.transcript.filter { $0.text.contains("  00:00:00  ") }
    #expect(rows.count == 9 && rows.allSatisfy { $0.text.first?.isNumber == true })
    let status = try terminal("status", chat.path).screen
    #expect(status.looks(of: "users") == Array(repeating: [2], count: 5))
    #expect(status.text.contains("The checks found no problem"))
    let plain = try terminal(
      "query", "messages", chat.path, "general", "--as", "ada", colors: false
    ).screen
    #expect(plain.text == shown.text && plain.looks(of: "message") == Array(repeating: [], count: 7))
  }
}
