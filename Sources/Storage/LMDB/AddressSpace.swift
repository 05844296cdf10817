// The address space of this process: the size that is free, and the maps in it.
internal import Files

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Queries about the address space of this process.
internal enum AddressSpace {
  /// Returns the size of the contiguous address range that is granted, halving the wanted size until it is.
  static func addressesLeft(upTo wanted: Int) -> Int {
    var size = wanted
    while size > 0 {
      // Safe because nothing is ever read or written there: it is unmapped at once.
      if let start = mmap(nil, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | noReserve, -1, 0), start != MAP_FAILED {
        munmap(start, size)
        return size
      }
      size /= 2
    }
    return 0
  }

  #if canImport(Glibc)
    private static let noReserve = MAP_NORESERVE
  #else
    private static let noReserve: CInt = 0
  #endif

  /// Returns the address of a file's map of a given size, other than those given; nil when the system does not report
  /// it.
  static func mapStart(of file: FileIdentity, byteCount: Int, besides mapped: Set<UInt>) -> UInt? {
    #if canImport(Glibc)
      // Each line: start-end permissions offset device inode path.
      for line in FileSystem.systemText(at: "/proc/self/maps")?.split(separator: "\n") ?? [] {
        let columns = line.split(separator: " ", maxSplits: 5)
        guard columns.count >= 5, columns[4] == String(file.inode) else { continue }
        let numbers = columns[3].split(separator: ":").compactMap { UInt64($0, radix: 16) }
        // As `gnu_dev_major` and `gnu_dev_minor`, which Swift does not see, take the number apart.
        let major = file.device >> 8 & 0xFFF | file.device >> 32 & ~0xFFF
        let minor = file.device & 0xFF | file.device >> 12 & ~0xFF
        guard numbers == [major, minor] else { continue }
        let ends = columns[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
        if ends.count == 2, ends[1] - ends[0] == UInt(byteCount), !mapped.contains(ends[0]) { return ends[0] }
      }
    #endif
    return nil
  }
}
