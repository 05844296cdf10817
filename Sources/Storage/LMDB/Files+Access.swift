// What the system does not let this user look at: no file that is missing, and none that is damaged.

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

extension Files {
  /// Why a user may not look at what is at a path, or list the directory that is there; nil where nothing forbids it,
  /// whether there is something or not.
  package static func denial(at path: String) -> LMDBError? {
    var status = stat()
    if lstat(path, &status) != 0 { return refusal(errno) }
    guard status.st_mode & S_IFMT == S_IFDIR else { return nil }
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if descriptor < 0 { return refusal(errno) }
    close(descriptor)
    return nil
  }

  private static func refusal(_ code: CInt) -> LMDBError? {
    code == EACCES || code == EPERM ? LMDBError(rawValue: code) : nil
  }
}
