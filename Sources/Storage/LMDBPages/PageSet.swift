// A bit set of page numbers, as large as the file.
#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A bit set with one bit for each page of the file, and a list for free pages after its end.
///
/// The bits are fresh zero pages from the system, which take no memory until written: a huge sparse file costs address
/// space only.
final class PageSet {
  private let words: UnsafeMutablePointer<UInt64>
  private(set) var beyond: Set<PageNumber> = []

  /// The number of pages that the bits cover: the numbers below this.
  let limit: UInt64

  init(limit: UInt64) throws(DataFileError) {
    let count = Int(limit / 64) + 1
    guard let memory = calloc(count, 8) else { throw .outOfMemory(bytes: count * 8) }
    // Safe because the memory is ours alone, aligned for any type, and every bit pattern is a UInt64.
    words = memory.bindMemory(to: UInt64.self, capacity: count)
    self.limit = limit
  }

  deinit { free(words) }

  func contains(_ page: PageNumber) -> Bool {
    guard page.rawValue < limit else { return beyond.contains(page) }
    return words[Int(page.rawValue / 64)] & bit(page) != 0
  }

  /// Adds a page; returns false when it was in the set already.
  func insert(_ page: PageNumber) -> Bool {
    guard page.rawValue < limit else { return beyond.insert(page).inserted }
    if contains(page) { return false }
    words[Int(page.rawValue / 64)] |= bit(page)
    return true
  }

  /// Returns the runs of pages within a range that are in neither set; both sets must have the same limit.
  func gaps(with other: PageSet, in range: Range<UInt64>) -> [Range<UInt64>] {
    var gaps: [Range<UInt64>] = []
    var next = range.lowerBound
    while next < range.upperBound {
      let known = (words[Int(next / 64)] | other.words[Int(next / 64)]) >> (next % 64)
      let left = 64 - next % 64
      let isGap = known & 1 == 0
      let run = min(UInt64((isGap ? known : ~known).trailingZeroBitCount), left, range.upperBound - next)
      if isGap, let last = gaps.last, last.upperBound == next {
        gaps[gaps.count - 1] = last.lowerBound..<next + run
      } else if isGap {
        gaps.append(next..<next + run)
      }
      next += run
    }
    return gaps
  }

  /// The pages that the bits cover and the set has, in ascending order.
  var members: some Sequence<PageNumber> {
    (0...limit / 64).lazy.flatMap { word in
      let bits = self.words[Int(word)]
      return (0..<64 as Range<UInt64>).lazy.filter { bits & (1 << $0) != 0 }.map { PageNumber(word * 64 + $0) }
    }
  }

  private func bit(_ page: PageNumber) -> UInt64 { 1 << (page.rawValue % 64) }
}
