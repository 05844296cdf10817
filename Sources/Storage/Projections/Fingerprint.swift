// The name of a set of views in the form that they have now.
internal import Digests

/// Names a set of views, each in its form: tables that were folded by another set are never taken for these.
public struct Fingerprint: Hashable, Sendable {
  /// 32 hexadecimal digits.
  public let text: String

  package init(of projections: [any Projection.Type]) {
    // Each part ends in a byte that no UTF-8 has, so that no two lists read alike.
    var bytes = Array("Verbatim views 1".utf8)
    for projection in projections {
      for part in [projection.name, projection.revision] + projection.tableNames { bytes += part.utf8 + [0xFF] }
      bytes.append(0xFE)
    }
    text = String(bytes.withUnsafeBytes { ChainHash(of: $0, after: nil) }.description.prefix(32))
  }
}

extension Fingerprint: CustomStringConvertible {
  /// The digits.
  public var description: String { text }
}
