// Removal of duplicates that keeps the last element of each key.

extension Array {
  /// Returns the last element of each key, in order, and inserts repeated keys into `repeated`.
  func lastOfEach<Key: Hashable>(_ key: (Element) -> Key, noting repeated: inout Set<Key>) -> [Element] {
    if count < 2 { return self }
    var seen: Set<Key> = []
    let kept = reversed().filter { element in
      let isLast = seen.insert(key(element)).inserted
      if !isLast { repeated.insert(key(element)) }
      return isLast
    }
    return kept.count == count ? self : kept.reversed()
  }

  /// Returns the last element of each key, in order.
  func lastOfEach<Key: Hashable>(_ key: (Element) -> Key) -> [Element] {
    var repeated: Set<Key> = []
    return lastOfEach(key, noting: &repeated)
  }
}
