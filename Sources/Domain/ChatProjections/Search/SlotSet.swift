// A set of texts of one run.
internal import Bytes

/// A bit set of texts of one run, by slot.
package struct SlotSet {
  /// The greatest slot that a run can have.
  static let slotMax: UInt64 = 0xFFFF

  private var bits: [UInt64]

  /// Creates a set for the slots of a run; other slots are ignored.
  package init(count: UInt64) { bits = Array(repeating: 0, count: Int(count + 63) / 64) }

  var isEmpty: Bool { bits.allSatisfy { $0 == 0 } }

  mutating func removeAll() {
    for index in bits.indices { bits[index] = 0 }
  }

  package mutating func insert(_ slot: Int) {
    if slot >> 6 < bits.count { bits[slot >> 6] |= 1 << UInt64(slot & 63) }
  }

  /// Inserts the slots of a stored list: the first slot, then the difference of each to the next.
  mutating func insert(listIn range: Range<Int>, of bytes: RawSpan) {
    var reader = ByteReader(bytes, from: range.lowerBound, to: range.upperBound)
    var slot = 0
    while let step = reader.varint() {
      slot += Int(step)
      insert(slot)
    }
  }

  package mutating func formIntersection(_ other: SlotSet) {
    for index in bits.indices { bits[index] &= other.bits[index] }
  }

  /// Returns the greatest slot below another; nil when there is none.
  package func slot(below limit: Int) -> Int? {
    var end = min(limit, bits.count << 6)
    while end > 0 {
      let word = (end - 1) >> 6
      let shift = UInt64(63 - (end - 1) & 63)
      let rest = bits[word] << shift
      if rest != 0 { return end - 1 - rest.leadingZeroBitCount }
      end = word << 6
    }
    return nil
  }
}
