// Permission checks that distinguish unreadable files from missing and damaged ones.

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

extension FileSystem {
  /// Returns the permission error of examining a path, or of listing it if it is a directory; nil when nothing is
  /// denied, whether or not the path exists.
  package static func denial(at path: String) -> FileError? {
    var status = stat()
    if lstat(path, &status) != 0 { return refusal(errno) }
    guard status.st_mode & S_IFMT == S_IFDIR else { return nil }
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if descriptor < 0 { return refusal(errno) }
    close(descriptor)
    return nil
  }

  private static func refusal(_ code: CInt) -> FileError? {
    code == EACCES || code == EPERM ? FileError(rawValue: code) : nil
  }
}
