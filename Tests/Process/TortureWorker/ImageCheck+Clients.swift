// The check of what clients were promised: composers, outboxes, and a bot.
import Foundation
import Verbatim

extension ImageCheck {
  /// Checks the composer of a workspace, and the outboxes that deliver to it.
  mutating func checkClients(
    _ root: String, _ ledger: Ledger, _ session: Session, at time: UInt64
  ) async throws {
    let text = try text(of: Composer.Key(of: Session.user(0), on: "desk", in: Session.channel), in: session)
    try checkText(text, of: ledger.composers[session.area], session.area, at: time)
    for (name, expected) in ledger.outboxes where expected.area == session.area {
      let outbox = try Outbox(at: root + "/" + name, user: Session.user(0), device: "phone")
      do {
        try await checkOutbox(outbox, expected, ledger.composers[name], session, at: time)
      } catch {
        await outbox.close()
        throw error as? Finding ?? Finding("\(name): \(error)", .reported)
      }
      await outbox.close()
    }
  }

  private func text(of key: Composer.Key, in session: Session) throws -> String {
    try session.workspace.readBlocking { reading in
      try reading.chat.composers(of: key.user).first { $0.key == key }?.content.text.userText.string ?? ""
    }
  }

  /// Checks that a composer has a text that it had: one since the last that must be there.
  private mutating func checkText(
    _ text: String, of expected: Ledger.Composer?, _ name: String, at time: UInt64
  ) throws {
    guard let expected, !expected.texts.isEmpty else { return }
    func isThere(_ texts: ArraySlice<(text: String, time: UInt64)>) -> Bool { texts.contains { $0.text == text } }
    if !isThere(expected.texts[expected.kept...]), isThere(expected.texts[..<expected.kept]) {
      return try losses.add("\(name): the composer has an earlier text, \(text.debugDescription)")
    }
    guard let index = expected.texts.indices[expected.kept...].last(where: { expected.texts[$0].text == text }) else {
      let texts = expected.texts[expected.kept...].map { $0.text.debugDescription }.joined(separator: ", ")
      throw Finding("\(name): the composer has \(text.debugDescription), not one of \(texts)")
    }
    // The keystrokes of an earlier boot have no time.
    if index + 1 < expected.texts.count, expected.texts[index + 1].time > 0 {
      oldestLostKeystroke = max(oldestLostKeystroke, time - expected.texts[index + 1].time)
    }
  }

  /// Checks that every acknowledged entry of an outbox waits, was delivered or refused, and its composer; then delivers
  /// all.
  private mutating func checkOutbox(
    _ outbox: Outbox, _ expected: Ledger.Outbox, _ composer: Ledger.Composer?, _ session: Session, at time: UInt64
  ) async throws {
    if !outbox.damage.isEmpty { throw Finding("the outbox has damage: \(outbox.damage)", .reported) }
    let key = Composer.Key(of: outbox.user, on: outbox.device, in: Session.channel)
    let text = outbox.composer(key)?.content.text.userText.string ?? ""
    try checkText(text, of: composer, "the outbox", at: time)
    try await checkEntries(of: outbox, expected, session, hasComposer: composer != nil)
    guard composer != nil else { return }
    let delivered = try self.text(of: key, in: session)
    try losses.require(delivered == text, "the composer of the outbox has \(text), that of the workspace \(delivered)")
    let (posts, draft) = try await session.workspace.read { reading in
      let messages = try reading.chat.messages(in: key.channel, .latest, limit: 1_000).messages
      let drafts = try reading.chat.drafts(of: key.user, limit: 9).drafts
      // Those of the composer, not those that were added to the outbox as they are.
      let texts = messages.map(\.content.text.string).filter { !$0.contains(" ") }
      return (texts, drafts.first?.content.text.userText.string ?? "")
    }
    try losses.require(posts.count >= expected.posts.done, "\(posts.count) of \(expected.posts) messages are there")
    try losses.require(posts.elementsEqual(expected.posts.begun.prefix(posts.count)), "the messages are \(posts)")
    var others = expected.posts.begun[...]
    let isOrdered = posts.allSatisfy { post in
      others = others.drop { $0 != post }
      return others.popFirst() != nil
    }
    try require(isOrdered, "the messages are \(posts)")
    try losses.require(draft == expected.draft.done || draft == expected.draft.begun, "the draft is \(draft)")
  }

  private func checkEntries(
    of outbox: Outbox, _ expected: Ledger.Outbox, _ session: Session, hasComposer: Bool
  ) async throws {
    let waiting = outbox.waiting.map { "\($0.id)" }
    let refused = Set(outbox.refused.map { "\($0.entry.id)" })
    let order = expected.order.filter { waiting.contains($0) }
    // A composer gives its entries their ids.
    let known = hasComposer ? waiting.filter(expected.order.contains) : waiting
    try require(known == order, "the outbox has other entries, or in another order")
    for (id, state) in expected.states {
      let isInLog = try await session.workspace.receipt(of: AppendID(id)!) != nil
      switch state {
      case .wanted: continue
      case .added:
        try losses.require(waiting.contains(id) || isInLog || refused.contains(id), "the added entry \(id) is lost")
      case .delivered:
        try losses.require(isInLog, "the delivered entry \(id) is not in the log")
        try losses.require(!waiting.contains(id), "the delivered entry \(id) waits again")
      case .refused:
        let isThere = refused.contains(id) && !waiting.contains(id)
        try losses.require(isThere, "the refused entry \(id) is lost or waits again")
      case .leaving: try losses.require(!waiting.contains(id), "the refused entry \(id) waits again")
      case .forgotten:
        try losses.require(!refused.contains(id) && !waiting.contains(id), "the forgotten entry \(id) is there again")
      }
    }
    let events = try session.workspace.store.head().position
    try await outbox.deliver(to: session.workspace)
    try require(outbox.waiting.isEmpty, "entries wait after a delivery")
    let ids = try session.workspace.store.events(from: events.next, limit: .max).map { "\($0.append)" }
    try require(Set(ids).isSubset(of: Set(waiting)), "a delivery appended what did not wait")
  }

  /// Checks that the bot of a workspace replies to each message once.
  func checkBot(_ session: Session, _ seen: Int) async throws {
    let replies = try await Workload.replies(in: session.workspace).found.count
    try losses.require(replies >= seen, "\(session.area): \(replies) of \(seen) replies are there")
    try await Workload.runBot(in: session.workspace)
    let (expected, all) = try await Workload.replies(in: session.workspace)
    try require(all == expected, "\(session.area): the bot's messages are \(all)")
  }
}
