// A Bloom filter of a table's keys, which saves most lookups of absent keys.

/// A Bloom filter: a set of keys that reports a key as absent or as possibly present.
///
/// It takes two bytes a key, each key in one word: of a hundred absent keys, one or two pass. It grows by layers, each
/// with a capacity for eight times as many keys as the one before, so that few have to be searched.
@usableFromInline
internal struct KeyFilter {
  private var layers: [[UInt64]] = [Self.layer(of: 16_384)]
  /// The number of keys in the last layer.
  private var count = 0

  private static let keysPerWord = 4

  private static func layer(of keys: Int) -> [UInt64] { Array(repeating: 0, count: keys / keysPerWord) }

  @usableFromInline
  init() {}

  /// Adds a key by its hash; returns whether it is certain that it was absent.
  @usableFromInline
  mutating func insert(_ hash: UInt64) -> Bool {
    // Four of the word's bits.
    let bits = 1 << (hash >> 40 & 63) | 1 << (hash >> 46 & 63) | 1 << (hash >> 52 & 63) | 1 << (hash >> 58) as UInt64
    for layer in layers where layer[Self.index(of: hash, in: layer)] & bits == bits { return false }
    add(hash, bits)
    return true
  }

  private mutating func add(_ hash: UInt64, _ bits: UInt64) {
    let last = layers.count - 1
    if count == layers[last].count * Self.keysPerWord {
      layers.append(Self.layer(of: 8 * count))
      count = 0
      return add(hash, bits)
    }
    count += 1
    layers[last][Self.index(of: hash, in: layers[last])] |= bits
  }

  private static func index(of hash: UInt64, in layer: [UInt64]) -> Int {
    Int(truncatingIfNeeded: hash) & (layer.count - 1)
  }
}
