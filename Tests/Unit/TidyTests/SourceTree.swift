// The package as it lies on disk, found from where this file was compiled.
import Foundation
import Testing

enum SourceTree {
  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Every file from the package's folder on, but for what tools leave behind.
  static let paths: [String] = {
    let leftBehind: Set = [".git", ".build", ".swiftpm", ".DS_Store"]
    let prefix = root.path(percentEncoded: false)
    let walk = FileManager.default.enumerator(at: root, includingPropertiesForKeys: [.isDirectoryKey])
    var paths: [String] = []
    while let url = walk?.nextObject() as? URL {
      if leftBehind.contains(url.lastPathComponent) {
        walk?.skipDescendants()
      } else if (try? url.resourceValues(forKeys: [.isDirectoryKey]).isDirectory) == false {
        paths.append(String(url.path(percentEncoded: false).dropFirst(prefix.count)))
      }
    }
    return paths.sorted()
  }()

  /// Every file that is text.
  static let files: [SourceFile] = paths.compactMap { path in
    guard let bytes = try? Data(contentsOf: root.appending(path: path)), !bytes.contains(0) else {
      return nil
    }
    return String(data: bytes, encoding: .utf8).map { SourceFile(path, $0) }
  }

  static var swift: [SourceFile] { files.filter(\.isSwift) }
  static var scripts: [SourceFile] { files.filter(\.isScript) }

  static let manifest = Manifest(files.first { $0.path == "Package.swift" }?.text ?? "")
}

/// Fails the test once per complaint, so that each stands on a line of its own.
func expectNone(_ complaints: [String], sourceLocation: SourceLocation = #_sourceLocation) {
  for complaint in complaints {
    Issue.record(Comment(rawValue: complaint), sourceLocation: sourceLocation)
  }
}

@Test func `the source tree is found`() {
  #expect(SourceTree.files.contains { $0.path == "Tests/Unit/TidyTests/SourceTree.swift" })
  #expect(SourceTree.manifest.targets.contains { $0.name == "TidyTests" })
}
