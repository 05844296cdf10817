// The program of the documentation, which draws an app's own messages, is the one that runs here, and prints what it
// says there.
import ChatMessageList
import ChatRendering
import TerminalRendering
import Foundation
import Testing

// example
struct Note: MessageType {
  var messageID: String
  var timestamp: Date
  var kind: MessageKind
  var alignment: MessageAlignment

  init(_ id: String, at minute: Double, _ alignment: MessageAlignment, _ kind: MessageKind) {
    (messageID, timestamp) = (id, Date(timeIntervalSince1970: minute * 60))
    (self.kind, self.alignment) = (kind, alignment)
  }

  static func == (a: Note, b: Note) -> Bool { a.messageID == b.messageID }
}

struct Greeting: CustomItem {
  let id: String
  let data: Any?
}

func printedChat() -> String {
  let notes = [
    Note("1", at: 0, .left, .text(TextItem("Are you coming to the lake tomorrow?"))),
    Note("2", at: 1, .right, .text(TextItem("Yes!"))),
    Note("3", at: 2, .left, .custom(Greeting(id: "custom1", data: "Ann"))),
    Note("4", at: 3, .right, .custom(Greeting(id: "custom2", data: "Bo"))),
    Note("5", at: 4, .left, .system("Ann left")),
  ]
  let view = MessagesView(notes, inputBar: BasicInputBar(), drawing: TerminalText.self)
    .messageHeader { note in
      if note.alignment == .left { TerminalText("Ann", .bold) }
    }
    .customRenderer(forTypeWithID: "custom1") { note, _ in
      if case .custom(let item) = note.kind { TerminalText("Custom 1: Hi, \(item.data as? String ?? "unknown")") }
    }
    .customRenderer(forTypeWithID: "custom2") { note, info in
      if case .custom(let item) = note.kind {
        TerminalText("Custom 2: Bye, \(item.data as? String ?? "unknown")")
          .placed(on: note.alignment == .right ? .trailing : .leading, width: info.suggestedWidth)
      }
    }
  return PlainTextFactory(columns: 40).draw(MessageList(view)).text(hasColors: false)
}
// end

@Suite struct `The program of the documentation` {
  private let tests = URL(filePath: #filePath)

  private func blocks() throws -> [String] {
    let path = tests.deletingLastPathComponent()
      .appending(path: "../../../../Sources/App/TerminalRendering/TerminalRendering.docc/AListOfAnAppsOwnMessages.md")
    let page = try String(contentsOf: path, encoding: .utf8)
    return page.components(separatedBy: "```").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
  }

  @Test func `is the one that is run`() throws {
    let source = try String(contentsOf: tests, encoding: .utf8)
    let run = source.components(separatedBy: "// example\n")[1].components(separatedBy: "// end\n")[0]
    #expect(try blocks()[0] == "swift\n" + run)
    #expect(run.split(separator: "\n", omittingEmptySubsequences: true).count <= 40)
  }

  @Test func `prints what it says`() throws {
    #expect(try blocks()[1] == "text\n" + printedChat() + "\n")
  }
}
