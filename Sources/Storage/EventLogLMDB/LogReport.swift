// What a check of a log found.
public import EventLog

/// What a check of a log's files found.
public struct LogReport: Sendable {
  /// The end of what could be checked; nil when there was nothing.
  public internal(set) var head: Head?
  /// How many blocks are whole.
  public internal(set) var blocks = 0
  /// How many events they hold.
  public internal(set) var events = 0
  /// What is wrong, the first hundred; empty when the log holds.
  public internal(set) var findings: [Finding] = []
  /// What is worth knowing and is no damage.
  public internal(set) var notes: [String] = []

  /// Whether nothing is wrong.
  public var holds: Bool { findings.isEmpty }

  /// Something that is wrong.
  public struct Finding: Hashable, Sendable, CustomStringConvertible {
    /// What it is wrong with.
    public let place: Place
    /// One sentence: what is wrong with what.
    public let description: String
  }

  /// What can be wrong.
  public enum Place: Hashable, Sendable {
    /// A block, by the position of its last event and its place in the file.
    case block(last: Position, fileOffset: Int)
    /// A page of the file of the log.
    case page(UInt64)
    /// The log as a whole.
    case log
    /// A commit that is in the file and not in force: opening the log where it can be written completes it.
    case unforcedCommit
    /// The index; deleting it is its cure.
    case index
  }

  private static let findingsMax = 100

  internal mutating func report(_ place: Place, _ description: String) {
    if findings.count < Self.findingsMax { findings.append(Finding(place: place, description: description)) }
  }

  internal var isFull: Bool { findings.count >= Self.findingsMax }
}
