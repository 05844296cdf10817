// System queries for the modules above: memory, processes, mounts and the time since boot.

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

extension Files {
  /// Returns whether a process exists.
  package static func isAlive(process: Int32) -> Bool { kill(process, 0) == 0 || errno != ESRCH }

  /// Returns the bytes that are free for this user on the filesystem of a path; nil when the system does not report it.
  package static func freeByteCount(at path: String) -> Int? {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return nil }
    return Int(clamping: UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize)).partialValue)
  }

  /// Returns an identifier of this boot of the system and this mount of the filesystem: unsynced writes of an earlier
  /// process still exist only while both are the same.
  package static func bootAndMount(of directory: String) -> String {
    #if canImport(Glibc)
      let boot = systemText(at: "/proc/sys/kernel/random/boot_id") ?? ""
      let descriptor = (try? PathEntry(directory).openDirectory()) ?? -1
      defer { if descriptor >= 0 { close(descriptor) } }
      let facts = systemText(at: "/proc/self/fdinfo/\(descriptor)") ?? ""
      let mount = facts.split(separator: "\n").first { $0.hasPrefix("mnt_id:") } ?? ""
      // Without these facts no two runs count as the same.
      return boot.isEmpty || mount.isEmpty ? "unknown \(getpid()) \(Int(time(nil)))\n" : "\(boot)\(mount)\n"
    #else
      var boot = [UInt8](repeating: 0, count: 64)
      var count = boot.count
      sysctlbyname("kern.bootsessionuuid", &boot, &count, nil, 0)
      return String(decoding: boot.prefix { $0 != 0 }, as: UTF8.self) + "\n"
    #endif
  }

  /// Returns a description of a process for messages to a user who waits for it.
  package static func describe(process: Int32) -> String {
    #if canImport(Glibc)
      // After the name in parentheses, the second field is the state.
      guard let line = systemText(at: "/proc/\(process)/stat"), let open = line.firstIndex(of: "("),
        let close = line.lastIndex(of: ")")
      else { return "\(process)" }
      let name = line[line.index(after: open)..<close]
      let isStopped = line[close...].dropFirst(2).first.map { "Tt".contains($0) } ?? false
      return isStopped ? "\(process) (\(name), stopped)" : "\(process) (\(name))"
    #else
      return "\(process)"
    #endif
  }

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
  static func mapStart(device: UInt64, inode: UInt64, byteCount: Int, besides mapped: Set<UInt>) -> UInt? {
    #if canImport(Glibc)
      // Each line: start-end permissions offset device inode path.
      for line in systemText(at: "/proc/self/maps")?.split(separator: "\n") ?? [] {
        let columns = line.split(separator: " ", maxSplits: 5)
        guard columns.count >= 5, columns[4] == String(inode) else { continue }
        let numbers = columns[3].split(separator: ":").compactMap { UInt64($0, radix: 16) }
        // As `gnu_dev_major` and `gnu_dev_minor`, which Swift does not see, take the number apart.
        let major = device >> 8 & 0xFFF | device >> 32 & ~0xFFF
        let minor = device & 0xFF | device >> 12 & ~0xFF
        guard numbers == [major, minor] else { continue }
        let ends = columns[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
        if ends.count == 2, ends[1] - ends[0] == UInt(byteCount), !mapped.contains(ends[0]) { return ends[0] }
      }
    #endif
    return nil
  }

  #if canImport(Glibc)
    /// Returns the text of a system file, following links; nil when there is none.
    static func systemText(at path: String) -> String? {
      let descriptor = open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return nil }
      defer { close(descriptor) }
      return (try? bytes(of: descriptor, atMost: .max)).map { String(decoding: $0, as: UTF8.self) }
    }
  #endif
}
