// The script of a worker that can be killed at any moment: submits determined by their numbers.
import ChildProcess
import Locks
import SeededRandom
package import Verbatim

/// Submits determined by their numbers, so that the test that started the worker knows each.
package struct Script: Sendable {
  /// The device on which the script types.
  package let device: Device.ID

  /// Creates a script that types on a device.
  package init(device: String) { self.device = ID(stringLiteral: device) }

  /// The composer in which the script types.
  package var composer: Composer.Key { Composer.Key(of: Worker.user(0), on: device, in: Worker.meeting) }

  /// Returns the messages that the submit with a number sends, atomically.
  package func messages(_ number: Int) -> [Message.Key] {
    (0...number % 3).map { Message.Key(Worker.meeting, ID(stringLiteral: "n\(number)-\($0)")) }
  }

  /// Returns the submit with a number.
  package func submission(_ number: Int) -> Submission {
    var intents = messages(number).map { ChatIntent.message($0, .send(Message.Content("number \(number)"))) }
    // Half of the submits also change many rows, instead of only adding some.
    if number % 2 == 0 {
      let last = Message.Key(Worker.meeting, ID(stringLiteral: "n\(number)-0"))
      intents.append(.message(last, .edit(Message.Edits(text: "number \(number), edited"))))
      intents.append(.reaction(Reaction.Key(to: last, by: Worker.user(0)), .add("like", score: 1)))
      intents.append(.member(Member.Key(Worker.meeting, Worker.user(0)), .read(through: last.id)))
    }
    return Submission(intents, by: .user(Worker.user(0)), id: id(number))
  }

  /// Returns the number of events that the submit produces.
  package func eventCount(_ number: Int) -> Int { messages(number).count + (number % 2 == 0 ? 3 : 0) }

  /// Returns the id of the submit with a number.
  package func id(_ number: Int) -> AppendID { AppendID(high: 7, low: UInt64(number)) }
}

extension Worker {
  /// Submits consecutive numbers by several tasks, and types before each; prints each result, and how much had been
  /// typed before it; until it is killed.
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

/// Types character after character, and counts the submits of all tasks.
private final class Typist: Sendable {
  private let composer: OpenComposer
  private let counts: Locked<(number: Int, typed: Int)>

  init(_ composer: OpenComposer, from first: Int) {
    self.composer = composer
    counts = Locked((number: first, typed: 0))
  }

  /// Types more characters; returns the number of the next submit, and the number of characters typed.
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
