// The identity of a file, whatever its path.
internal import CFiles

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The device and the inode of a file, which are the same by every path and link to it.
package struct FileIdentity: Hashable, Sendable {
  /// The number of the device.
  package let device: UInt64
  /// The number of the file on the device.
  package let inode: UInt64

  private init(_ status: stat) { (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino)) }

  private init(device: UInt64, inode: UInt64) { (self.device, self.inode) = (device, inode) }

  /// Creates the identity of an open file; nil when the system does not report it.
  package init?(of descriptor: CInt) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Creates the identity of the file at a path; nil when there is none.
  package init?(at path: String) {
    guard let status = FileSystem.status(of: path) else { return nil }
    self.init(status)
  }

  /// Returns the identity of the file at a path by one system call that does not query the file's times; nil when there
  /// is none.
  ///
  /// Links are followed, except in the last component.
  package static func withoutTimes(at path: String) -> FileIdentity? {
    #if canImport(Glibc)
      var (device, inode) = (UInt64(0), UInt64(0))
      if verbatim_identity(path, &device, &inode) == 0 { return FileIdentity(device: device, inode: inode) }
    #endif
    var status = stat()
    return lstat(path, &status) == 0 ? FileIdentity(status) : nil
  }
}
