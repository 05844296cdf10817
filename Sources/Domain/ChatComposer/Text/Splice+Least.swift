// The minimal splice between two texts.
public import Chat

extension TypedText {
  /// Returns the minimal splice on grapheme cluster boundaries to another text; nil if they are equal.
  public func splice(to other: TypedText) -> Splice? {
    if self == other { return nil }
    var start = zip(units, other.units).prefix { $0 == $1 }.count
    while start > 0, !isBoundary(start) || !other.isBoundary(start) { start -= 1 }
    let room = min(units.count, other.units.count) - start
    var tail = zip(units.reversed(), other.units.reversed()).prefix(room).prefix { $0 == $1 }.count
    while tail > 0, !isBoundary(units.count - tail) || !other.isBoundary(other.units.count - tail) { tail -= 1 }
    let new = UTF16Offset(rawValue: start)..<UTF16Offset(rawValue: other.units.count - tail)
    return Splice(UTF16Offset(rawValue: start)..<UTF16Offset(rawValue: units.count - tail), to: other.userText(of: new))
  }

  private func isBoundary(_ offset: Int) -> Bool { isClusterBoundary(UTF16Offset(rawValue: offset)) }
}
