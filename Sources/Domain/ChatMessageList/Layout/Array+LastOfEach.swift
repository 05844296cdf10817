// Of what comes twice, the last.

extension Array {
  /// The elements, of those with one key the last; keys of several elements are noted.
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

  /// The elements, of those with one key the last.
  func lastOfEach<Key: Hashable>(_ key: (Element) -> Key) -> [Element] {
    var repeated: Set<Key> = []
    return lastOfEach(key, noting: &repeated)
  }
}
