// The directory that the benchmarks write to: on a disk, and removed at the end.
import Dispatch
import Foundation

/// A directory of this run.
struct Disk {
  let path: String
  private let interrupts: [any DispatchSourceSignal]

  /// Creates a directory in the given one, which must not be on a memory file system.
  init(at parent: String) throws {
    guard !Self.isInMemory(parent) else {
      throw Usage(message: "\(parent) lies in memory, where nothing is durable: give --dir a path on a disk")
    }
    try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
    let path = Self.absolute(parent) + "/run-\(getpid())"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    self.path = path
    interrupts = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        try? FileManager.default.removeItem(atPath: path)
        _exit(128 + number)
      }
      source.resume()
      return source
    }
  }

  func removeAll() { try? FileManager.default.removeItem(atPath: path) }

  /// Passes a new directory to the body and removes it afterwards; the removal is synced before the next measurement.
  func withDirectory<R>(_ body: (String) throws -> R) throws -> R {
    let directory = try makeDirectory()
    defer {
      try? FileManager.default.removeItem(atPath: directory)
      settle()
    }
    return try body(directory)
  }

  func makeDirectory() throws -> String {
    let directory = path + "/" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
    return directory
  }

  /// Waits until the filesystem has written its directory changes.
  func settle() {
    let descriptor = open(path, O_RDONLY)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  /// Returns the size of the files at a path: their length, and the space allocated on the disk.
  func size(of path: String) -> (logical: Int, onDisk: Int) {
    let below = FileManager.default.subpaths(atPath: path) ?? []
    var total = (logical: 0, onDisk: 0)
    for file in [path] + below.map({ path + "/" + $0 }) {
      var status = stat()
      guard stat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
      total.logical += Int(status.st_size)
      total.onDisk += Int(status.st_blocks) * 512
    }
    return total
  }

  private static func absolute(_ path: String) -> String {
    URL(filePath: path).resolvingSymlinksInPath().standardizedFileURL.path(percentEncoded: false)
  }

  private static func isInMemory(_ path: String) -> Bool {
    #if os(Linux)
      let mounts = (try? String(contentsOfFile: "/proc/self/mounts", encoding: .utf8)) ?? ""
      let real = absolute(path)
      var nearest = (length: 0, kind: "")
      for line in mounts.split(separator: "\n") {
        let fields = line.split(separator: " ").map(String.init)
        guard fields.count > 2, fields[1].count >= nearest.length else { continue }
        let isAbove = fields[1] == "/" || real == fields[1] || real.hasPrefix(fields[1] + "/")
        if isAbove { nearest = (fields[1].count, fields[2]) }
      }
      return ["tmpfs", "ramfs"].contains(nearest.kind)
    #else
      return false
    #endif
  }
}
