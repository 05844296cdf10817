// How two texts differ, line by line, for somebody who has to judge that.

/// What is only in the old text behind a `-`, what is only in the new one behind a `+`, with some lines around both.
/// Sequences that a terminal would obey are shown by a sign.
func lineDifference(from old: String, to new: String, around: Int = 2) -> String {
  let (old, new) = (old.lines, new.lines)
  let difference = new.difference(from: old)
  let removed = Set(difference.removals.map(\.offset))
  let added = Set(difference.insertions.map(\.offset))
  var lines: [(mark: String, text: Substring, number: Int)] = []
  var (from, to) = (0, 0)
  while from < old.count || to < new.count {
    if removed.contains(from) {
      lines.append(("-", old[from], to + 1))
      from += 1
    } else if added.contains(to) {
      lines.append(("+", new[to], to + 1))
      to += 1
    } else {
      lines.append((" ", new[to], to + 1))
      (from, to) = (from + 1, to + 1)
    }
  }
  let changed = lines.indices.filter { lines[$0].mark != " " }
  let shown = Set(changed.flatMap { $0 - around...$0 + around }).filter(lines.indices.contains).sorted()
  var text = ""
  for index in shown {
    if !shown.contains(index - 1) { text += "@@ line \(lines[index].number) @@\n" }
    text += lines[index].mark + lines[index].text.replacing("\u{1B}", with: "␛") + "\n"
  }
  return text
}

extension String {
  /// By what ends a line on every system, and nothing else, so that no other difference is hidden.
  fileprivate var lines: [Substring] {
    unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { Substring($0) }
  }
}

extension CollectionDifference.Change {
  fileprivate var offset: Int {
    switch self {
    case .insert(let offset, _, _), .remove(let offset, _, _): offset
    }
  }
}
