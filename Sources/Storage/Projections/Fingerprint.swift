// The fingerprint of a set of projections at their present revisions.
internal import Digests

/// The identifier of a set of projections at their revisions, and of the erasures in the log: tables of another set, or
/// with what was erased since, are never taken for these.
public struct Fingerprint: Hashable, Sendable {
  /// The 32 hexadecimal digits.
  public let text: String

  package init(of projections: [any Projection.Type], erasures: Int = 0) {
    // Each part ends in a byte that is not in any UTF-8 text, so that no two lists have the same encoding.
    var bytes = Array("Verbatim views 1".utf8)
    for projection in projections {
      for part in [projection.name, projection.revision] + projection.tableNames { bytes += part.utf8 + [0xFF] }
      bytes.append(0xFE)
    }
    if erasures > 0 { bytes += Array("erasures \(erasures)".utf8) }
    text = String(bytes.withUnsafeBytes { ChainHash(of: $0, after: nil) }.description.prefix(32))
  }
}

extension Projection {
  /// The revision of tables that depend on a number of erasures: they have other rows than those of before.
  internal static func revision(after erasures: Int) -> String {
    erasures == 0 ? revision : "\(revision), \(erasures) \(erasures == 1 ? "erasure" : "erasures")"
  }
}

extension Fingerprint: CustomStringConvertible {
  /// The 32 hexadecimal digits.
  public var description: String { text }
}
