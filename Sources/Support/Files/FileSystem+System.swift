// System queries for the modules above: processes, filesystems, mounts and the time since boot.
internal import CFiles

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

extension FileSystem {
  /// Returns whether a process exists.
  package static func isAlive(process: Int32) -> Bool { kill(process, 0) == 0 || errno != ESRCH }

  /// Returns the bytes that are free for this user on the filesystem of a path; nil when the system does not report it.
  package static func freeByteCount(at path: String) -> Int? {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return nil }
    return Int(clamping: UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize)).partialValue)
  }

  /// Returns the bytes that are free for this user on the filesystem of an open file, if it overwrites files in place;
  /// nil for one that writes each change to another place, or when the system does not report it.
  package static func freeByteCount(overwrittenInPlace descriptor: CInt) -> Int? {
    var status = statfs()
    guard fstatfs(descriptor, &status) == 0 else { return nil }
    #if canImport(Glibc)
      if isCopyOnWrite(magic: UInt32(truncatingIfNeeded: status.f_type)) { return nil }
    #else
      let kind = withUnsafeBytes(of: status.f_fstypename) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if kind == "apfs" { return nil }
    #endif
    return Int(clamping: UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_bsize)).partialValue)
  }

  /// Returns whether a filesystem writes each change to another place, by the magic number of Linux's `statfs`.
  static func isCopyOnWrite(magic: UInt32) -> Bool {
    // btrfs, ZFS, bcachefs, F2FS and NILFS.
    [0x9123_683E, 0x2FC1_2FC1, 0xCA45_1A4E, 0xF2F5_2010, 0x0000_3434].contains(magic)
  }

  /// Returns an identifier of this boot of the system and of the filesystem. Unsynced writes of an earlier process
  /// exist only while both are the same.
  ///
  /// It is the same in all mount namespaces, and through all mounts, so that containers agree on it; a disk that lost
  /// writes and is mounted again is not recognised by it. Where the system does not say, no two runs count as the same.
  /// A failure to ask, such as for lack of descriptors, is an error: it would be taken for a restart.
  package static func bootAndDevice(of directory: String) throws(FileError) -> String {
    #if canImport(Glibc)
      let unknown = "unknown \(getpid()) \(Int(time(nil)))\n"
      let descriptor: CInt
      do throws(FileError) { descriptor = try PathEntry(directory).openDirectory() } catch {
        if error.isPermission { return unknown }
        throw error
      }
      defer { close(descriptor) }
      let boot = try systemFacts(at: "/proc/sys/kernel/random/boot_id") ?? ""
      var status = stat()
      guard fstat(descriptor, &status) == 0 else { throw FileError(rawValue: errno) }
      return boot.isEmpty ? unknown : "\(boot)device: \(status.st_dev)\n"
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

  #if canImport(Glibc)
    /// Returns the text of a system file, following links; nil when there is none, or it cannot be read.
    package static func systemText(at path: String) -> String? { try? systemFacts(at: path) }

    /// Returns the text of a system file, following links; nil when there is none, or it is not for this user.
    private static func systemFacts(at path: String) throws(FileError) -> String? {
      let descriptor = open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else {
        let error = FileError(rawValue: errno)
        if error.isPermission || [ENOENT, ENOTDIR].contains(error.rawValue) { return nil }
        throw error
      }
      defer { close(descriptor) }
      return String(decoding: try bytes(of: descriptor, atMost: .max), as: UTF8.self)
    }
  #endif
}

extension FileSystem {
  /// Returns the type of the network filesystem of a path; nil for a local one, or when the system does not report it.
  ///
  /// Byte-range locks and shared maps do not work between machines.
  package static func networkKind(at path: String) -> String? {
    var status = statfs()
    guard statfs(path, &status) == 0 else { return nil }
    #if canImport(Glibc)
      return networkKind(ofMagic: UInt32(truncatingIfNeeded: status.f_type))
    #else
      if status.f_flags & UInt32(MNT_LOCAL) != 0 { return nil }
      return withUnsafeBytes(of: status.f_fstypename) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    #endif
  }

  /// Returns the name of a network filesystem by the magic number of Linux's `statfs`; nil for any other.
  static func networkKind(ofMagic magic: UInt32) -> String? {
    switch magic {
    case 0x6969: "nfs"
    case 0x517B: "smb"
    case 0xFF53_4D42: "cifs"
    case 0xFE53_4D42: "smb2"
    case 0x0102_1997: "9p"
    case 0x5346_414F: "afs"
    case 0x00C3_6400: "ceph"
    case 0x0BD0_0BD0: "lustre"
    case 0x0116_1970: "gfs2"
    case 0x7461_636F: "ocfs2"
    default: nil
    }
  }
}
