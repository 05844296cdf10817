// Random typists: a composer holds what one that is easy to believe holds, and records exactly that.
import Foundation
import SeededRandom
import Testing

struct Typists {
  @Test(arguments: Script.allCases)
  func `are understood, whatever they type, take back and pick`(script: Script) throws {
    let isLong = ProcessInfo.processInfo.environment["VERBATIM_LONG_TESTS"] != nil
    let random = SeededRandom.printingSeed("typing \(script.rawValue)")
    try type(isLong ? 100_000 : 5000, random, script)
  }

  @Test(arguments: Script.allCases)
  func `are understood in the same way every time`(script: Script) throws {
    try type(500, SeededRandom(seed: 1), script)
  }

  private func type(_ actions: Int, _ random: SeededRandom, _ script: Script) throws {
    var typist = try Typist(random, script)
    for action in 0..<actions {
      // What was undone long ago is kept in some, and others are short.
      if typist.random.below(400) == 0 { typist.startOver() }
      guard let complaint = typist.step() else { continue }
      Issue.record("seed \(random.seed), action \(action): \(complaint)\n\(typist.recent.joined(separator: "\n"))")
      return
    }
  }
}
