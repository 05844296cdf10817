// Detection of filesystems that cannot hold an environment.
internal import CLMDB

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Queries about the filesystem of a path.
internal enum FileSystem {
  /// Returns the type of the network filesystem of a path; nil for a local one, or when the system does not report it.
  ///
  /// "Do not use LMDB databases on remote filesystems": byte-range locks and shared maps do not work between machines.
  static func networkKind(at path: String) -> String? {
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
