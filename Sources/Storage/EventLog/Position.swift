// The numbers of a log: positions and stream versions.

/// The position of an event in the log: 1, 2, 3 … without a gap, in the order of commits.
///
/// 0 is the position before the first event.
public struct Position: RawRepresentable, Codable, Hashable, Comparable, Sendable {
  /// The number.
  public let rawValue: UInt64

  /// Creates a position with a number.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// The position before the first event.
  public static let zero = Position(rawValue: 0)

  /// The position of the first event.
  public static let first = Position(rawValue: 1)

  /// The position after this one; the position itself when it is the largest.
  public var next: Position { advanced(by: 1) }

  /// Returns the position `count` events later, at most the largest position.
  public func advanced(by count: Int) -> Position {
    let (sum, overflow) = rawValue.addingReportingOverflow(UInt64(count))
    return Position(rawValue: overflow ? .max : sum)
  }

  /// Returns whether one position is before the other.
  public static func < (a: Position, b: Position) -> Bool { a.rawValue < b.rawValue }
}

/// The number of events in a stream, which is also the version of its last event: 0 for a stream without events.
public struct StreamVersion: RawRepresentable, Codable, Hashable, Comparable, Sendable {
  /// The count.
  public let rawValue: UInt64

  /// Creates a version with a count.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// The version of a stream without events.
  public static let zero = StreamVersion(rawValue: 0)

  /// The version of a stream with one event.
  public static let first = StreamVersion(rawValue: 1)

  /// Returns whether one count is less than the other.
  public static func < (a: StreamVersion, b: StreamVersion) -> Bool { a.rawValue < b.rawValue }
}

extension Position: CustomStringConvertible {
  /// The number.
  public var description: String { String(rawValue) }
}

extension StreamVersion: CustomStringConvertible {
  /// The count.
  public var description: String { String(rawValue) }
}
