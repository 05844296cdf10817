// Opening a log on a server with its index, which is stored on this machine.
internal import Errors
internal import EventIndex
public import EventLog
internal import Files

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

extension EventStore {
  /// Opens the log at an address, with its index in a directory of this machine.
  ///
  /// Nothing is read ahead: the index catches up with the log when it is first used.
  public static func open(
    at address: PostgresAddress, options: PostgresLog.Options = PostgresLog.Options(),
    configuration: Configuration = Configuration()
  ) throws(OpenError) -> EventStore {
    let log = try PostgresLog.open(at: address, options: options)
    do throws(LogError) {
      let index = try StoredIndex(of: log, at: log.indexPath)
      return EventStore(log: log, index: index, at: log.derivedPath, configuration: configuration)
    } catch {
      throw OpenError(error)
    }
  }
}

extension PostgresLog {
  /// The directory of the index that this machine keeps of the log.
  internal var indexPath: String { derivedPath + "/index" }
}

extension PostgresLog {
  /// The directories of this machine for data derived from the same copy in other databases.
  internal var otherDerivedPaths: [String] {
    // The identity of a copy has 36 characters.
    let caches = FileSystem.parent(of: derivedPath)
    let name = String(derivedPath.dropFirst(caches.count + 1))
    let copy = name.prefix(36)
    let names = (try? FileSystem.names(in: caches)) ?? []
    return names.filter { $0.hasPrefix(copy) && $0 != name }.sorted().map { caches + "/" + $0 }
  }
}

extension PostgresLog.Options {
  /// Returns the directory of this machine for data derived from a copy of a log in a database, which is created if it
  /// is missing.
  ///
  /// An imported copy of a log has another identity, and a standby the same. A dump that was restored has the same
  /// identity in another database.
  internal func derivedPath(of copy: String, in database: String) throws(OpenError) -> String {
    guard let caches = cacheDirectory ?? Self.defaultCacheDirectory else {
      throw .storage(
        StorageFailure(
          "There is no directory for the index of the log, since neither XDG_CACHE_HOME nor HOME is set: set one, or "
            + "give a cache directory."))
    }
    let path = caches + "/" + copy + "-" + database
    do throws(FileError) { try FileSystem.makeDirectories(path) } catch {
      throw .storage(
        StorageFailure("\(path) cannot be created (\(error)): check that its parent exists and is writable."))
    }
    return path
  }

  private static var defaultCacheDirectory: String? {
    func variable(_ name: String) -> String? {
      getenv(name).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    if let caches = variable("XDG_CACHE_HOME") { return caches + "/verbatim" }
    #if os(macOS)
      return variable("HOME").map { $0 + "/Library/Caches/verbatim" }
    #else
      return variable("HOME").map { $0 + "/.cache/verbatim" }
    #endif
  }
}
