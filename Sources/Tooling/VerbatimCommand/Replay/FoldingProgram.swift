// A program that folds, and in which place of the world it does.

/// A program that folds a log again, in surroundings of its own.
struct FoldingProgram {
  /// Who it is, in a few words.
  let name: String
  private let executable: String
  private let options: [String]
  private let environment: [String: String]
  /// Whether it is another build, which may know less.
  private(set) var isOther = false

  private init(_ name: String, _ executable: String, _ options: [String], _ environment: [String: String] = [:]) {
    (self.name, self.executable, self.options, self.environment) = (name, executable, options, environment)
  }

  /// The same program, told something more.
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
  /// Where programs think they are: zones as far apart as there are, and languages whose letters fold otherwise.
  private static let places = [
    (zone: "Pacific/Kiritimati", language: "C", batch: 8_192),
    (zone: "America/St_Johns", language: "tr_TR.UTF-8", batch: 3_001),
    (zone: "Asia/Kathmandu", language: "lt_LT.UTF-8", batch: 20_011),
    (zone: "Pacific/Pago_Pago", language: "ar_EG.UTF-8", batch: 997),
  ]

  /// Folds from nothing, each stretch several times and with nothing remembered.
  ///
  /// The first alone tells digests wherever there is a checkpoint: rows are written there, so that stretches of the
  /// others end elsewhere.
  static func folding(number: Int, by executable: String) -> FoldingProgram {
    let place = places[number % places.count]
    let times = ["--times", "\(Verifier.times)", "--forgetful", "--batch", "\(place.batch)"]
    return FoldingProgram(
      "a fold in \(place.zone), \(place.language), in batches of \(place.batch)", executable,
      distance + times + (number == 0 ? ["--testified"] : []) + (number == 1 ? ["--recode"] : []),
      ["TZ": place.zone, "LC_ALL": place.language, "LANG": place.language])
  }

  /// Folds as the first does, by another build.
  static func other(by executable: String) -> FoldingProgram {
    let first = folding(number: 0, by: executable)
    var program = FoldingProgram("the other program", executable, first.options, first.environment)
    program.isOther = true
    return program
  }

  /// Folds once, and holds what lies in the workspace against that.
  static func checkingTables(by executable: String) -> FoldingProgram {
    FoldingProgram("a fold without a pause", executable, positions + ["--check-tables"])
  }

  /// Goes on from the newest snapshot.
  static func fromSnapshot(by executable: String) -> FoldingProgram {
    FoldingProgram("a fold from the newest snapshot", executable, positions + ["--from-snapshot"])
  }

  /// Folds once, and tells digests so many events apart.
  static func telling(each distance: UInt64, to end: String?, by executable: String) -> FoldingProgram {
    FoldingProgram(
      "this program", executable, ["--digests-every", "\(distance)"] + (end.map { ["--to", $0] } ?? []))
  }

  private static var distance: [String] { ["--digests-every", "\(Verifier.distance)"] }

  private static var positions: [String] { ["--testified"] + distance }
}
