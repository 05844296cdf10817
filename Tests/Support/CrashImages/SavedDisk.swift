// A disk stored in a directory: what was there before a trace began.
import Foundation

extension Disk {
  /// Stores everything below a directory with its inode numbers, so that ``init(savedIn:)`` creates its disk later.
  package static func save(contentsOf directory: String, in saved: String) throws {
    let manager = FileManager.default
    try manager.createDirectory(atPath: saved, withIntermediateDirectories: true)
    var lines = ["\(try status(of: directory).inode) d"]
    for path in try manager.subpathsOfDirectory(atPath: directory).sorted() {
      let (inode, isDirectory) = try status(of: directory + "/" + path)
      if !isDirectory { try manager.copyItem(atPath: directory + "/" + path, toPath: "\(saved)/\(inode)") }
      lines.append("\(inode) \(isDirectory ? "d" : "f") \(path)")
    }
    try lines.joined(separator: "\n").write(toFile: saved + "/inodes", atomically: false, encoding: .utf8)
  }

  /// Creates a disk on which everything is certain that was stored in a directory.
  package init(savedIn saved: String) throws {
    let lines = try String(contentsOfFile: saved + "/inodes", encoding: .utf8).split(separator: "\n")
    var inodes: [Substring: UInt64] = [:]
    self.init(root: 0)
    for line in lines {
      let words = line.split(separator: " ", maxSplits: 2)
      let inode = UInt64(words[0]) ?? 0
      guard words.count == 3 else {
        self.init(root: inode)
        inodes[""] = inode
        continue
      }
      let (path, isDirectory) = (words[2], words[1] == "d")
      let slash = path.lastIndex(of: "/")
      inodes[path] = inode
      guard let parent = inodes[slash.map { path[..<$0] } ?? ""] else { continue }
      let bytes = isDirectory ? [] : Array(try Data(contentsOf: URL(fileURLWithPath: "\(saved)/\(inode)")))
      let name = slash.map { path[path.index(after: $0)...] } ?? path
      addCertain(String(name), inode: inode, in: parent, isDirectory: isDirectory, bytes: bytes)
    }
  }

  private static func status(of path: String) throws -> (inode: UInt64, isDirectory: Bool) {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    let inode = (attributes[.systemFileNumber] as? NSNumber)?.uint64Value ?? 0
    return (inode, attributes[.type] as? FileAttributeType == .typeDirectory)
  }
}
