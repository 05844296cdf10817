// The goals of the figures that peers or the machine set.

/// A bound of a figure in a table.
struct Goal {
  let table: String
  let row: String
  let column: String
  let bound: Double
  /// Whether the figure must be at most the bound, instead of at least.
  var isMost = false

  private static let commits = ["1 per commit", "10 per commit", "100 per commit", "1000 per commit"]

  static let all: [Goal] =
    zip(commits, [1.3, 0.9, 0.8, 0.6]).map { Goal(table: "append", row: "ours / raw", column: $0, bound: $1) }
    + zip(commits, [1, 2, 7, 15])
    .map { Goal(table: "append", row: "ours / sqlite", column: $0, bound: $1) }
    + [
      Goal(table: "concurrent", row: "ours tasks / raw sharing", column: "64 writers", bound: 0.9),
      Goal(table: "scan", row: "raw copy each event / ours checked", column: "1 per commit", bound: 0.5),
      Goal(table: "scan", row: "raw copy each event / ours checked", column: "1000 per commit", bound: 0.5),
      Goal(table: "submit", row: "submit / append", column: "1 caller", bound: 0.95),
      Goal(table: "submit", row: "submit / append", column: "64 tasks", bound: 0.9),
      Goal(table: "pages", row: "sqlite, p50 / ours, p50", column: "a channel of 100,000", bound: 2),
    ]
    + ["a letter", "two letters", "three letters"]
    .map { Goal(table: "people", row: "\($0), all active", column: "p99", bound: 300, isMost: true) }

  /// Whether the median of a figure reaches the bound.
  func isReached(by figure: Figure) -> Bool { isMost ? figure.median <= bound : figure.median >= bound }
}
