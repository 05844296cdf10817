// The files and directories that a power cut left.
internal import Digests
import Foundation

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Files and directories with their paths, from the root of a ``Disk``.
package struct DiskImage: Sendable {
  /// The directories, each after the one that it is in.
  package internal(set) var directories: [String] = []
  /// The files; `isMapped` if programs changed them without calls, so that their content is arbitrary.
  package var files: [(path: String, bytes: [UInt8], isMapped: Bool)] = []

  init() {}

  /// Reads the files and directories below a directory; LMDB's lock files have arbitrary content.
  package init(contentsOf root: String) throws {
    for path in try FileManager.default.subpathsOfDirectory(atPath: root).sorted() {
      var isDirectory: ObjCBool = false
      if FileManager.default.fileExists(atPath: root + "/" + path, isDirectory: &isDirectory), isDirectory.boolValue {
        directories.append(path)
      } else {
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: root + "/" + path)))
        files.append((path, bytes, path.hasSuffix("/lock.mdb")))
      }
    }
  }

  /// An error of writing an image.
  package struct NotWritten: Error {
    package let path: String
    package let code: CInt
  }

  /// Returns a hash of the directories, paths and contents.
  package var hash: UInt64 {
    var hashes: [UInt64] = []
    func add(_ bytes: [UInt8]) { hashes.append(bytes.withUnsafeBytes { quickHash($0) }) }
    for directory in directories { add(Array(directory.utf8) + [0]) }
    for file in files {
      add(Array(file.path.utf8) + [1])
      if !file.isMapped { add(file.bytes) }
    }
    return hashes.withUnsafeBytes { quickHash($0) }
  }

  /// Writes the image into a directory, which must be empty; a mapped file gets random content.
  package func write(to root: String, seed: UInt64) throws {
    for directory in directories {
      guard mkdir(root + "/" + directory, 0o700) == 0 else { throw NotWritten(path: directory, code: errno) }
    }
    for file in files {
      let descriptor = open(root + "/" + file.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { throw NotWritten(path: file.path, code: errno) }
      defer { close(descriptor) }
      let bytes = file.isMapped ? Self.noise(file.bytes.count, seed) : file.bytes
      let written = bytes.withUnsafeBytes { Self.write($0, to: descriptor) }
      guard written, ftruncate(descriptor, off_t(bytes.count)) == 0 else {
        throw NotWritten(path: file.path, code: errno)
      }
    }
  }

  /// Writes the bytes, with holes in place of pages of zeros; whether that worked.
  private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: CInt) -> Bool {
    var start = 0
    while start < bytes.count {
      let count = min(1 << 20, bytes.count - start)
      guard pwrite(descriptor, bytes.baseAddress! + start, count, off_t(start)) == count else { return false }
      start += count
    }
    return true
  }

  private static func noise(_ count: Int, _ seed: UInt64) -> [UInt8] {
    // Every second image has zeros, as after a file system dropped what was never written back.
    if seed % 2 == 0 { return [UInt8](repeating: 0, count: count) }
    // In words: each image has some of these files, and each of their bytes would take longer than the rest of it.
    var state = seed
    var words = [UInt64](repeating: 0, count: (count + 7) / 8)
    for index in words.indices {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      words[index] = state ^ state >> 32
    }
    return words.withUnsafeBytes { Array($0.prefix(count)) }
  }
}
