// Turns lines of input into appends.
internal import JSONLines
internal import EventLog

/// The appends read from a descriptor, in the order of the lines.
struct AppendSource {
  /// The format of the lines.
  enum Form {
    /// Each line is an append.
    case proposed
    /// Each line is a recorded event; consecutive lines with the same append id form one append.
    case recorded
  }

  /// Consecutive appends, and the reason why the run ended.
  struct Run {
    var appends: [NumberedAppend] = []
    var ending = Ending.more
  }

  /// The reason why a run ended.
  enum Ending {
    /// More input may follow.
    case more
    /// The input has ended.
    case end
    /// The next line cannot be parsed.
    case failed(Failure)
  }

  /// The maximum number of appends in a run, and of bytes.
  static let appendsMax = 4096
  static let byteCountMax = 4 << 20

  private let form: Form
  private var lines: LineReader
  /// A recorded append to which the next line may belong.
  private var open: NumberedAppend?

  init(_ descriptor: Int32, _ form: Form) {
    self.form = form
    lines = LineReader(descriptor)
  }

  /// Returns the appends available without blocking, up to the maximum; with `waits`, at least one.
  mutating func run(waits: Bool) -> Run {
    var run = Run()
    var byteCount = 0
    do throws(Failure) {
      while run.appends.count < Self.appendsMax, byteCount < Self.byteCountMax {
        switch try lines.next(waits: waits && run.appends.isEmpty) {
        case .nothingYet: return run
        case .end:
          if let open = take() { run.appends.append(open) }
          run.ending = .end
          return run
        case .line(let line):
          byteCount += line.count
          if isBlank(line) { continue }
          if let append = try add(line) { run.appends.append(append) }
        }
      }
    } catch {
      run.ending = .failed(error)
    }
    return run
  }

  /// Parses a line; returns the append that is now known to be complete.
  private mutating func add(_ line: [UInt8]) throws(Failure) -> NumberedAppend? {
    let number = lines.number
    do throws(InputDefect) {
      switch form {
      case .proposed: return NumberedAppend(append: try Append(line: line), lines: number...number)
      case .recorded: return try join(try Append(recordedLine: line), number)
      }
    } catch {
      throw Failure(.misused, error.description).saying(before: "Line \(number): ")
    }
  }

  private mutating func join(_ append: Append, _ number: Int) throws(InputDefect) -> NumberedAppend? {
    guard open?.append.id == append.id, var joined = open else {
      let whole = take()
      open = NumberedAppend(append: append, lines: number...number)
      return whole
    }
    guard joined.append.correlation == append.correlation else {
      throw InputDefect("The line has another correlation than the line before it, of the same append.")
    }
    joined.append.events += append.events
    joined.lines = joined.lines.lowerBound...number
    // The only reference must be the growing one, or a long append would be copied for each line.
    open = joined
    return nil
  }

  private mutating func take() -> NumberedAppend? {
    defer { open = nil }
    return open
  }

  private func isBlank(_ line: [UInt8]) -> Bool { line.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D } }
}

extension AppendSource {
  /// Reads all lines up to the end of input as one append.
  mutating func joined() throws(Failure) -> NumberedAppend {
    var whole = NumberedAppend(append: Append([]), lines: 1...1)
    while true {
      let run = run(waits: true)
      for part in run.appends { try whole.add(part) }
      switch run.ending {
      case .more: continue
      case .failed(let failure): throw failure
      case .end:
        guard whole.append.events.isEmpty else { return whole }
        throw Failure(.misused, "The input has no event: write one JSON object to a line.")
      }
    }
  }
}

extension NumberedAppend {
  fileprivate mutating func add(_ part: NumberedAppend) throws(Failure) {
    append.events += part.append.events
    append.expectations += part.append.expectations
    lines = lines.lowerBound...part.lines.upperBound
    append.id = try oneOf(append.id, part.append.id, "id", part.lines)
    append.correlation = try oneOf(append.correlation, part.append.correlation, "correlation", part.lines)
  }

  private func oneOf<Value: Equatable>(
    _ first: Value?, _ second: Value?, _ key: String, _ lines: ClosedRange<Int>
  ) throws(Failure) -> Value? {
    if let first, let second, first != second {
      throw Failure(
        .misused,
        "Line \(lines.upperBound): “\(key)” differs from that of an earlier line, "
          + "and all lines are one append: leave one out.")
    }
    return first ?? second
  }
}
