// Blob stores of tests, with files to add, in temporary directories.
import EventLogPostgres
import Foundation
import PostgresServer
import SeededRandom
import Testing

@testable import Verbatim

/// A temporary directory with blobs and files to add; removed with the object.
///
/// With VERBATIM_TESTS_ON_POSTGRES=1 the blobs are on a server, and the directory has copies of them.
final class BlobFolder: Sendable {
  let path: String
  private let machine = Machine()
  private let server: PostgresLog?

  init() throws {
    server = PostgresServer.isChosen ? try machine.makeStore(.new()).log as? PostgresLog : nil
    path = NSTemporaryDirectory() + "verbatim-blob-tests-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Opens the blob store in the directory.
  func open(freeSpaceReserve: Int = 0) -> BlobStore {
    BlobStore(in: path, freeSpaceReserve: freeSpaceReserve, on: server)
  }

  /// Writes a file to add; returns its path.
  @discardableResult
  func write(_ bytes: [UInt8], to name: String = "source") throws -> String {
    let file = path + "/" + name
    try Data(bytes).write(to: URL(filePath: file))
    return file
  }

  /// Creates a sparse file of zeros; returns its path.
  func sparse(_ byteCount: UInt64) throws -> String {
    let file = try write([])
    let handle = try #require(FileHandle(forWritingAtPath: file))
    try handle.truncate(atOffset: byteCount)
    try handle.close()
    return file
  }

  /// The relative paths of all files among the blobs, finished or not.
  var files: [String] {
    let blobs = path + "/blobs"
    let below = FileManager.default.subpaths(atPath: blobs) ?? []
    return below.filter { name in
      var isFolder: ObjCBool = false
      return FileManager.default.fileExists(atPath: blobs + "/" + name, isDirectory: &isFolder) && !isFolder.boolValue
    }.sorted()
  }
}

extension BlobStore {
  /// Returns the path of a blob's file relative to the store.
  static func name(of blob: Blob) -> String { "\(blob.id.text.prefix(2))/\(blob.id)" }
}

/// Returns the bytes of a file.
func bytes(of path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: path))) }

/// Returns the mode of a file or directory.
func mode(of path: String) throws -> Int? {
  try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
}
