// The options of the command line.

/// An error in the command line.
struct Usage: Error {
  let message: String
}

/// The end of a run: after a time, or after a number of events.
///
/// Without the second limit, the fastest contestant would write gigabytes, which slows down the disks of rented
/// machines for all later measurements.
struct RunLimit {
  let seconds: Double
  let events: Int

  /// Returns the events per second that a body appends up to the limit, one commit after the other.
  func rate(_ perCommit: Int, seed: UInt64, _ append: ([Draw]) throws -> Void) rethrows -> Double {
    var draws = Draws(seed: seed)
    let start = ContinuousClock.now
    var (events, elapsed) = (0, 0.0)
    repeat {
      try append(draws.next(perCommit))
      events += perCommit
      elapsed = secondsSince(start)
    } while elapsed < seconds && events < self.events
    return Double(events) / elapsed
  }
}

/// A subject of benchmarks.
enum Subject: String, CaseIterable {
  case log, codec, composer, drafts, fold, growth, list, pages, people, postgres, search, submit, projections
}

struct Options {
  var subject = Subject.log
  /// Whether all subjects are measured, for a page.
  var isAll = false
  /// The file of that page.
  var page = ".build/Benchmarks.md"
  /// The file into which growth is drawn.
  var plot: String?
  /// A file with the table of Tools/instructions.
  var instructions: String?
  var isJSON = false
  var isQuick = false
  var rounds = 5
  var seconds: Double?
  var only: Section?
  /// The only part of the projection benchmarks to run, with its prerequisites.
  var part: ViewsBench.Part?
  /// The only part of the submit benchmarks to run.
  var submitPart: SubmitBench.Part?
  var preload = 0
  private var askedEvents: Int?
  var directory = ".build/bench"

  static let usage = """
    bench all [--page FILE] [--rounds N] [--seconds S] [--quick] [--dir PATH]
    bench log [--json] [--rounds N] [--seconds S] [--quick] [--only NAME] [--preload N] [--dir PATH]
    bench codec [--json] [--rounds N] [--quick]
    bench composer [--json] [--rounds N] [--quick] [--dir PATH]
    bench drafts [--json] [--rounds N] [--quick] [--dir PATH]
    bench fold [--json] [--rounds N] [--quick] [--dir PATH]
    bench growth [--json] [--rounds N] [--quick] [--events N] [--plot FILE] [--dir PATH]
    bench list [--json] [--rounds N] [--quick]
    bench pages [--json] [--rounds N] [--quick] [--dir PATH]
    bench people [--json] [--rounds N] [--quick] [--dir PATH]
    bench postgres [--json] [--rounds N] [--seconds S] [--quick] [--preload N] [--dir PATH]
    bench search [--json] [--rounds N] [--quick] [--dir PATH]
    bench submit [--json] [--rounds N] [--seconds S] [--quick] [--only NAME] [--dir PATH]
    bench projections [--json] [--rounds N] [--seconds S] [--quick] [--only NAME] [--events N] [--dir PATH]

      --json        one JSON object with all figures instead of tables
      --rounds N    how often each contestant runs, in turn with the others (5)
      --seconds S   how long a writer runs, once (1); many short rounds see the disk in the same mood
      --quick       short runs and small logs: to see that it works, not how fast
      --only NAME   of the log: \(Section.allCases.map(\.rawValue).joined(separator: ", ")); of submits: \
    \(SubmitBench.Part.allCases.map(\.rawValue).joined(separator: ", ")); of projections: \
    \(ViewsBench.Part.allCases.map(\.rawValue).joined(separator: ", "))
      --page FILE   where to write the page with all tables, goals and the noise of the machine (.build/Benchmarks.md)
      --events N    how many events the log has that projections are folded from (1,000,000), or the largest workspace
                    whose growth is measured (10,000,000)
      --plot FILE   where to draw the growth, as SVG
      --preload N   also compares appending to a log of N events with appending to a new one
      --dir PATH    where to write, on the disk to be measured (.build/bench)

    `all` measures the noise of the machine before and after each subject, and quotes no figure of a subject if it is
    above a bound, nor a ratio whose rounds differ by too much.

    Contestants of the log, all on payloads of \(Vocabulary.payloadByteCount) bytes, all durable before they answer:
      flat          our blocks' bytes into a file, pwrite and fdatasync per commit, in C
      raw           our blocks' bytes into LMDB, one value per commit, MDB_APPEND, fully synced, in C
      sqlite        rows with two unique indexes, WAL, synchronous=FULL, one append id per commit, by time
      sqlite-random the same, each event an append with a random id
      rocksdb       three keys for each event, one batch per commit, the write-ahead log synced
      … (Python client)  UmaDB's server, SalamanderDB and eventsourcing on SQLite, each in a process of Python
      ours          EventStore.append, synchronous; what it takes to make the proposals is included
      … async       the async append, awaited one after the other
      … through close  until the index is written, too
      … sharing     writers' threads who hand an event to one thread, which commits what has queued up
    """

