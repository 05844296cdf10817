// Blobs of tests, and files to add to them, in folders that go with them.
import Foundation
import SeededRandom
import Testing

@testable import Verbatim

/// A folder with blobs and with files to add; removed when it goes away.
final class BlobFolder: Sendable {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "verbatim-blob-tests-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The blobs in it.
  func open(freeSpaceReserve: Int = 0) -> BlobStore { BlobStore(in: path, freeSpaceReserve: freeSpaceReserve) }

  /// Writes a file to add; answers its path.
  @discardableResult
  func write(_ bytes: [UInt8], to name: String = "source") throws -> String {
    let file = path + "/" + name
    try Data(bytes).write(to: URL(filePath: file))
    return file
  }

  /// Makes a file of so many zeros that takes next to nothing on the disk; answers its path.
  func sparse(_ byteCount: UInt64) throws -> String {
    let file = try write([])
    let handle = try #require(FileHandle(forWritingAtPath: file))
    try handle.truncate(atOffset: byteCount)
    try handle.close()
    return file
  }

  /// All files among the blobs, finished or not, below their folder.
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
  /// Where blobs lie, below the folder of the store.
  static func name(of blob: Blob) -> String { "\(blob.id.text.prefix(2))/\(blob.id)" }
}

/// The bytes of a file.
func bytes(of path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: path))) }

/// The mode of a file or folder.
func mode(of path: String) throws -> Int? {
  try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
}
