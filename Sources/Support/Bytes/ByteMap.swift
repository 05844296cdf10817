// A map from byte strings to the order in which they were first seen.
internal import Digests

/// A hash map that numbers distinct byte strings 0, 1, 2 … in insertion order.
///
/// A lookup takes borrowed bytes, without making a `String` or an array; the numbers index arrays of values that belong
/// to the keys. Keys are not removed one by one; ``removeAll()`` keeps memory that is still in proportion.
public struct ByteMap: Sendable {
  private struct Slot {
    var hash: UInt64
    var number: Int
  }

  // A slot's number is -1 while it is free; the table is a power of two and at most half full.
  private var slots: [Slot]
  private var arena: [UInt8] = []
  private var ends: [Int] = []

  /// Creates an empty map.
  public init() { slots = Self.free(16) }

  /// The number of keys.
  public var count: Int { ends.count }

  /// Returns the number of a key, or nil.
  public func number(of key: UnsafeRawBufferPointer) -> Int? {
    let hash = quickHash(key)
    let slot = slots[find(key, hash)]
    return slot.number < 0 ? nil : slot.number
  }

  /// Returns the number of a key, or nil; as ``number(of:)``, but faster where the map is stored in mutable memory:
  /// nothing of it is retained for the call.
  public mutating func find(_ key: UnsafeRawBufferPointer) -> Int? {
    find(key, hash: quickHash(key))
  }

  /// Returns the hash of a key, for callers that look it up more than once.
  public static func hash(of key: UnsafeRawBufferPointer) -> UInt64 { quickHash(key) }

  /// Returns the number of a key with a known hash, or nil; as ``find(_:)``.
  public mutating func find(_ key: UnsafeRawBufferPointer, hash: UInt64) -> Int? {
    let slot = slots[find(key, hash)]
    return slot.number < 0 ? nil : slot.number
  }

  /// Returns the number of a key, adding the key if it is new.
  public mutating func insert(_ key: UnsafeRawBufferPointer) -> (number: Int, isNew: Bool) {
    insert(key, hash: quickHash(key))
  }

  /// Returns the number of a key with a known hash, adding the key if it is new.
  public mutating func insert(_ key: UnsafeRawBufferPointer, hash: UInt64) -> (number: Int, isNew: Bool) {
    var slot = find(key, hash)
    if slots[slot].number >= 0 { return (slots[slot].number, false) }
    if 2 * (ends.count + 1) > slots.count {
      grow()
      slot = find(key, hash)
    }
    slots[slot] = Slot(hash: hash, number: ends.count)
    arena.append(contentsOf: key)
    ends.append(arena.count)
    return (ends.count - 1, true)
  }

  /// Calls the closure with the key of a number; the bytes are valid for the duration of the closure.
  public func withKey<R>(_ number: Int, _ body: (UnsafeRawBufferPointer) -> R) -> R {
    let range = self.range(number)
    return arena.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[range])) }
  }

  /// Removes all keys.
  public mutating func removeAll() {
    guard count > 0 else { return }
    if slots.count > 64 * count {
      // A table that was once large would make every later clearing slow.
      slots = Self.free(16)
    } else {
      for slot in slots.indices { slots[slot].number = -1 }
    }
    arena.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
  }

  private static func free(_ count: Int) -> [Slot] {
    [Slot](repeating: Slot(hash: 0, number: -1), count: count)
  }

  private func range(_ number: Int) -> Range<Int> { (number == 0 ? 0 : ends[number - 1])..<ends[number] }

  /// Returns the slot of a key, or the free slot where it belongs.
  private func find(_ key: UnsafeRawBufferPointer, _ hash: UInt64) -> Int {
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: hash) & mask
    while slots[slot].number >= 0 {
      if slots[slot].hash == hash, isKey(slots[slot].number, key) { return slot }
      slot = (slot + 1) & mask
    }
    return slot
  }

  private func isKey(_ number: Int, _ key: UnsafeRawBufferPointer) -> Bool {
    let range = self.range(number)
    return arena.withUnsafeBytes { UnsafeRawBufferPointer(rebasing: $0[range]).hasSameBytes(as: key) }
  }

  private mutating func grow() {
    let old = slots
    slots = Self.free(2 * old.count)
    let mask = slots.count - 1
    for slot in old where slot.number >= 0 {
      var target = Int(truncatingIfNeeded: slot.hash) & mask
      while slots[target].number >= 0 { target = (target + 1) & mask }
      slots[target] = slot
    }
  }
}

extension UnsafeRawBufferPointer {
  /// Returns whether both have the same bytes.
  @inlinable
  package func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count else { return false }
    var index = 0
    while index + 8 <= count {
      let (a, b) = (
        loadUnaligned(fromByteOffset: index, as: UInt64.self),
        other.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      )
      if a != b { return false }
      index += 8
    }
    while index < count {
      if self[index] != other[index] { return false }
      index += 1
    }
    return true
  }
}
