// The minimal splice between two texts.
public import Chat

extension TypedText {
  /// Returns the minimal splice on grapheme cluster boundaries to another text; nil if they are equal.
  public func splice(to other: TypedText) -> Splice? {
    if self == other { return nil }
    var start = UTF16Offset(rawValue: zip(units, other.units).prefix { $0 == $1 }.count)
    while !isClusterBoundary(start) || !other.isClusterBoundary(start) {
      start = min(clusterStart(at: start), other.clusterStart(at: start))
    }
    let room = min(units.count, other.units.count) - start.rawValue
    let tail = tail(
      with: other, max: zip(units.reversed(), other.units.reversed()).prefix(room).prefix { $0 == $1 }.count)
    let new = start..<UTF16Offset(rawValue: other.units.count - tail)
    return Splice(start..<UTF16Offset(rawValue: units.count - tail), to: other.userText(of: new))
  }

  /// Returns the largest length, up to a maximum, at which a tail starts on a boundary in both texts.
  private func tail(with other: TypedText, max: Int) -> Int {
    var (own, others) = (ClusterTail(of: self, length: max), ClusterTail(of: other, length: max))
    while own.length != others.length || own.length > max {
      if own.length > others.length { own.removeFirst() } else { others.removeFirst() }
    }
    return own.length
  }
}

/// The end of a text from a grapheme cluster boundary on, which is shortened cluster by cluster: each is decoded once.
private struct ClusterTail {
  private(set) var length: Int
  private var clusters: String.Iterator

  /// Creates the shortest tail of at least a length.
  init(of text: TypedText, length: Int) {
    let start = text.clusterStart(at: UTF16Offset(rawValue: text.units.count - length)).rawValue
    self.length = text.units.count - start
    clusters = String(decoding: text.units[start...], as: UTF16.self).makeIterator()
  }

  mutating func removeFirst() { length -= clusters.next()?.utf16.count ?? length }
}
