// Threat: blocks of an import are lost or changed between the check of the lines and the log.
import EventLog
import Testing

@testable import VerbatimCommand

struct `Blocks kept until all lines are checked` {
  @Test(arguments: [0, 1, 40, 4000])
  func `are read as they were added`(count: Int) throws {
    let genesis = Genesis.new()
    // No file can be created there, so that it is in the directory for temporary files.
    var spool = try BlockSpool(beside: "/no/such/directory/copy")
    var given = CopiedBlock()
    var heads = [Head(of: genesis)]
    for number in 0..<count {
      given.removeAll()
      let event = ProposedEvent(
        stream: "s", type: "t", payload: [UInt8](repeating: UInt8(number & 0xFF), count: number % 1500))
      given.add(
        Append([event]), AppendID(high: 0, low: UInt64(number)), versions: [StreamVersion(rawValue: UInt64(number + 1))]
      )
      heads.append(
        try given.withBlock(after: heads[number], at: genesis.created) { block in
          try spool.add(block)
          return block.head
        })
    }
    var read: [Head] = []
    try spool.forEachBlock(after: heads[0]) { block, before throws(Failure) in
      #expect(before == heads[read.count])
      read.append(block.head)
    }
    #expect(read == Array(heads.dropFirst()))
  }

  @Test func `are not read as those of another chain`() throws {
    let genesis = Genesis.new()
    var spool = try BlockSpool(beside: "/no/such/directory/copy")
    var given = CopiedBlock()
    given.add(
      Append([ProposedEvent(stream: "s", type: "t", payload: [])]), AppendID(high: 0, low: 1),
      versions: [StreamVersion(rawValue: 1)])
    try given.withBlock(after: Head(of: genesis), at: genesis.created) { block in try spool.add(block) }
    let failure = #expect(throws: Failure.self) {
      try spool.forEachBlock(after: Head(of: .new())) { _, _ in Issue.record("a block of another chain is read") }
    }
    #expect(failure?.message?.contains("its content has changed") == true)
  }
}
