// The printed part of a conversation, and the lines that print its changes.
internal import Chat
internal import ChatComposer
internal import Terminal
internal import Verbatim

/// The messages that were printed last, for comparison with their next state.
struct Transcript {
  /// The messages in the order in which they were sent, the newest last.
  private(set) var messages: [Message] = []
  /// The number of the first message that was printed.
  private var start: Message.Number?

  /// Takes over a new snapshot, and returns the lines that print its changes.
  mutating func take(_ snapshot: TranscriptSnapshot, words: MessageWords) -> [Line] {
    let start = start ?? snapshot.messages.first?.number ?? .zero
    self.start = start
    let known = Dictionary(messages.map { ($0.key.id, $0) }) { $1 }
    let shown = snapshot.messages.filter { $0.number >= start || known[$0.key.id] != nil }
    let lines =
      vanished(from: shown).flatMap { words.lines(vanished: $0) }
      + shown.flatMap { words.lines(of: $0, before: known[$0.key.id]) }
    messages = shown
    return lines
  }

  /// Returns the messages that are missing from a new snapshot, although it reaches back to them.
  private func vanished(from shown: [Message]) -> [Message] {
    let there = Set(shown.map(\.key.id))
    let first = shown.first?.number ?? .zero
    return messages.filter { $0.number >= first && $0.presence == .present && !there.contains($0.key.id) }
  }
}

/// A formatter of messages as lines.
struct MessageWords {
  /// The names of users.
  var names: [User.ID: String]
  /// The messages that others quote.
  var quoted: [Message.ID: Message]

  /// Returns the name of a user; for the app “the app”.
  func name(of user: User.ID?) -> String { user.map { names[$0] ?? $0.text } ?? "the app" }

  /// Returns the author and the first line of a message, as its summary.
  func summary(of id: Message.ID) -> String {
    guard let message = quoted[id], message.presence == .present else { return "a deleted message" }
    return "\(name(of: message.author)): \(firstLine(message.content))"
  }

  /// Returns the lines for a message that is new or was changed; empty if nothing printed changes.
  func lines(of message: Message, before: Message?) -> [Line] {
    guard let before else { return whole(message) }
    if before.presence == .present, message.presence != .present { return [gone(message)] }
    if message.presence != .present { return [] }
    if before.presence != .present { return whole(message, "(restored) ") }
    if before.content.kind != message.content.kind { return whole(message) }
    let isSame =
      before.content.text == message.content.text && before.content.mentions == message.content.mentions
      && before.content.attachments == message.content.attachments
    if isSame { return [] }
    return whole(message, message.content.kind == .ephemeral ? "" : "(edited) ")
  }

  /// Returns the lines for a message that no longer exists.
  func lines(vanished message: Message) -> [Line] { [gone(message)] }

  private func gone(_ message: Message) -> Line {
    head(of: message, at: message.sent) + Line("(deleted)", .dim)
  }

  private func whole(_ message: Message, _ mark: String = "") -> [Line] {
    guard message.presence == .present else { return [gone(message)] }
    let content = message.content
    var lines = content.quoted.map { [Line("  > \(summary(of: $0))", .dim)] } ?? []
    let start = head(of: message, at: mark == "(edited) " ? message.edited ?? message.sent : message.sent)
    let mentioned = content.mentions.map(\.range)
    let text = StyledText(content.text.string) { unit in
      mentioned.contains { $0.contains(UTF16Offset(rawValue: unit)) } ? .bold : .plain
    }
    if !content.text.isEmpty || content.attachments.isEmpty || !mark.isEmpty {
      lines.append(start + Line(mark, .dim) + text.lines[0])
      lines += text.lines.dropFirst().map { Line("  ") + $0 }
    }
    for attachment in content.attachments {
      let before = lines.isEmpty || content.text.isEmpty && mark.isEmpty ? start : Line("  ")
      lines.append(before + Line("[\(describe(attachment))]"))
    }
    if content.kind == .ephemeral { lines.append(Line("  only you see this: \(KeyTable.onEphemeral)", .dim)) }
    return lines
  }

  private func head(of message: Message, at instant: Timestamp) -> Line {
    let time = Times(nil)(instant).dropFirst(11)
    return Line("\(time) ", .dim) + Line(name(of: message.author), .colored(.cyan)) + Line(": ")
  }

  private func firstLine(_ content: Message.Content) -> String {
    let line = content.text.string.prefix { $0 != "\n" && $0 != "\r\n" }
    return line.isEmpty ? content.attachments.first.map { "[\(describe($0))]" } ?? "" : String(line)
  }

  private func describe(_ attachment: Attachment) -> String {
    "\(attachment.kind.name) \(attachment.title?.string ?? attachment.id.text)"
  }
}
