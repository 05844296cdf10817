// What a worker does that may be killed at any moment: each submit is told by its number.
import ChildProcess
import Locks
import SeededRandom
package import Verbatim

/// Submits that their numbers decide, so that whoever started the worker knows each.
package struct Script: Sendable {
  /// On which device it types.
  package let device: Device.ID

  /// A script whose typing is done on a device.
  package init(device: String) { self.device = ID(stringLiteral: device) }

  /// Where it types.
  package var composer: Composer.Key { Composer.Key(of: Worker.user(0), on: device, in: Worker.meeting) }

  /// The messages that the submit with a number sends, together or not at all.
  package func messages(_ number: Int) -> [Message.Key] {
    (0...number % 3).map { Message.Key(Worker.meeting, ID(stringLiteral: "n\(number)-\($0)")) }
  }

  /// The submit with a number.
  package func submission(_ number: Int) -> Submission {
    var intents = messages(number).map { ChatIntent.message($0, .send(Message.Content("number \(number)"))) }
    // With what changes many rows, not only adds some.
    if number % 2 == 0 {
      let last = Message.Key(Worker.meeting, ID(stringLiteral: "n\(number)-0"))
      intents.append(.message(last, .edit(Message.Edits(text: "number \(number), edited"))))
      intents.append(.reaction(Reaction.Key(to: last, by: Worker.user(0)), .add("like", score: 1)))
      intents.append(.member(Member.Key(Worker.meeting, Worker.user(0)), .read(through: last.id)))
    }
    return Submission(intents, by: .user(Worker.user(0)), id: id(number))
  }

  /// How many events it comes to.
  package func eventCount(_ number: Int) -> Int { messages(number).count + (number % 2 == 0 ? 3 : 0) }

  /// What the submit with a number is called.
  package func id(_ number: Int) -> AppendID { AppendID(high: 7, low: UInt64(number)) }
}

extension Worker {
  /// Submits one number after the other by several tasks, and types before each; says what was answered, and how much
  /// had been typed before; until it is killed.
  static func goOn(_ workspace: Workspace, _ script: Script, from first: Int, tasks: Int) async throws {
    let typist = Typist(try await workspace.openComposer(script.composer), from: first)
    say("ready")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<tasks {
        group.addTask {
          var random = SeededRandom(seed: UInt64(first * 100 + task))
          while true {
            let (number, typed) = try typist.next(typing: random.below(4))
            let receipt = try await workspace.submit(script.submission(number)).receipt!
            say("did \(number) \(receipt.positions.lowerBound) \(receipt.positions.upperBound) \(typed)")
          }
        }
      }
      try await group.waitForAll()
    }
  }
}

/// Types letter after letter, and counts the submits, whichever task makes them.
private final class Typist: Sendable {
  private let composer: OpenComposer
  private let counts: Locked<(number: Int, typed: Int)>

  init(_ composer: OpenComposer, from first: Int) {
    self.composer = composer
    counts = Locked((number: first, typed: 0))
  }

  /// Types some more letters; answers the number of the next submit, and how many letters have been typed.
  func next(typing more: Int) throws -> (number: Int, typed: Int) {
    try counts.withLock { counts in
      for _ in 0..<more {
        try composer.record([typing(after: counts.typed)])
        counts.typed += 1
      }
      defer { counts.number += 1 }
      return counts
    }
  }
}
