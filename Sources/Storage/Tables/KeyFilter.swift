// Which keys a table can have: so that most that it has not are not looked for.

/// A set of keys that says of a key that it is not in it, or that it may be.
///
/// It is a Bloom filter of two bytes a key, each key in one word: of a hundred keys not in it, one or two pass.
/// It grows by layers, each with room for eight times as many keys as the one before: few have to be asked.
@usableFromInline
internal struct KeyFilter {
  private var layers: [[UInt64]] = [Self.layer(of: 16_384)]
  /// How many keys are in the last layer.
  private var count = 0

  private static let keysPerWord = 4

  private static func layer(of keys: Int) -> [UInt64] { Array(repeating: 0, count: keys / keysPerWord) }

  @usableFromInline
  init() {}

  /// Adds a key by its hash; answers whether it is certain that it was not there.
  @usableFromInline
  mutating func insert(_ hash: UInt64) -> Bool {
    // Four of the word's bits.
    let bits = 1 << (hash >> 40 & 63) | 1 << (hash >> 46 & 63) | 1 << (hash >> 52 & 63) | 1 << (hash >> 58) as UInt64
    for layer in layers where layer[Self.place(of: hash, in: layer)] & bits == bits { return false }
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
    layers[last][Self.place(of: hash, in: layers[last])] |= bits
  }

  private static func place(of hash: UInt64, in layer: [UInt64]) -> Int {
    Int(truncatingIfNeeded: hash) & (layer.count - 1)
  }
}
