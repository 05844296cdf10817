// The fingerprint of a set of projections at their present revisions.
internal import Digests

/// The identifier of a set of projections at their revisions, and of the erasures in the log: tables of another set, or
/// with what was erased since, are never taken for these.
public struct Fingerprint: Hashable, Sendable {
  /// The 32 hexadecimal digits and, after erasures, a hyphen and their number.
  public let text: String
  /// The number of erasures in the log.
  internal let erasures: Int

  package init(of projections: [any Projection.Type], erasures: Int = 0) {
    // Each part ends in a byte that is not in any UTF-8 text, so that no two lists have the same encoding.
    var bytes = Array("Verbatim views 1".utf8)
    for projection in projections {
      for part in [projection.name, projection.revision] + projection.tableNames { bytes += part.utf8 + [0xFF] }
      bytes.append(0xFE)
    }
    let digits = bytes.withUnsafeBytes { ChainHash(of: $0, after: nil) }.description.prefix(32)
    text = erasures == 0 ? String(digits) : "\(digits)-\(erasures)"
    self.erasures = erasures
  }

  /// Returns the number of erasures in a fingerprint; nil if a text is none.
  internal static func erasures(in text: String) -> Int? {
    let parts = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts[0].utf8.count == 32, parts[0].allSatisfy({ $0.isASCII && $0.isHexDigit }) else { return nil }
    return parts.count == 1 ? 0 : Int(parts[1])
  }
}

extension Projection {
  /// The revision of tables that depend on a number of erasures: they have other rows than those of before.
  internal static func revision(after erasures: Int) -> String {
    erasures == 0 ? revision : "\(revision), \(erasures) \(erasures == 1 ? "erasure" : "erasures")"
  }
}

extension Fingerprint: CustomStringConvertible {
  /// The text.
  public var description: String { text }
}