  init(_ arguments: [String]) throws {
    var rest = arguments[...]
    let name = rest.popFirst()
    if let subject = name.flatMap(Subject.init) {
      self.subject = subject
    } else if name == "all" {
      isAll = true
    } else {
      let subjects = Subject.allCases.map(\.rawValue).joined(separator: ", ")
      throw Usage(message: "say what is to be measured: all, \(subjects)")
    }
    var asked: Int?
    while let argument = rest.popFirst() {
      switch argument {
      case "--json" where !isAll: isJSON = true
      case "--quick": isQuick = true
      case "--rounds": asked = try Self.number(rest.popFirst(), of: argument)
      case "--seconds":
        seconds = Double(try Self.value(rest.popFirst(), of: argument))
        guard let seconds, seconds > 0 else { throw Usage(message: "--seconds needs a number above 0") }
      case "--preload": preload = try Self.number(rest.popFirst(), of: argument)
      case "--page" where isAll: page = try Self.value(rest.popFirst(), of: argument)
      case "--instructions" where isAll: instructions = try Self.value(rest.popFirst(), of: argument)
      case "--plot": plot = try Self.value(rest.popFirst(), of: argument)
      case "--dir": directory = try Self.value(rest.popFirst(), of: argument)
      case "--only" where !isAll:
        let name = try Self.value(rest.popFirst(), of: argument)
        switch subject {
        case .projections: part = ViewsBench.Part(rawValue: name)
        case .submit: submitPart = SubmitBench.Part(rawValue: name)
        default: only = Section(rawValue: name)
        }
        if only == nil, part == nil, submitPart == nil { throw Usage(message: "there is no section \(name)") }
      case "--events": askedEvents = try Self.number(rest.popFirst(), of: argument)
      default: throw Usage(message: "\(argument) is not known")
      }
    }
    rounds = asked ?? (isQuick ? 2 : 5)
    if only == .preload, preload == 0 { throw Usage(message: "--only preload needs --preload N") }
  }

  func includes(_ section: Section) -> Bool {
    if let only, only != section { return false }
    return section != .preload || preload > 0
  }

  /// Whether a part of the projection benchmarks runs: all parts but the rebuild use the tables that the rebuild
  /// leaves.
  func includes(_ part: ViewsBench.Part) -> Bool { self.part == nil || self.part == part || part == .rebuild }

  /// The number of events in the log that projections are folded from, or in the largest workspace of growth.
  var events: Int { askedEvents ?? (subject == .growth ? 10_000_000 : 1_000_000) / (isQuick ? 10 : 1) }

  /// The limit of one run of a contestant.
  var limit: RunLimit {
    let seconds = seconds ?? (isQuick ? 0.2 : 1)
    return RunLimit(seconds: seconds, events: Int(400_000 * seconds))
  }

  /// Returns the number of events in the logs of the read benchmarks.
  func events(perCommit: Int) -> Int {
    let full = perCommit == 1 ? 100_000 : 1_000_000
    return isQuick ? full / 20 : full
  }

  private static func value(_ text: String?, of option: String) throws -> String {
    guard let text else { throw Usage(message: "\(option) needs a value") }
    return text
  }

  private static func number(_ text: String?, of option: String) throws -> Int {
    guard let number = Int(try value(text, of: option)), number > 0 else {
      throw Usage(message: "\(option) needs a number above 0")
    }
    return number
  }
}
