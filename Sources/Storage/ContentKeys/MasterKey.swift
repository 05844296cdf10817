// The key that encrypts the key file.
public import Digests
internal import Files

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The place of the master key of an erasable workspace, with which its key file is encrypted.
public enum MasterKey: Sendable {
  /// A file that only its owner can read: 64 hexadecimal digits. It is created with the workspace if it is missing.
  case file(String)
  /// An environment variable with 64 hexadecimal digits.
  case environment(String)
  /// A callback of the app, which asks a keychain or a key service. It is called when the workspace is opened, and when
  /// another process has replaced the key file.
  case custom(@Sendable () throws -> SecretKey)

  /// The environment variable `VERBATIM_MASTER_KEY` if it is set, or else the file `master-key` of a directory.
  package static func standard(in directory: String) -> MasterKey {
    getenv(variable) == nil ? .file(directory + "/master-key") : .environment(variable)
  }

  private static let variable = "VERBATIM_MASTER_KEY"

  /// Returns the key; for a file whose replacement was interrupted, the new key, too.
  internal func read() throws(KeyError) -> [SecretKey] {
    switch self {
    case .file(let path):
      // In this order: meanwhile, the new key may take the place of the other.
      let next = FileSystem.kind(at: Self.next(path)) == .file ? try Self.read(Self.next(path)) : nil
      guard let key = try Self.read(path) else { throw .master("there is no file \(path)") }
      return [key] + [next].compactMap { $0 }
    case .environment(let name):
      guard let text = getenv(name) else { throw .master("the environment variable \(name) is not set") }
      guard let key = SecretKey(hexadecimal: String(cString: text)) else {
        throw .master("the environment variable \(name) is not 64 hexadecimal digits")
      }
      return [key]
    case .custom(let callback):
      do { return [try callback()] } catch { throw .master("\(error)") }
    }
  }

  /// Creates the file, if it is one and is missing, and makes it durable.
  internal func create() throws(KeyError) {
    guard case .file(let path) = self else { return }
    do throws(FileError) {
      if FileSystem.kind(at: path) == .nothing {
        try FileSystem.create(path, with: SecretKey.random().hexadecimal + "\n")
        try FileSystem.sync(FileSystem.parent(of: path))
      } else {
        // The process that created it may have died before its syncs; the directory may be of another owner.
        try FileSystem.sync(path)
        try FileSystem.syncAbove(FileSystem.parent(of: path))
      }
    } catch {
      throw .storage(path: path, reason: error.description)
    }
  }

  /// Writes a new key beside that of a file, durably, and returns it.
  internal static func createNext(to path: String) throws(KeyError) -> SecretKey {
    let key = SecretKey.random()
    do throws(FileError) {
      try FileSystem.replace(next(path), with: key.hexadecimal + "\n")
      try FileSystem.sync(FileSystem.parent(of: path))
    } catch {
      throw .storage(path: next(path), reason: error.description)
    }
    return key
  }

  /// Puts the new key, if there is one, in the place of the one of a file.
  internal static func takeNext(to path: String) throws(KeyError) {
    guard FileSystem.kind(at: next(path)) == .file else { return }
    do throws(FileError) {
      // A process that was killed while it created the other key may have left it under a second name.
      try FileSystem.removeSecondNames(of: path)
      try FileSystem.rename(next(path), to: path)
      try FileSystem.sync(FileSystem.parent(of: path))
    } catch {
      throw .storage(path: path, reason: error.description)
    }
  }

  private static func next(_ path: String) -> String { path + "-next" }

  /// Returns the key in a file; nil if there is none.
  private static func read(_ path: String) throws(KeyError) -> SecretKey? {
    if FileSystem.isReadableByOthers(path) {
      throw .master("others than the owner of \(path) can read it, which `chmod 600` corrects")
    }
    let text: String?
    do throws(FileError) { text = try FileSystem.contents(of: path) } catch {
      throw .storage(path: path, reason: error.description)
    }
    guard let text else { return nil }
    guard let key = SecretKey(hexadecimal: text.hasSuffix("\n") ? String(text.dropLast()) : text) else {
      throw .master("\(path) does not have 64 hexadecimal digits")
    }
    return key
  }
}
