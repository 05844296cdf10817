// A program that folds a log again, with its time zone, locale and batch size.

/// A child process that folds a log again, in an environment of its own.
struct FoldingProgram {
  /// A short description of the program.
  let name: String
  private let executable: String
  private let options: [String]
  private let environment: [String: String]
  /// Whether it is another build, which may lack options or projections.
  private(set) var isOther = false

  private init(_ name: String, _ executable: String, _ options: [String], _ environment: [String: String] = [:]) {
    (self.name, self.executable, self.options, self.environment) = (name, executable, options, environment)
  }

  /// Returns the same program with additional options.
  func adding(_ more: [String]) -> FoldingProgram {
    var program = FoldingProgram(name, executable, options + more, environment)
    program.isOther = isOther
    return program
  }

  func run(at path: String, as program: String) -> ProgramRun {
    ProgramRun(
      executable: executable, arguments: ["replay", "--json"] + options + ["--", path], name: program,
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

  /// Returns a program that folds from the first event on, each batch several times and without caches.
  ///
  /// Only the first includes the digests at checkpoints: rows are written there, so that batches of the others end at
  /// other positions.
  static func folding(number: Int, by executable: String) -> FoldingProgram {
    let environment = environments[number % environments.count]
    let times = ["--times", "\(Verifier.times)", "--forgetful", "--batch", "\(environment.batch)"]
    return FoldingProgram(
      "a fold in \(environment.zone), \(environment.language), in batches of \(environment.batch)", executable,
      distance + times + (number == 0 ? ["--testified"] : []) + (number == 1 ? ["--recode"] : []),
      ["TZ": environment.zone, "LC_ALL": environment.language, "LANG": environment.language])
  }

  /// Returns a program that folds as the first does, with another build.
  static func other(by executable: String) -> FoldingProgram {
    let first = folding(number: 0, by: executable)
    var program = FoldingProgram("the other program", executable, first.options, first.environment)
    program.isOther = true
    return program
  }

  /// Returns a program that folds once, and compares the workspace's tables and snapshots with the result.
  static func checkingTables(by executable: String) -> FoldingProgram {
    FoldingProgram("an uninterrupted fold", executable, positions + ["--check-tables"])
  }

  /// Returns a program that folds on from the newest snapshot.
  static func fromSnapshot(by executable: String) -> FoldingProgram {
    FoldingProgram("a fold from the newest snapshot", executable, positions + ["--from-snapshot"])
  }

  /// Returns a program that folds once, and prints digests at a distance in events.
  static func telling(each distance: UInt64, to end: String?, by executable: String) -> FoldingProgram {
    FoldingProgram(
      "this program", executable, ["--digests-every", "\(distance)"] + (end.map { ["--to", $0] } ?? []))
  }

  private static var distance: [String] { ["--digests-every", "\(Verifier.distance)"] }

  private static var positions: [String] { ["--testified"] + distance }
}
