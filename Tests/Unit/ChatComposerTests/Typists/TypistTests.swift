// Tests with random typists: a composer equals a simple reference, and records exactly its changes.
import Foundation
import SeededRandom
import Testing

struct Typists {
  @Test(arguments: Script.allCases)
  func `composer and reference agree, whatever is typed, undone and picked`(script: Script) throws {
    let isLong = ProcessInfo.processInfo.environment["VERBATIM_LONG_TESTS"] != nil
    let random = SeededRandom.printingSeed("typing \(script.rawValue)")
    try type(isLong ? 100_000 : 5000, random, script)
  }

  @Test(arguments: Script.allCases)
  func `composer and reference agree for a fixed seed`(script: Script) throws {
    try type(500, SeededRandom(seed: 1), script)
  }

  private func type(_ actions: Int, _ random: SeededRandom, _ script: Script) throws {
    var typist = try Typist(random, script)
    for action in 0..<actions {
      // Some runs continue until old undo steps are dropped, others are short.
      if typist.random.below(400) == 0 { typist.startOver() }
      guard let complaint = typist.step() else { continue }
      Issue.record("seed \(random.seed), action \(action): \(complaint)\n\(typist.recent.joined(separator: "\n"))")
      return
    }
  }
}

extension Script: CustomTestStringConvertible {
  var testDescription: String { rawValue }
}
