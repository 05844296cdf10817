// The fingerprint of a set of projections at their present revisions.
internal import Digests

/// The identifier of a set of projections at their revisions: tables of another set are never taken for these.
public struct Fingerprint: Hashable, Sendable {
  /// The 32 hexadecimal digits.
  public let text: String

  package init(of projections: [any Projection.Type]) {
    // Each part ends in a byte that is not in any UTF-8 text, so that no two lists have the same encoding.
    var bytes = Array("Verbatim views 1".utf8)
    for projection in projections {
      for part in [projection.name, projection.revision] + projection.tableNames { bytes += part.utf8 + [0xFF] }
      bytes.append(0xFE)
    }
    text = String(bytes.withUnsafeBytes { ChainHash(of: $0, after: nil) }.description.prefix(32))
  }
}

extension Fingerprint: CustomStringConvertible {
  /// The 32 hexadecimal digits.
  public var description: String { text }
}
