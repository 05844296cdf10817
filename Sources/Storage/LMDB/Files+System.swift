// What modules above need to know of the system: memory, processes, mounts and time since it was started.

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

extension Files {
  /// Whether a process is there.
  package static func isAlive(process: Int32) -> Bool { kill(process, 0) == 0 || errno != ESRCH }

  /// The bytes that are free for this user on the filesystem of a path; nil when the system does not tell.
  package static func freeByteCount(at path: String) -> Int? {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return nil }
    return Int(clamping: UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize)).partialValue)
  }

  /// What must be the same for unsynced writes of an earlier process to be still there: this run of the system and
  /// this mount of the filesystem.
  package static func bootAndMount(of directory: String) -> String {
    #if canImport(Glibc)
      let boot = systemText(at: "/proc/sys/kernel/random/boot_id") ?? ""
      let descriptor = (try? PathEntry(directory).openDirectory()) ?? -1
      defer { if descriptor >= 0 { close(descriptor) } }
      let facts = systemText(at: "/proc/self/fdinfo/\(descriptor)") ?? ""
      let mount = facts.split(separator: "\n").first { $0.hasPrefix("mnt_id:") } ?? ""
      // Without an answer no two runs are the same.
      return boot.isEmpty || mount.isEmpty ? "unknown \(getpid()) \(Int(time(nil)))\n" : "\(boot)\(mount)\n"
    #else
      var boot = [UInt8](repeating: 0, count: 64)
      var count = boot.count
      sysctlbyname("kern.bootsessionuuid", &boot, &count, nil, 0)
      return String(decoding: boot.prefix { $0 != 0 }, as: UTF8.self) + "\n"
    #endif
  }

  /// A process by its number and what can be said of it, for somebody who waits for it.
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

  /// How many bytes of addresses can be had in one piece, by halving what is wanted until it is granted.
  static func addressesLeft(upTo wanted: Int) -> Int {
    var size = wanted
    while size > 0 {
      // Safe because nothing is ever read or written there: it is given back at once.
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

  /// The address that the beginning of a file is mapped to, of so many bytes; nil when the system does not tell.
  static func mapStart(device: UInt64, inode: UInt64, byteCount: Int) -> UInt? {
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
        if ends.count == 2, ends[1] - ends[0] == UInt(byteCount) { return ends[0] }
      }
    #endif
    return nil
  }

  #if canImport(Glibc)
    /// A text that the system makes, whatever links lead to it; nil when there is none.
    static func systemText(at path: String) -> String? {
      let descriptor = open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return nil }
      defer { close(descriptor) }
      return (try? bytes(of: descriptor, atMost: .max)).map { String(decoding: $0, as: UTF8.self) }
    }
  #endif
}
