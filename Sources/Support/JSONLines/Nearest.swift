// Suggests the nearest known word for an unknown one.

/// Returns the known word nearest to an unknown one; nil when none is near.
package func nearest(to word: String, among known: [String]) -> String? {
  let ranked = known.map { (word: $0, distance: distance(from: Array(word.utf8), to: Array($0.utf8))) }
  guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
  return best.distance <= max(1, min(3, word.utf8.count / 3)) ? best.word : nil
}

/// Returns the edit distance in bytes: insertions, deletions, replacements and swaps of neighbors.
package func distance(from a: [UInt8], to b: [UInt8]) -> Int {
  var beforeLast = [Int](repeating: 0, count: b.count + 1)
  var last = Array(0...b.count)
  for i in a.indices {
    var row = [i + 1]
    for j in b.indices {
      var cost = min(last[j + 1], row[j]) + 1
      cost = min(cost, last[j] + (a[i] == b[j] ? 0 : 1))
      if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, beforeLast[j - 1] + 1) }
      row.append(cost)
    }
    (beforeLast, last) = (last, row)
  }
  return last[b.count]
}
