/// The number of a page in a data file, counted from the start of the file.
public struct PageNumber: RawRepresentable, Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The number as the file stores it.
  public let rawValue: UInt64

  /// Creates a page number; the page need not exist.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  init(_ rawValue: UInt64) { self.rawValue = rawValue }

  /// The digits of the number.
  public var description: String { String(rawValue) }

  /// Orders pages by their position in the file.
  public static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
}

/// A damage in one page of a data file.
///
/// The page is the one with the wrong bytes: when a node points past the end of the file, that is the node's page.
public struct PageDamage: Error, Hashable, Sendable, CustomStringConvertible {
  /// The page with the wrong bytes.
  public let page: PageNumber

  /// The file offset of the wrong bytes, or of their page when the whole page is meant.
  public let fileOffset: Int

  /// The reason with its values: the rest of a sentence that starts with the page.
  public let reason: String

  init(_ page: PageNumber, at fileOffset: Int, _ reason: String) {
    self.page = page
    self.fileOffset = fileOffset
    self.reason = reason
  }

  /// Creates the damage of a page that is not within the bytes of a file.
  public init(_ page: PageNumber, isBeyond byteCount: Int) {
    self.init(page, at: byteCount, "is not in the file, which ends there")
  }

  /// The damage as one sentence.
  public var description: String { "Page \(page) (byte \(fileOffset)) \(reason)." }
}
