// The content of a file of which a power cut left some changes.

/// The content of a file, to which changes are applied in their order, whole or in part.
struct TornContent {
  private(set) var bytes: [UInt8]
  /// Writes that are not or only partly on the disk; a later write to the same sector brings them along.
  private var skipped: [(offset: Int, bytes: [UInt8])] = []

  private static let sector = 512

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Applies the part of a change that is on the disk.
  mutating func add(_ change: Disk.Change, _ part: Disk.Part) {
    switch change.effect {
    case .setSize(_, let size):
      if part == .nothing { return }
      if size < bytes.count { bytes.removeLast(bytes.count - size) }
      grow(to: size)
      // What was cut off before is not written later.
      skipped = skipped.filter { $0.offset < size }.map { ($0.offset, Array($0.bytes.prefix(size - $0.offset))) }
    case .extend(_, let size): if part != .nothing { grow(to: size) }
    case .write(_, let offset, let new): write(new, at: offset, part)
    case .entries: return
    }
  }

  private mutating func grow(to size: Int) {
    if size > bytes.count { bytes += [UInt8](repeating: 0, count: size - bytes.count) }
  }

  private mutating func write(_ new: [UInt8], at offset: Int, _ part: Disk.Part) {
    let range = offset..<offset + new.count
    switch part {
    case .nothing: skipped.append((offset, new))
    case .sizeOnly:
      grow(to: range.upperBound)
      skipped.append((offset, new))
    case .whole: put(new, at: offset, range)
    case .pieces(let size, let seed):
      var start = offset
      while start < range.upperBound {
        let end = min((start / size + 1) * size, range.upperBound)
        if Self.isKept(start / size, seed) {
          put(new, at: offset, start..<end)
        } else {
          skipped.append((start, Array(new[start - offset..<end - offset])))
        }
        start = end
      }
    }
  }

  /// Writes a part of some bytes, after what was skipped in its sectors.
  private mutating func put(_ new: [UInt8], at offset: Int, _ range: Range<Int>) {
    if range.isEmpty { return }
    if !skipped.isEmpty {
      let first = range.lowerBound / Self.sector * Self.sector
      let sectors = first..<(range.upperBound + Self.sector - 1) / Self.sector * Self.sector
      for (offset, bytes) in skipped {
        let there = (offset..<offset + bytes.count).clamped(to: sectors)
        if !there.isEmpty { copy(bytes, at: offset, there) }
      }
    }
    copy(new, at: offset, range)
  }

  private mutating func copy(_ new: [UInt8], at offset: Int, _ range: Range<Int>) {
    grow(to: range.upperBound)
    bytes.withUnsafeMutableBytes { bytes in
      new.withUnsafeBytes { new in
        let source = UnsafeRawBufferPointer(rebasing: new[range.lowerBound - offset..<range.upperBound - offset])
        UnsafeMutableRawBufferPointer(rebasing: bytes[range]).copyMemory(from: source)
      }
    }
  }

  private static func isKept(_ piece: Int, _ seed: UInt64) -> Bool {
    var mixed = (UInt64(piece) &+ 1) &* 0x9E37_79B9_7F4A_7C15 ^ seed
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    return (mixed ^ mixed >> 27) & 1 == 1
  }
}
