// The scenes of the demo: a conversation is recorded, shown, and replayed from its log.
import Foundation
import VerbatimUI

@main
struct Scenes {
  static func main() async {
    do {
      switch Array(CommandLine.arguments.dropFirst()) {
      case let words where words.count == 2 && words[0] == "record": try await record(at: words[1])
      case let words where words.count == 2 && words[0] == "show": try await show(at: words[1])
      case let words where words.count == 2 && words[0] == "write": try await write(at: words[1])
      case let words where words.count == 2 && words[0] == "break-off": try await breakOff(at: words[1])
      case let words where words.count == 2 && words[0] == "go-on": try await goOn(at: words[1])
      case let words where words.count == 2 && words[0] == "phone": try await leaveOnPhone(at: words[1])
      case let words where words.count == 2 && words[0] == "desk": try await finishAtDesk(at: words[1])
      case let words where words.count == 2 && words[0] == "sent-once": try await showSentOnce(at: words[1])
      case let words where words.count == 3 && words[0] == "before": try await show(at: words[1], before: words[2])
      default:
        throw Problem(
          "Say what to play: record, write, break-off, go-on, phone, desk, sent-once, show or before, and the "
            + "workspace's path.")
      }
    } catch {
      FileHandle.standardError.write(Data("scenes: \(error)\n".utf8))
      exit(1)
    }
  }

  struct Problem: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
  }
}

// MARK: Recording

extension Scenes {
  /// Records a conversation of two users: messages, a reaction, a thread, an edit, a mute, and a refused action.
  private static func record(at path: String) async throws {
    let workspace = try Workspace.open(at: path)
    let ada = workspace.client(user: "ada", device: "phone")
    let ben = workspace.client(user: "ben", device: "laptop")
    try await ada.me.create(name: "Ada")
    try await ben.me.create(name: "Ben")

    let general = ada.channel("general")
    try await general.create("team", Channel.Profile(name: "General"), members: ["ben"])
    let question = try await general.send("Is anybody here?", id: "m1")
    let bens = ben.channel("general")
    try await bens.send("I am. What is it?", id: "m2")
    try await bens.react(to: question.key.id, "wave")
    try await general.thread("m2").reply("A word with you, in private.", id: "r1")
    try await bens.thread("m2").reply("Go ahead.", id: "r2")
    try await general.edit("m1", to: "Is anybody here? I have news.")
    try await bens.markRead(through: "m1")

    do {
      try await bens.edit("m1", to: "I have no news.")
    } catch {
      print("Ben may not change what Ada said. \(error)")
    }
    // A retry with the same id returns the first receipt.
    let id = AppendID(high: 1, low: 1)
    let mute = ChatIntent.mute(Mute.Key(by: "ada", of: .user("ben")), .begin(.endless))
    let first = try await ada.submit(mute, id: id)
    let again = try await ada.submit(mute, id: id)
    print("Ada mutes Ben at position \(first.position); tried again, the answer is position \(again.position).")
    await workspace.close()
  }
}

// MARK: Showing

extension Scenes {
  private static func show(at path: String) async throws {
    let workspace = try Workspace.open(at: path, creates: false)
    let lines = try await workspace.read { projections in try transcript(projections) }
    print(lines.joined(separator: "\n"))
    await workspace.close()
  }

  /// Shows the workspace as it was before the first edit of a message.
  private static func show(at path: String, before message: String) async throws {
    let workspace = try Workspace.open(at: path, creates: false)
    for try await change in workspace.changes(from: .first) {
      guard case .message(let key, .edited) = change.event.change, key.id.text == message else { continue }
      let past = try await workspace.at(Position(rawValue: change.position.rawValue - 1))
      print(try await past.read { projections in try transcript(projections) }.joined(separator: "\n"))
      past.close()
      break
    }
    await workspace.close()
  }

  /// Returns the messages of the channel with their authors.
  private static func transcript(_ projections: WorkspaceReading) throws -> [String] {
    var lines = ["at position \(projections.position)"]
    let now = Timestamp.now
    for message in try projections.chat.messages(in: "general", limit: 100).messages {
      lines.append(try line(message, projections))
      for reply in try projections.chat.replies(to: message.key, limit: 100).messages {
        lines.append("    " + (try line(reply, projections)))
      }
    }
    for user in ["ada", "ben"] as [User.ID] {
      let muted = try projections.chat.mutes(of: user, at: now).map { mute in
        switch mute.key.target {
        case .user(let id): id.text
        case .channel(let id): id.text
        }
      }
      let unread = try projections.chat.unread(of: user, at: now)
      let mutes = muted.isEmpty ? "nobody muted" : "muted " + muted.joined(separator: ", ")
      lines.append("\(user): \(unread.messages) unread, \(mutes)")
    }
    return lines
  }

  private static func line(_ message: Message, _ projections: WorkspaceReading) throws -> String {
    let author = try message.author.flatMap { try projections.chat.user($0)?.profile.name.string } ?? "the app"
    let reactions = message.reactions.map { " [\($0.kind) ×\($0.count)]" }.joined()
    let words = message.content.attachments.compactMap { $0.title.map { "[\($0)]" } } + [message.content.text.string]
    let text = words.filter { !$0.isEmpty }.joined(separator: " ")
    return "\(author): \(text)\(message.edited == nil ? "" : " (edited)")\(reactions)"
  }
}
