// Adds files to the blobs of a workspace.
import ChildProcess
import Locks
import Verbatim

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension Worker {
  /// Adds a file; reports and waits for a line after its first chunk, and again when it is added.
  static func addBlob(_ file: String, to blobs: BlobStore) async throws {
    let hasBegun = Locked(false)
    let blob = try await blobs.add(fileAt: file) { _ in
      let isFirst = hasBegun.withLock { hasBegun in
        defer { hasBegun = true }
        return !hasBegun
      }
      if !isFirst { return }
      say("began")
      awaitLine()
    }
    say("added \(blob.id)")
    awaitLine()
  }

  /// Adds a file as a user who owns no files, and then a few bytes; prints both results.
  static func addBlobAsNobody(_ file: String, to blobs: BlobStore) async {
    if geteuid() == 0 {
      setgid(65534)
      setuid(65534)
    }
    do {
      say("added \(try await blobs.add(fileAt: file).id)")
    } catch {
      say("error \(error)")
    }
    do {
      say("added \(try await blobs.add([1, 2, 3]).id)")
    } catch {
      say("error \(error)")
    }
  }
}
