// An erasable workspace with words of two users, and the search for these words in its files.
import Foundation
import Projections
import Testing

@testable import Verbatim

/// An erasable workspace in a temporary directory.
struct ErasableSample {
  let folder = WorkspaceFolder()

  func open(_ choose: (inout Configuration) -> Void = { _ in }) throws -> Workspace {
    try folder.open {
      $0.isErasable = true
      choose(&$0)
    }
  }

  /// Words of ada's, each in another kind of content, and words of ben's.
  static let hers = [
    "Pomegranate", "Quincewords", "Rhubarbfile.png", "Saskatoonname", "Tamarindtyped", "Ugniextra", "Vanillareason",
    "Wineberrynote", "Yuzuoption", "Zucchinilater",
  ]
  static let his = ["Apricotwords", "Blackcurrantname"]

  /// Writes all of these, in one channel, and closes the workspace; returns the blob of ada's picture.
  @discardableResult
  func write() async throws -> Blob {
    let workspace = try open { $0.checkpointDistance = 5 }
    let words = Self.hers.map { UserText($0) }
    try await workspace.submit(.user("ada", .create(User.Profile(name: words[3]))), by: .user("ada"))
    try await workspace.submit(.user("ben", .create(User.Profile(name: UserText(Self.his[1])))), by: .user("ben"))
    try await workspace.submit(
      .channel("general", .create("team", Channel.Profile(name: "Lunch"), ChannelConfig(), members: ["ben"])),
      by: .user("ada"))
    let ada = workspace.client(user: "ada", device: "phone")
    let blob = try await workspace.blobs.add(Array("Lycheecontent".utf8))
    let picture = Attachment("a1", .image, at: .url(blob.url), title: words[2])
    var content = Message.Content(words[0], attachments: [picture])
    content.extra = ["mood": .text(words[5])]
    try await ada.submit(.message(Message.Key("general", "m1"), .send(content)))
    try await workspace.send(Self.his[0], "m2", by: "ben")
    try await ada.submit(.message(Message.Key("general", "m1"), .edit(Message.Edits(text: words[1]))))
    try await ada.submit(
      .draft(Draft.Key(by: "ada", in: "general"), .update(Composition(TypedText(words[4])), editedAt: workspace.now)))
    try await ada.submit(
      .flag(Flag.Key(by: "ada", on: .message(Message.Key("general", "m2"))), .raise(reason: words[6])))
    try await ada.submit(
      .saved(SavedMessage.Key(by: "ada", Message.Key("general", "m2")), .save(note: words[7], remindAt: nil)))
    try await ada.submit(.message(Message.Key("general", "m3"), .send(Message.Content("poll"))))
    try await ada.submit(
      .message(
        Message.Key("general", "m3"), .openPoll([Poll.Option("a", words[8]), Poll.Option("b", "other")], Poll.Rules())))
    try await ada.submit(
      .scheduled(
        ScheduledMessage.Key(by: "ada", Message.Key("general", "m4")),
        .schedule(Message.Content(words[9]), at: workspace.now + .seconds(86_400))))
    // Another person quotes, answers, reacts: what they do stays.
    var answer = Message.Content("Yes", parent: "m1")
    answer.quoted = "m1"
    try await workspace.submit(.message(Message.Key("general", "r1"), .send(answer)), by: .user("ben"))
    _ = await workspace.offThread { workspace in try? workspace.takeSnapshot() }
    #expect(try workspace.projections.checkpoints().count >= 2)
    await workspace.close()
    return blob
  }

  /// Returns the words that any file of a directory has, in any of several encodings.
  func found(_ words: [String], in path: String) throws -> Set<String> {
    var found: Set<String> = []
    for case let url as URL in try #require(
      FileManager.default.enumerator(at: URL(fileURLWithPath: path), includingPropertiesForKeys: nil))
    {
      guard let bytes = try? Data(contentsOf: url) else { continue }
      for word in words where !found.contains(word) {
        let base64 = (0..<3).map { shift in
          Data((String(repeating: "x", count: shift) + word).utf8).base64EncodedData().dropFirst(4).dropLast(4)
        }
        let folded = Data(word.lowercased().utf8)
        let forms =
          [Data(word.utf8), Data(word.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }), folded] + base64
        if forms.contains(where: bytes.has) { found.insert(word) }
      }
    }
    return found
  }

  /// Removes the tables of both sets of projections, so that the next opening folds the log anew.
  func removeTables() {
    let directory = folder.path + "/projections"
    #expect(ProjectionStore.removeUnused(at: directory, keeping: [], unusedFor: .zero).count == 2)
  }

  func digests(_ workspace: Workspace) throws -> [String] {
    try [workspace.projections, workspace.others].compactMap { try $0?.checkpoint() }.flatMap(\.digests).map {
      "\($0.table) \($0.digest)"
    }
  }
}

extension Data {
  /// Returns whether the bytes have a part, without the generic search, which takes seconds for each file.
  fileprivate func has(_ part: Data) -> Bool {
    withUnsafeBytes { bytes in
      part.withUnsafeBytes { part in
        var start = 0
        while start + part.count <= bytes.count,
          let found = memchr(bytes.baseAddress! + start, Int32(part[0]), bytes.count - part.count + 1 - start)
        {
          if memcmp(found, part.baseAddress!, part.count) == 0 { return true }
          start = found - UnsafeMutableRawPointer(mutating: bytes.baseAddress!) + 1
        }
        return false
      }
    }
  }
}
