// A table of an environment: ordered keys, each with one value.
internal import CLMDB

/// A table opened in one environment; valid as long as a handle of that environment.
public struct Table: Sendable {
  internal let identifier: MDB_dbi
  internal let environment: Int
  internal let name: String?

  internal init(identifier: MDB_dbi, environment: Int, name: String?) {
    self.identifier = identifier
    self.environment = environment
    self.name = name
  }

  /// Traps when the table was opened in another environment: its number would denote another table there.
  internal func require(_ environment: Int) {
    precondition(
      self.environment == environment,
      "the table \(name ?? "(unnamed)") belongs to another environment than the transaction that uses it")
  }
}

/// The size of a table.
public struct TableStatistics: Hashable, Sendable {
  /// The number of keys.
  public let entries: Int
  /// The height of the B+ tree; 0 when it is empty.
  public let depth: Int
  /// The number of pages that hold separators.
  public let branchPages: Int
  /// The number of pages that hold keys.
  public let leafPages: Int
  /// The number of pages that hold large values.
  public let overflowPages: Int

  internal init(_ stat: MDB_stat) {
    entries = Int(stat.ms_entries)
    depth = Int(stat.ms_depth)
    branchPages = Int(stat.ms_branch_pages)
    leafPages = Int(stat.ms_leaf_pages)
    overflowPages = Int(stat.ms_overflow_pages)
  }
}
