// Submits a verb or lines of input, and writes a receipt for each.
internal import Chat
internal import EventLog
internal import JSONLines
internal import Scenarios
internal import Verbatim

/// The submitting of one command.
struct SubmitSession {
  /// The maximum number of lines that are submitted together.
  private static let linesMax = 512

  private let workspace: Workspace
  private let author: Author
  private var output: Output
  private var writer = JSONWriter()
  private var acceptedCount = 0
  private var failureCount = 0
  /// The first failure.
  private var failure: Failure?

  init(_ workspace: Workspace, _ author: Author, _ output: Output) {
    (self.workspace, self.author, self.output) = (workspace, author, output)
  }

  // MARK: A verb

  /// Submits the intents of a verb, once for each id.
  mutating func submit(_ verb: VerbWords, id: AppendID?) throws(Failure) -> ExitCode {
    let (workspace, messages) = (workspace, MessageIDs(id, in: workspace))
    let now = id == nil ? workspace.now : nil
    let client = author.user.map { workspace.client(user: $0) }
    let intents = try waited { () async throws(Failure) in
      do { return try await verb.intents(of: client, in: workspace, now: now, newMessage: messages.next) } catch {
        throw Failure(preparing: error)
      }
    }
    var entry = SubmitEntry(line: nil)
    entry.submission = Submission(intents, by: author, id: id)
    try write([entry])
    if let failure { throw failure }
    return .done
  }

  // MARK: Lines

  /// Submits line after line, as they arrive.
  mutating func submitLines(of lines: LineReader, keepsGoing: Bool) throws(Failure) -> ExitCode {
    var lines = lines
    while failure == nil || keepsGoing {
      var entries: [SubmitEntry] = []
      let ending = read(&lines, into: &entries, atMost: keepsGoing ? Self.linesMax : 1)
      try write(entries)
      if let ending { return try end(ending, keepsGoing) }
    }
    return try end(.end, keepsGoing)
  }

  /// The reason why no more lines are read.
  private enum Ending {
    case end
    case failed(Failure)
  }

  /// Reads the lines available without blocking, at least one; returns the reason if no line follows.
  private func read(_ lines: inout LineReader, into entries: inout [SubmitEntry], atMost count: Int) -> Ending? {
    do throws(Failure) {
      while entries.count < count {
        switch try lines.next(waits: entries.isEmpty) {
        case .nothingYet: return nil
        case .end: return .end
        case .line(let line):
          if line.isBlank { continue }
          entries.append(entry(line, number: lines.number))
        }
      }
      return nil
    } catch {
      return .failed(error)
    }
  }

  private func entry(_ line: [UInt8], number: Int) -> SubmitEntry {
    var entry = SubmitEntry(line: number)
    do throws(InputDefect) {
      entry.submission = try Submission(line: line, by: author, in: workspace)
    } catch {
      entry.defect = error
    }
    return entry
  }

  private func end(_ ending: Ending, _ keepsGoing: Bool) throws(Failure) -> ExitCode {
    if case .failed(let failure) = ending { throw failure.saying(after: " " + whatStays) }
    guard let failure else { return .done }
    guard keepsGoing else { throw failure.saying(after: " " + whatStays) }
    throw Failure(
      failure.code, "\(failureCount) of \(failureCount + acceptedCount) lines were not accepted: see their receipts.")
  }

  private var whatStays: String {
    if acceptedCount == 0 { return "No line before it was accepted." }
    return "\(counted(acceptedCount, "line")) before it stay\(acceptedCount == 1 ? "s" : "") recorded."
  }

  // MARK: Receipts

  /// Submits the valid entries, and writes the receipts of all in their order.
  private mutating func write(_ entries: [SubmitEntry]) throws(Failure) {
    var outcomes = workspace.submit(each: entries.compactMap(\.submission))[...]
    writer.removeAll()
    for entry in entries {
      if entry.submission == nil {
        fail(entry, Failure(.misused, entry.defect?.description), SubmitFailure(entry.defect))
        continue
      }
      guard let outcome = outcomes.popFirst() else { preconditionFailure("an outcome is missing") }
      switch outcome {
      case .success(let submitted):
        acceptedCount += 1
        writer.receipt(submitted, of: entry)
      case .failure(let error): fail(entry, Failure(error), SubmitFailure(error))
      }
    }
    do throws(Failure) {
      try output.write(writer.bytes)
      try output.flush()
    } catch {
      // Unlike a reader, a writer must learn that its caller has no receipts.
      let accepted = " The \(counted(acceptedCount, "accepted submission")) of this run stay recorded."
      throw Failure(.unable, (error.message ?? "The output was closed.") + accepted)
    }
  }

  private mutating func fail(_ entry: SubmitEntry, _ failure: Failure, _ cause: SubmitFailure) {
    failureCount += 1
    self.failure = self.failure ?? entry.line.map { failure.saying(before: "Line \($0): ") } ?? failure
    writer.failure(cause, of: entry)
  }
}

/// A line or a verb with its submission.
struct SubmitEntry {
  /// The number of the line; nil for a verb.
  let line: Int?
  /// The submission; nil for an invalid line.
  var submission: Submission?
  /// The defect of an invalid line.
  var defect: InputDefect?
}

extension Failure {
  /// Creates the failure of a verb without intents: its words are wrong, or what it needs cannot be read.
  fileprivate init(preparing error: any Error) {
    switch error {
    case let error as ReadError: self.init(error)
    case let error as InputDefect: self.init(.misused, error.description)
    default: self.init(.unable, "\(error)")
    }
  }
}

extension [UInt8] {
  /// Whether the line has nothing but white space.
  fileprivate var isBlank: Bool { allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D } }
}
