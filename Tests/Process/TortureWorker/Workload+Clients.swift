// The workloads of clients: composers, outboxes, blobs and consumers.
import CrashImages
import EventLogLMDB
import Foundation
import SeededRandom
import Verbatim
import VerbatimUI

extension Workload {
  @MainActor @Sendable static func typing(_ root: String, _ random: SeededRandom) async throws {
    let session = try await Session.populated(root, "chat")
    mark("keystrokes chat")
    mark("compose chat ")
    var (random, count) = (random, 0)
    let channel = session.workspace.client(user: Session.user(0), device: "desk").channel(Session.channel)
    let composer = try await channel.composer()
    for turn in 0..<12 {
      count += try await type(8 + random.below(24), in: composer, "chat", pausing: 12, &random)
      switch turn % 3 {
      case 0:
        count += 1
        mark("compose chat ")
        mark("will-send chat")
        try await composer.send()
        mark("sent chat")
      case 1: try await composer.flush()
      default: try await session.send("m\(turn)", "between")
      }
      // Everything that was typed before a submit returned is on the disk.
      mark("kept chat \(count)")
    }
    try await composer.leave()
    mark("kept chat \(count)")
    await session.workspace.close()
  }

  /// Types random letters, with a mark before each; returns their number.
  @MainActor private static func type(
    _ letters: Int, in composer: LiveComposer, _ name: String, pausing milliseconds: Int, _ random: inout SeededRandom
  ) async throws -> Int {
    for _ in 0..<letters {
      let letter = String(UnicodeScalar(UInt8(97 + random.below(26))))
      mark("compose \(name) \(composer.text + letter)")
      try composer.perform(.type(letter))
      // Without a pause all keystrokes would be in one block.
      if random.below(4) == 0 { try await Task.sleep(for: .milliseconds(random.below(milliseconds))) }
    }
    return letters
  }

  @Sendable static func outbox(_ root: String, _ random: SeededRandom) async throws {
    let session = try await Session.populated(root, "chat")
    mark("outbox outbox chat")
    var random = random
    for round in 0..<4 {
      let outbox = try Outbox(at: root + "/outbox", user: Session.user(0), device: "phone")
      for number in 0..<8 {
        // One message is to a channel that does not exist; a file of 64 KiB of settled entries is compacted.
        try await add(
          "o\(round)-\(number)", to: outbox, "outbox", "chat", &random,
          channel: number == 4 ? "nowhere" : Session.channel, size: 4_900)
      }
      for refused in try await deliver(outbox, "outbox", to: session) where round % 2 == 0 {
        mark("will-forget outbox \(refused)")
        try await outbox.forget(refused)
        mark("forgotten outbox \(refused)")
      }
      // After the compaction that follows a delivery.
      try await add("o\(round)-last", to: outbox, "outbox", "chat", &random)
      await outbox.close()
    }
    await session.workspace.close()
  }

  /// Adds a message to an outbox.
  static func add(
    _ message: String, to outbox: Outbox, _ name: String, _ area: String, _ random: inout SeededRandom,
    channel: Channel.ID = Session.channel, size: Int = 20
  ) async throws {
    let id = AppendID.timeOrdered(at: .now, random: random.next())
    let key = Message.Key(channel, ID(stringLiteral: message))
    mark("want \(area) \(id)")
    mark("will-add \(name) \(id)")
    let text = UserText(String(repeating: "word ", count: size / 5))
    _ = try await retrying { try await outbox.add(.message(key, .send(Message.Content(text))), id: id) }
    mark("added \(name) \(id)")
  }

  /// Delivers an outbox; returns the refused entries.
  @discardableResult
  static func deliver(_ outbox: Outbox, _ name: String, to session: Session) async throws -> [AppendID] {
    let delivery = try await retrying { try await outbox.deliver(to: session.workspace) }
    for (entry, submitted) in delivery.delivered {
      if let receipt = submitted.receipt { try session.have(receipt) }
      mark("delivered \(name) \(entry.id)")
    }
    for refused in delivery.refused { mark("refused \(name) \(refused.entry.id)") }
    return delivery.refused.map(\.entry.id)
  }

