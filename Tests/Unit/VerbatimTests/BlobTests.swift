// Threat: an attachment is lost, changed, or stored more than once.
import ChildProcess
import Digests
import Dispatch
import Foundation
import Locks
import PostgresServer
import SeededRandom
import Testing

@testable import Verbatim

@Suite struct `Blobs in a store` {
  private let folder: BlobFolder

  init() throws { folder = try BlobFolder() }

  @Test(arguments: [0, 1, 1000, 1 << 20 - 1, 1 << 20, 1 << 20 + 1, 3 << 20 + 7])
  func `a blob is read as it was added, under the BLAKE2b-256 of its bytes`(count: Int) async throws {
    var random = SeededRandom.printingSeed()
    let (blobs, content) = (folder.open(), random.noise(count))
    let blob = try await blobs.add(fileAt: try folder.write(content))
    #expect(blob.byteCount == count)
    #expect(blob.id.text == content.withUnsafeBytes { ChainHash(of: $0, after: nil) }.description)
    #expect(blob.url.string == "blob:" + blob.id.text)
    #expect(try await blobs.add(content) == blob)
    #expect(try await blobs.read(blob.id) == content)
    try await blobs.verify(blob.id)
    let path = try #require(blobs.path(of: blob.url))
    #expect(blobs.path(of: blob.id) == path)
    #expect(try bytes(of: path) == content)
    #expect(folder.files == [BlobStore.name(of: blob)])
  }

  @Test func `the id of a content never changes`() async throws {
    let blob = try await folder.open().add(Array("abc".utf8))
    #expect(blob.id.text == "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319")
  }

  @Test func `a blob attached to a message by its URL is found by it after reopening the workspace`()
    async throws
  {
    let there = WorkspaceFolder()
    let workspace = try there.open()
    try await workspace.populate()
    let blob = try await workspace.blobs.add([1, 2, 3])
    var content = Message.Content("look")
    content.attachments = [Attachment("a1", .image, at: .url(blob.url), byteCount: UInt64(blob.byteCount))]
    let key = Message.Key("general", "m1")
    try await workspace.submit(.message(key, .send(content)), by: .user("ada"))
    await workspace.close()

    let again = try there.open()
    let message = try #require(try await again.read { try $0.chat.message(key) })
    guard case .url(let url) = try #require(message.content.attachments.first).location else {
      Issue.record("it lies nowhere")
      return
    }
    #expect(try await again.blobs.read(try #require(Blob.ID(url: url))) == [1, 2, 3])
    #expect(try bytes(of: try #require(again.blobs.path(of: url))) == [1, 2, 3])
    await again.close()
  }

  @Test func `no other URL leads to a blob`() async throws {
    let blobs = folder.open()
    let blob = try await blobs.add([1])
    let digits = blob.id.text
    #expect(Blob.ID(url: blob.url) == blob.id && Blob.ID(digits) == blob.id)
    let others: [String] = [
      "", "blob:", digits, "https://example.org/a.png", "BLOB:" + digits, "blob:" + digits.uppercased(),
      "blob:" + digits.dropLast(), "blob:0" + digits, "blob:../" + digits.dropLast(3),
      "blob:" + digits.dropLast(2) + "é",
    ]
    for other in others {
      #expect(Blob.ID(url: UserText(other)) == nil && blobs.path(of: UserText(other)) == nil, "\(other)")
    }
    #expect(blobs.path(of: try #require(Blob.ID(String(repeating: "0", count: 64)))) == nil)
  }

  @Test func `concurrent adds of equal content in one process store one blob`() async throws {
    let (folder, content) = (folder, [UInt8](repeating: 7, count: 3 << 20))
    let source = try folder.write(content)
    let (one, other) = (folder.open(), folder.open())
    let added = try await withThrowingTaskGroup(of: Blob.self) { group in
      for number in 0..<16 {
        let blobs = number.isMultiple(of: 2) ? one : other
        group.addTask {
          try await number < 8 ? blobs.add(fileAt: source) : blobs.add(content)
        }
      }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    let blob = try #require(added.first)
    #expect(added == [blob] && folder.files == [BlobStore.name(of: blob)])
    #expect(try await one.read(blob.id) == content)
  }

  @Test func `adding a blob does not wait for a slow one`() async throws {
    let (blobs, source, end) = (folder.open(), try folder.sparse(3 << 20), DispatchSemaphore(value: 0))
    async let slow = blobs.add(fileAt: source) { _ in
      #expect(throws: Never.self) { try end.wait(for: "the end of the other blob") }
      end.signal()
    }
    let blob = try await blobs.add([1])
    #expect(try await blobs.read(blob.id) == [1])
    end.signal()
    #expect(try await slow.byteCount == 3 << 20)
  }

  @Test func `only the owner can read the files of blobs`() async throws {
    let blobs = folder.open()
    let source = try folder.write([1, 2, 3])
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: source)
    let path = try #require(blobs.path(of: try await blobs.add(fileAt: source).id))
    #expect(try mode(of: path) == 0o600)
    #expect(try mode(of: blobs.path) == 0o700)
    #expect(try mode(of: (path as NSString).deletingLastPathComponent) == 0o700)
    #expect(try mode(of: blobs.path + "/unfinished") == 0o700)
  }

  @Test func `progress is reported while copying, and complete only once the blob is on the disk`() async throws {
    let (told, blobs) = (Locked<[Double]>([]), folder.open())
    _ = try await blobs.add(fileAt: try folder.sparse(4 << 20)) { part in told.withLock { $0.append(part) } }
    #expect(told.withLock { $0 } == [0.25, 0.5, 0.75, 1])
    told.withLock { $0 = [] }
    _ = try await blobs.add(fileAt: try folder.write([])) { part in told.withLock { $0.append(part) } }
    #expect(told.withLock { $0 } == [1])
  }
}

@Suite struct `A damaged blob` {
  private let folder: BlobFolder

  init() throws { folder = try BlobFolder() }

  @Test(.directoryOnly("a damaged copy is replaced by the one on the server"))
  func `reading a damaged blob throws, and adding its content again repairs it`() async throws {
    let (blobs, content) = (folder.open(), [UInt8](repeating: 7, count: 2 << 20 + 9))
    let blob = try await blobs.add(content)
    let path = try #require(blobs.path(of: blob.id))
    var flipped = content
    flipped[1 << 20] ^= 1
    for damaged in [flipped, content.dropLast(), content + [0], []] {
      try Data(damaged).write(to: URL(filePath: path))
      await #expect(throws: BlobError.damaged(blob.id, path: path)) { try await blobs.verify(blob.id) }
      await #expect(throws: BlobError.damaged(blob.id, path: path)) { _ = try await blobs.read(blob.id) }
      #expect(try await blobs.add(content) == blob)
      #expect(try await blobs.read(blob.id) == content)
    }
    #expect(folder.files == [BlobStore.name(of: blob)])
  }

  @Test(.directoryOnly("a blob whose copy is missing is read from the server"))
  func `a damaged blob and a missing one are different errors`() async throws {
    let blobs = folder.open()
    let blob = try await blobs.add([1])
    try FileManager.default.removeItem(atPath: try #require(blobs.path(of: blob.id)))
    await #expect(throws: BlobError.notHere(blob.id, path: blobs.path)) { try await blobs.verify(blob.id) }
    await #expect(throws: BlobError.notHere(blob.id, path: blobs.path)) { _ = try await blobs.read(blob.id) }
    #expect(blobs.path(of: blob.id) == nil)
  }
}
