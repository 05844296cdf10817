// The report of a check of a log.

/// The report of a check of a log.
public struct LogReport: Sendable {
  /// The end of what could be checked; nil when nothing could.
  public package(set) var head: Head?
  /// The number of undamaged blocks.
  public package(set) var blocks = 0
  /// The number of their events.
  public package(set) var events = 0
  /// The first hundred defects; empty when the log is valid.
  public package(set) var findings: [Finding] = []
  /// Observations that are not defects.
  public package(set) var notes: [String] = []

  package init() {}

  /// Whether there are no findings.
  public var holds: Bool { findings.isEmpty }

  /// A defect.
  public struct Finding: Hashable, Sendable, CustomStringConvertible {
    /// The part of the log that is defective.
    public let location: Location
    /// One sentence: the defect and its location.
    public let description: String
  }

  /// A part of a log that can be defective.
  public enum Location: Hashable, Sendable {
    /// A block, by the position of its last event and its offset in the file, which is 0 on a server.
    case block(last: Position, fileOffset: Int)
    /// A page of the log's file.
    case page(UInt64)
    /// The log as a whole.
    case log
    /// A commit that is in the file and not in force: opening the log with write access completes it.
    case unforcedCommit
    /// The index; deleting it repairs it.
    case index
    /// The comparison with seals: the log was rewritten after it was sealed.
    case seal
  }

  private static let findingsMax = 100

  package mutating func report(_ location: Location, _ description: String) {
    if findings.count < Self.findingsMax { findings.append(Finding(location: location, description: description)) }
  }

  /// Adds the findings and notes of a check of another part of the log.
  package mutating func add(_ other: LogReport) {
    for finding in other.findings { report(finding.location, finding.description) }
    notes += other.notes
  }

  package var isFull: Bool { findings.count >= Self.findingsMax }
}
