// Reads lines that arrive in parts or late, lack a line end, or are too long.
import Foundation
import Testing

@testable import VerbatimCommand

struct Lines {
  private let pipe = Pipe()
  private var writer: FileHandle { pipe.fileHandleForWriting }

  private func reader() -> LineReader { LineReader(pipe.fileHandleForReading.fileDescriptor) }

  private func send(_ text: String) { writer.write(Data(text.utf8)) }

  @Test func `a line is returned once its line end has arrived`() throws {
    var reader = reader()
    #expect(try reader.next(waits: false) == .nothingYet)
    send("on")
    #expect(try reader.next(waits: false) == .nothingYet)
    send("e\n\ntwo")
    #expect(try reader.next(waits: false) == .line(Array("one".utf8)))
    #expect(try reader.next(waits: true) == .line([]))
    #expect(reader.number == 2)
    #expect(try reader.next(waits: false) == .nothingYet)
    try writer.close()
    #expect(try reader.next(waits: false) == .line(Array("two".utf8)))
    #expect(reader.number == 3)
    #expect(try reader.next(waits: true) == .end)
    #expect(try reader.next(waits: true) == .end)
  }

  @Test func `empty input has no lines`() throws {
    var reader = reader()
    try writer.close()
    #expect(try reader.next(waits: true) == .end)
    #expect(reader.number == 0)
  }

  @Test func `a line longer than the maximum throws`() throws {
    let longest = String(repeating: "x", count: 100_000)
    let folder = Folder()
    _ = FileManager.default.createFile(
      atPath: folder("in"), contents: Data("a\n\(longest)\n\(longest)y\nb\n".utf8))
    let file = try #require(FileHandle(forReadingAtPath: folder("in")))
    var reader = LineReader(file.fileDescriptor, byteCountMax: longest.utf8.count)
    #expect(try reader.next(waits: true) == .line([UInt8(ascii: "a")]))
    #expect(try reader.next(waits: true) == .line(Array(longest.utf8)))
    #expect { try reader.next(waits: true) } throws: { error in
      let failure = error as? Failure
      return failure?.code == .misused && failure?.message?.hasPrefix("Line 3 has more than 100000 bytes") == true
    }
  }

  @Test func `an endless line is not buffered`() throws {
    let folder = Folder()
    _ = FileManager.default.createFile(
      atPath: folder("in"), contents: Data(repeating: UInt8(ascii: "x"), count: 300_000))
    let file = try #require(FileHandle(forReadingAtPath: folder("in")))
    var reader = LineReader(file.fileDescriptor, byteCountMax: 1000)
    #expect(throws: Failure.self) { try reader.next(waits: true) }
    #expect(try file.offset() < 100_000)
  }

  @Test func `an unreadable descriptor throws`() {
    var reader = LineReader(-1)
    #expect { try reader.next(waits: true) } throws: { ($0 as? Failure)?.code == .unable }
  }
}
