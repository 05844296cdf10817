// The check of what was erased, and of what was not.
import ContentKeys
import EventLogLMDB
import Foundation
import Verbatim

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension ImageCheck {
  /// Completes the erasures that were interrupted, as a user does, and checks that no word of them is in any file.
  func finishErasures(at path: String, _ area: Ledger.Area, _ name: String) throws {
    let erasures: [Erasure]
    do {
      let workspace = try Workspace.open(at: path, creates: false, configuration: Session.configuration())
      defer { workspace.closeBlocking() }
      _ = try workspace.resumeErasuresBlocking()
      let store = try EventStore.open(at: path)
      defer { store.close() }
      erasures = try store.erasures()
    } catch {
      throw Finding("\(name): an erasure does not continue: \(error)", .reported)
    }
    let requested = Self.users(of: erasures)
    for user in area.erased where !requested.contains(user) {
      try losses.add("\(name): the erasure of \(user) is lost")
    }
    let words = area.said.values.filter { $0.isDoomed && requested.contains($0.user) }.map(\.word)
    if words.isEmpty { return }
    for file in try FileManager.default.subpathsOfDirectory(atPath: path).sorted() {
      guard let content = try? Data(contentsOf: URL(filePath: path + "/" + file)) else { continue }
      for word in words where Self.contains(content, word) {
        // A disk that lies may bring a removed file back.
        try losses.add("\(name): the erased word \(word) is in \(file)")
      }
    }
  }

  /// Checks that all words are readable that were not erased, and that no others are.
  func checkWords(_ session: Session, _ area: Ledger.Area) async throws {
    let (workspace, name) = (session.workspace, session.area)
    let report = try ContentReport(of: workspace.store.log)
    try require(report.unreadable == 0, "\(name): \(report.unreadable) events have lost their keys")
    let erased = Self.users(of: try workspace.store.erasures())
    for (id, said) in area.said {
      let key = Message.Key(Session.channel, ID(stringLiteral: id))
      guard let message = try await workspace.read({ try $0.chat.message(key) }) else {
        try losses.add("\(name): the message \(id) is lost")
        continue
      }
      let isErased = said.isDoomed && erased.contains(said.user)
      try require(
        message.content.text.string == (isErased ? "" : said.word) && (message.presence == .erased) == isErased,
        "\(name): the message \(id) of \(said.user) is \(message.presence), “\(message.content.text)”")
    }
  }

  /// Returns whether a content has a word; `firstRange(of:)` of `Data` takes two hundred times as long.
  private static func contains(_ content: Data, _ word: String) -> Bool {
    let word = Array(word.utf8)
    return content.withUnsafeBytes { bytes in
      guard var place = bytes.baseAddress else { return false }
      let end = place + bytes.count
      while let found = memchr(place, CInt(word[0]), end - place) {
        place = UnsafeRawPointer(found)
        if end - place < word.count { return false }
        if memcmp(place, word, word.count) == 0 { return true }
        place += 1
      }
      return false
    }
  }

  private static func users(of erasures: [Erasure]) -> Set<String> {
    Set(erasures.compactMap { if case .user(let user) = $0.scope { user.text } else { nil } })
  }
}
