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
      guard let maps = FileSystem.systemText(at: "/proc/self/maps") else { return nil }
      // As `gnu_dev_major` and `gnu_dev_minor`, which Swift does not see, take the number apart.
      let major = file.device >> 8 & 0xFFF | file.device >> 32 & ~0xFFF
      let minor = file.device & 0xFF | file.device >> 12 & ~0xFF
      let columns = " \(hexadecimal(major)):\(hexadecimal(minor)) \(file.inode) "
      // Each line: start-end permissions offset device inode path. Searched by the functions of C, since a process can
      // have thousands of maps, and each opening of a workspace reads them four times.
      return maps.withCString { maps in
        var rest = maps
        while let found = strstr(rest, columns) {
          var line = UnsafePointer(found)
          while line > maps, line[-1] != CChar(UInt8(ascii: "\n")) { line -= 1 }
          var separator: UnsafeMutablePointer<CChar>?
          let start = UInt(strtoul(line, &separator, 16))
          if let separator, UInt(strtoul(separator + 1, nil, 16)) == start + UInt(byteCount), !mapped.contains(start) {
            return start
          }
          rest = UnsafePointer(found + 1)
        }
        return nil
      }
    #else
      return nil
    #endif
  }

  #if canImport(Glibc)
    /// Returns a number in at least two digits.
    private static func hexadecimal(_ number: UInt64) -> String {
      (number < 16 ? "0" : "") + String(number, radix: 16)
    }
  #endif
}
