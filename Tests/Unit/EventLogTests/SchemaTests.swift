// The shipped schema, checked by decoding stored blocks with protoc.
import ChildProcess
import EventLog
import Foundation
import Testing

@Suite struct SchemaTests {
  @Test func `protoc reads every field of a block with the shipped schema`() throws {
    let store = EventStore.inMemory()
    _ = try store.appendBlocking([ProposedEvent(stream: "first", type: "begun", payload: [])])
    let full = ProposedEvent(
      stream: "second", type: "said", payload: Array("hello".utf8), actor: "who", device: "where", cause: .first)
    _ = try store.appendBlocking(Append([full, full], correlation: "why", proposal: ProposalHash(rawValue: 258)))
    var bodies: [[UInt8]] = []
    try store.log.blocks(from: .first, .forward, checks: .full) { block in
      bodies.append(block.bytes.withUnsafeBytes { Array($0.dropFirst(8).dropLast(36)) })
      return .next
    }
    let single = try decode(bodies[0])
    #expect(single.contains("streams: \"first\"") && single.contains("types: \"begun\""))
    #expect(single.contains("append_ids: ") && single.contains("ordinal: 1") && !single.contains("offsets"))
    let double = try decode(bodies[1])
    for field in [
      "ordinal: 2", "first: 2", "further: 1", "streams: \"second\"", "names: \"why\"", "names: \"who\"",
      "names: \"where\"", "append_further: 1", "correlations: 1", "version: 1", "version: 2", "actor: 2", "device: 3",
      "cause: 1", "proposal: 258", "payload: \"hello\"", "offsets: ", "directory: ",
    ] {
      #expect(double.contains(field), "\(field) in \(double)")
    }
    // protoc prints a field that the schema does not have by its number.
    #expect(!(single + double).split(separator: "\n").contains { $0.drop { $0 == " " }.first?.isNumber ?? false })
  }

  /// Returns a block's body in the text form of protoc; Tools/setup installs protoc.
  private func decode(_ body: [UInt8]) throws -> String {
    let sources = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Sources/Storage/EventLog")
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["protoc", "--decode", "verbatim.log.Block", "-I", sources.path, "block.proto"]
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    input.fileHandleForWriting.write(Data(body))
    try input.fileHandleForWriting.close()
    let text = try process.output(through: output, of: "protoc")
    #expect(process.terminationStatus == 0, "protoc failed: run Tools/setup --checks")
    return text
  }
}
