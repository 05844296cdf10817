// Processes that submit, read and follow one workspace, and their reports.
import ChildProcess
import SeededRandom
import Testing
import Verbatim

/// Worker processes of one workspace, with a common time limit.
final class Crowd {
  private let submitters: [Child]
  private let readers: [Child]
  private let deadline = ContinuousClock.now + .seconds(Choice.isLong ? 900 : Deadline.seconds)

  init(in folder: WorkspaceFolder, submitters: Int, readers: Int, count: Int, _ random: inout SeededRandom) throws {
    self.submitters = try (0..<submitters).map { number in
      try folder.startWorker("submit", "\(number)", "\(random.next())", "\(count)")
    }
    self.readers = try (0..<readers).map { _ in try folder.startWorker("read") }
    for child in self.submitters + self.readers { try expect("ready", of: child) }
  }

  /// Starts all submitters, and waits until they are done.
  func submitAll() throws {
    for child in submitters { child.send() }
    for child in submitters { try expect("done", of: child) }
  }

  /// Lets the readers end once they see a position.
  func letReadersEnd(at position: Position) throws {
    for child in readers {
      child.send("\(position)")
      try expect("noted", of: child)
    }
  }

  /// Returns the reports of all workers, which end.
  func gather() throws -> Found {
    for child in readers { try expect("done", of: child) }
    var found = Found()
    for child in submitters + readers {
      child.send()
      while let line = try child.line(within: remaining) { found.take(line) }
      #expect(child.wait() == .exit(0))
    }
    return found
  }

  private var remaining: Int { max(1, Int(ContinuousClock.now.duration(to: deadline).components.seconds)) }

  private func expect(_ word: String, of child: Child) throws {
    let line = try child.line(within: remaining)
    guard line == word else { throw Child.Failure.other(line ?? "nothing", instead: word) }
  }
}

/// The reports of workers.
struct Found {
  /// The outcome of a submit.
  struct Receipt: Hashable {
    let id: AppendID
    let first: UInt64
    let last: UInt64
  }

  /// The result of a read.
  struct Answer {
    let position: Position
    let rows: String
    let pages: String
  }

  var receipts: [Receipt] = []
  var refusals = 0
  /// The number of no-ops.
  var vain = 0
  var typed: [String] = []
  var answers: [Answer] = []
  var followed: [String] = []
  var digests: [String] = []
  var errors: [String] = []

  mutating func take(_ line: String) {
    let words = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    switch words[0] {
    case "receipt": if let receipt = Receipt(words[1]) { receipts.append(receipt) } else { errors.append(line) }
    case "refused": refusals += 1
    case "nothing": vain += 1
    case "typed": typed.append(words[1])
    case "followed": followed.append(words[1])
    case "digests": digests.append(words[1])
    default: if let answer = Answer(line) { answers.append(answer) } else { errors.append(line) }
    }
  }
}

extension Found.Receipt {
  init(_ receipt: Receipt) {
    self.init(
      id: receipt.id, first: receipt.positions.lowerBound.rawValue, last: receipt.positions.upperBound.rawValue)
  }

  fileprivate init?(_ text: String) {
    let words = text.split(separator: " ").map(String.init)
    guard words.count == 3, let id = AppendID(words[0]), let first = UInt64(words[1]), let last = UInt64(words[2])
    else { return nil }
    self.init(id: id, first: first, last: last)
  }
}

extension Found.Answer {
  fileprivate init?(_ line: String) {
    let words = line.split(separator: "\t").map(String.init)
    guard words.count == 4, words[0] == "answer", let position = UInt64(words[1]) else { return nil }
    self.init(position: Position(rawValue: position), rows: words[2], pages: words[3])
  }
}