  /// The options of the composer of an outbox.
  static var composerOptions: ComposerOptions {
    var options = ComposerOptions()
    options.draftMessagesEnabled = true
    return options
  }

  @MainActor @Sendable static func offline(_ root: String, _ random: SeededRandom) async throws {
    let session = try await Session.populated(root, "chat")
    mark("outbox outbox chat")
    mark("keystrokes chat")
    mark("compose outbox ")
    var (random, count, sent) = (random, 0, 0)
    for round in 0..<3 {
      let outbox = try Outbox(at: root + "/outbox", user: Session.user(0), device: "phone")
      let composer = try await outbox.composer(in: Session.channel, options: composerOptions)
      for turn in 0..<4 {
        count += try await type(4 + random.below(12), in: composer, "outbox", pausing: 4, &random)
        let text = composer.text
        switch turn {
        case 0, 2:
          count += 1
          mark("compose outbox ")
          mark("will-send chat")
          mark("will-post outbox \(text)")
          _ = try await retrying { try await composer.send() }
          mark("posted outbox \(text)")
          sent += 1
        case 3 where round == 2:
          count += 1
          mark("compose outbox ")
          mark("will-draft outbox \(text)")
          try await composer.leave()
          mark("drafted outbox \(text)")
        default: try await retrying { try await composer.flush() }
        }
        mark("kept outbox \(count)")
        if turn == 2 {
          try await deliver(outbox, "outbox", to: session)
          for _ in 0..<sent { mark("sent chat") }
          sent = 0
        }
      }
      await outbox.close()
    }
    await session.workspace.close()
  }

  @Sendable static func blobs(_ root: String, _ random: SeededRandom) async throws {
    let session = try await Session.populated(root, "chat")
    var random = random
    var first: [UInt8] = []
    for number in 0..<12 {
      let bytes = number == 6 ? first : random.noise(number % 4 == 3 ? 60_000 : 900)
      if number == 0 { first = bytes }
      let blob = try await retrying { try await session.workspace.blobs.add(bytes) }
      mark("blob chat \(blob.id)")
      try await session.send("b\(number)", "see \(blob.id)")
    }
    await session.workspace.close()
  }
}

// MARK: Consumers

extension Workload {
  @Sendable static func consumers(_ root: String, _ random: SeededRandom) async throws {
    mark("bot chat")
    mark("keystrokes chat")
    var count = 0
    try await rounds(3, in: root, sending: 9, as: "question") { session, number in
      count += 1
      guard number % 3 == 2 else { return }
      for _ in 0..<3 { mark("will-send chat") }
      try await retrying { try await runBot(in: session.workspace) }
      for _ in 0..<3 { mark("sent chat") }
      mark("replied chat \(count)")
    }
  }

  /// Runs the consumer that replies to each question, until each has a reply.
  static func runBot(in workspace: Workspace) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        try await workspace.consume(as: "bot", from: .beginning) { change, effects in
          guard case .message(let key, .sent) = change.event.change, "\(key.id)".hasPrefix("question") else { return }
          effects.send(UserText("reply to \(key.id)"), in: key.channel)
        }
      }
      group.addTask {
        // Not until its lag is 0: events without effects are passed in its file alone, the write of which may fail.
        while try await !hasReplied(in: workspace) { try await Task.sleep(for: .milliseconds(1)) }
      }
      defer { group.cancelAll() }
      try await group.next()
    }
  }

  private static func hasReplied(in workspace: Workspace) async throws -> Bool {
    let (expected, replies) = try await replies(in: workspace)
    return replies.count >= expected.count
  }

  /// Returns the texts of the replies that the questions in a workspace should have, and of all other messages.
  static func replies(in workspace: Workspace) async throws -> (expected: [String], found: [String]) {
    let messages = try await workspace.read { reading in
      try reading.chat.messages(in: Session.channel, .latest, limit: 1_000).messages
    }
    let isQuestion = { (message: Message) in "\(message.key.id)".hasPrefix("question") }
    return (
      messages.filter(isQuestion).map { "reply to \($0.key.id)" },
      messages.filter { !isQuestion($0) }.map(\.content.text.string)
    )
  }
}
