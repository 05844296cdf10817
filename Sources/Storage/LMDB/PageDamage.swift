/// The number of a page in a data file: its place, counted in pages from the start of the file.
public struct PageNumber: RawRepresentable, Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The number as the file stores it.
  public let rawValue: UInt64

  /// The page of this number, which need not exist.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  init(_ rawValue: UInt64) { self.rawValue = rawValue }

  /// The digits of the number.
  public var description: String { String(rawValue) }

  /// Orders pages by their place in the file.
  public static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
}

/// Something wrong in one page of a data file.
///
/// The page is the one that holds the wrong bytes: when a node points past the end of the file, that is the
/// node's page.
public struct PageDamage: Error, Hashable, Sendable, CustomStringConvertible {
  /// The page with the wrong bytes.
  public let page: PageNumber

  /// Where in the file the wrong bytes are, or where their page starts when the whole page is meant.
  public let fileOffset: Int

  /// What is wrong, with the values in it: the rest of a sentence that starts with the page.
  public let reason: String

  init(_ page: PageNumber, at fileOffset: Int, _ reason: String) {
    self.page = page
    self.fileOffset = fileOffset
    self.reason = reason
  }

  /// The damage as one sentence.
  public var description: String { "Page \(page) (byte \(fileOffset)) \(reason)." }
}
