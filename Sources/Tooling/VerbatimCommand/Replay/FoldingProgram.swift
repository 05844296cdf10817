// A program that folds a log again, with its time zone, locale and batch size.
internal import EventLog

/// A child process that folds a log again, in an environment of its own.
struct FoldingProgram {
  /// A short description of the program.
  let name: String
  private let executable: String
  private let options: [String]
  private let environment: [String: String]
  /// Whether it is another build, which may lack options or projections.
  private(set) var isOther = false

  /// The last position to fold; nil for the end of the log.
  private var end: Position?

  private init(
    _ name: String, _ executable: String, _ options: [String], _ environment: [String: String] = [:], to end: Position?
  ) {
    (self.name, self.executable, self.options, self.environment) = (name, executable, options, environment)
    self.end = end
  }

  /// Returns the same program with additional options and another end; nil for the one that the options set.
  func adding(_ more: [String], to end: Position?) -> FoldingProgram {
    var program = FoldingProgram(name, executable, options + more, environment, to: end)
    program.isOther = isOther
    return program
  }

  func run(at path: String, as program: String) -> ProgramRun {
    let end = end.map { ["--to", "\($0)"] } ?? []
    return ProgramRun(
      executable: executable, arguments: ["replay", "--json"] + options + end + ["--", path], name: program,
      environment: environment)
  }
}

extension FoldingProgram {
  /// The environments: time zones as far apart as possible, and locales with unusual case folding.
  private static let environments = [
    (zone: "Pacific/Kiritimati", language: "C", batch: 8_192),
    (zone: "America/St_Johns", language: "tr_TR.UTF-8", batch: 3_001),
    (zone: "Asia/Kathmandu", language: "lt_LT.UTF-8", batch: 20_011),
    (zone: "Pacific/Pago_Pago", language: "ar_EG.UTF-8", batch: 997),
  ]

  /// Returns programs that fold from the first event on, each batch several times and without caches.
  ///
  /// Only the first includes the digests at checkpoints: rows are written there, so that batches of the others end at
  /// other positions. The last one decodes and encodes each event.
  static func folding(_ count: Int, to end: Position?, by executable: String) -> [FoldingProgram] {
    (0..<count).map { number in
      var program = folding(number: number, to: end, by: executable)
      if number == count - 1 { program = program.adding(["--recode"], to: end) }
      return program
    }
  }

  private static func folding(number: Int, to end: Position?, by executable: String) -> FoldingProgram {
    let environment = environments[number % environments.count]
    let times = ["--times", "\(Verifier.times)", "--forgetful", "--batch", "\(environment.batch)"]
    return FoldingProgram(
      "a fold in \(environment.zone), \(environment.language), in batches of \(environment.batch)", executable,
      distance + times + (number == 0 ? ["--testified"] : []),
      ["TZ": environment.zone, "LC_ALL": environment.language, "LANG": environment.language], to: end)
  }

  /// Returns a program that folds as the first does, with another build.
  static func other(to end: Position?, by executable: String) -> FoldingProgram {
    let first = folding(number: 0, to: end, by: executable)
    var program = FoldingProgram("the other program", executable, first.options, first.environment, to: end)
    program.isOther = true
    return program
  }

  /// Returns a program that folds once, and compares the workspace's tables and snapshots with the result.
  static func checkingTables(to end: Position?, by executable: String) -> FoldingProgram {
    FoldingProgram("an uninterrupted fold", executable, positions + ["--check-tables"], to: end)
  }

  /// Returns a program that folds on from the newest snapshot.
  static func fromSnapshot(to end: Position?, by executable: String) -> FoldingProgram {
    FoldingProgram("a fold from the newest snapshot", executable, positions + ["--from-snapshot"], to: end)
  }

  /// Returns a program that folds once, and prints digests at a distance in events.
  static func telling(each distance: UInt64, to end: Position?, by executable: String) -> FoldingProgram {
    FoldingProgram("this program", executable, ["--digests-every", "\(distance)"], to: end)
  }

  private static var distance: [String] { ["--digests-every", "\(Verifier.distance)"] }

  private static var positions: [String] { ["--testified"] + distance }
}
