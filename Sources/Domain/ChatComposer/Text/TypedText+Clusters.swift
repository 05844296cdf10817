// Grapheme cluster boundaries in a text counted in UTF-16 units.
public import Chat

extension TypedText {
  /// Returns the start of the grapheme cluster that contains an offset; the offset itself at a boundary. An offset
  /// outside of the text is clamped.
  public func clusterStart(at offset: UTF16Offset) -> UTF16Offset {
    let offset = max(0, min(offset.rawValue, units.count))
    guard offset > 0, offset < units.count, !isPlainBoundary(offset) else { return UTF16Offset(rawValue: offset) }
    let start = sureBoundary(before: offset)
    var last = start
    for character in String(decoding: units[start..<endOfScalar(at: offset)], as: UTF16.self) {
      let next = last + character.utf16.count
      if next > offset { break }
      last = next
    }
    return UTF16Offset(rawValue: last)
  }

  /// Returns the end of the grapheme cluster at an offset; the end of the text if there is none.
  public func clusterEnd(after offset: UTF16Offset) -> UTF16Offset {
    let start = clusterStart(at: offset).rawValue
    let first = String(decoding: units[start...], as: UTF16.self).first
    return UTF16Offset(rawValue: start + (first?.utf16.count ?? 0))
  }

  /// Returns a range with both ends moved to the starts of their grapheme clusters.
  public func onClusters(_ range: UTF16Range) -> UTF16Range {
    let start = clusterStart(at: range.lowerBound)
    return range.isEmpty ? start..<start : start..<clusterStart(at: range.upperBound)
  }

  /// Whether a grapheme cluster starts at an offset, or the text ends there.
  public func isClusterBoundary(_ offset: UTF16Offset) -> Bool { clusterStart(at: offset) == offset }

  /// Returns the text of a range, clamped to the text.
  public func userText(of range: UTF16Range) -> UserText {
    let range = clamp(range)
    return UserText(String(decoding: units[range.lowerBound.rawValue..<range.upperBound.rawValue], as: UTF16.self))
  }

  /// Whether an offset is between two ASCII units that form a boundary: the fast path for most offsets.
  private func isPlainBoundary(_ offset: Int) -> Bool {
    let (before, after) = (units[offset - 1], units[offset])
    return before < 0x80 && after < 0x80 && !(before == 0x0D && after == 0x0A)
  }

  /// Returns an offset before another that is a cluster boundary regardless of the preceding text.
  private func sureBoundary(before offset: Int) -> Int {
    var candidate = startOfScalar(at: offset)
    while candidate > 0 {
      let previous = startOfScalar(before: candidate)
      if isSureBoundary(scalar(at: previous), scalar(at: candidate)) { return candidate }
      candidate = previous
    }
    return 0
  }

  private func scalar(at offset: Int) -> Unicode.Scalar {
    let unit = units[offset]
    if let scalar = Unicode.Scalar(unit) { return scalar }
    let (high, low) = (UInt32(unit) - 0xD800, UInt32(units[offset + 1]) - 0xDC00)
    return Unicode.Scalar(0x10000 + high << 10 + low) ?? "\u{FFFD}"
  }

  private func startOfScalar(at offset: Int) -> Int { UTF16.isTrailSurrogate(units[offset]) ? offset - 1 : offset }

  private func startOfScalar(before offset: Int) -> Int { startOfScalar(at: offset - 1) }

  private func endOfScalar(at offset: Int) -> Int {
    let start = startOfScalar(at: offset)
    return start + (UTF16.isLeadSurrogate(units[start]) ? 2 : 1)
  }
}

/// Whether two adjacent scalars belong to different grapheme clusters, regardless of the preceding text.
///
/// The preceding text matters only after marks, joiners and regional indicators: those pairs return false.
private func isSureBoundary(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Bool {
  if first.isASCII, second.isASCII { return !(first == "\r" && second == "\n") }
  if first == "\u{200D}" || first.properties.isGraphemeExtend || first.isFlagHalf { return false }
  var pair = String.UnicodeScalarView()
  pair.append(first)
  pair.append(second)
  return String(pair).count == 2
}

extension Unicode.Scalar {
  fileprivate var isFlagHalf: Bool { (0x1F1E6...0x1F1FF).contains(value) }
}
