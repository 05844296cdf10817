// Probes of conversations: messages, channels, threads, typing users.
internal import Chat
internal import ChatComposer
internal import ChatProjections
internal import JSONLines
internal import Verbatim

extension Probe {
  static let conversation: [Probe] = [
    Probe("messages", "the messages of the channel or thread: text, id, by, and further properties") { player in
      let page = try await player.page()
      return .array(page.messages.map { player.json($0) })
    },
    Probe("typing", "the users who are typing there") { player in
      let (channel, thread) = (player.target.channel, player.thread)
      let typing = try await player.client.read { try $0.typing(in: channel, thread: thread) }
      return .texts(typing.map(\.user.text))
    },
    Probe("unread", "the unread counts of the channel: messages, mentions") { player in
      JSON(try await player.channel.unread())
    },
    Probe("firstUnread", "the first unread message") { player in
      .text(try await player.channel.firstUnread()?.key.id.text)
    },
    Probe("channels", "the channels: id, line, unread, readMark, lastActivity, draft") { player in
      let page = try await player.client.channels.page()
      return .array(page.channels.map { player.json($0) })
    },
    Probe("threads", "the threads: parent, line, readMark, replies, unread, draft") { player in
      let page = try await player.client.me.threads()
      return .array(page.threads.map { player.json($0) })
    },
    Probe("members", "the members of the channel: user, role") { player in
      let page = try await player.channel.members()
      return .array(
        page.members.map { .members(["user": .string($0.key.user.text), "role": .string($0.role.text)]) })
    },
    Probe("found", "the results of the last search") { player in .texts(player.found.map(\.text))
    },
    Probe("mutes", "the mutes of the user: of, until") { player in
      .array(try await player.client.me.mutes().map { JSON($0) })
    },
    Probe("ban", "the ban of the user in the channel: until, reason") { player in
      guard let ban = try await player.channel.ownBan() else { return .null }
      return .members(["until": .text(ban.term.end?.description), "reason": .text(ban.reason?.string)])
    },
    Probe("commandsRun", "the commands executed by the user: id, outcome, reason, arguments, target") { player in
      let page = try await player.client.read { try $0.commands(limit: 20) }
      return .array(page.commands.map { JSON($0) })
    },
    Probe("now", "the time of the clock") { .string($0.workspace.now.description) },
  ]
}

extension Player {
  /// Returns the newest messages of the target.
  func page() async throws -> MessagePage {
    guard let thread else { return try await channel.messages(limit: 100) }
    return try await channel.thread(thread).replies(limit: 100)
  }

  /// Returns a short text of a list's item line.
  private func words(_ line: ItemLine) -> String {
    switch line {
    case .failed(let message): "failed: \(message.content.text)"
    case .draft(.text(let text)): "draft: \(text.userText)"
    case .draft(.attachment(let attachment)): "draft: attachment \(attachment.attachment.id)"
    case .draft(.command(let command)): "draft: command \(command.id)"
    case .draft(.quote(let id)): "draft: quote \(id)"
    case .typing(let users): "typing: \(users.map(\.text).joined(separator: ", "))"
    case .message(let message): "message: \(message.content.text)"
    case .deleted: "deleted"
    case .nothing: "nothing"
    }
  }

  fileprivate func json(_ item: ChannelItem) -> JSON {
    .members([
      "id": .string(item.channel.id.text), "line": .string(words(item.line)),
      "readMark": .bool(item.line.showsReadMark), "unread": .count(item.unread.messages),
      "mentions": .count(item.unread.mentions), "lastActivity": .string(item.lastActivity.description),
      "draft": .text(item.draft?.content?.text.userText.string),
    ])
  }

  fileprivate func json(_ item: ThreadItem) -> JSON {
    .members([
      "parent": .string(item.parent.key.id.text), "line": .string(words(item.line)),
      "readMark": .bool(item.line.showsReadMark), "replies": .count(item.parent.replyCount),
      "unread": .count(item.unreadReplyCount), "draft": .text(item.draftReply?.content?.text.userText.string),
    ])
  }

  fileprivate func json(_ message: Message) -> JSON {
    let content = message.content
    let (kind, presence, delivery): (String, String, String)
    switch content.kind {
    case .regular: kind = "regular"
    case .system: kind = "system"
    case .ephemeral: kind = "ephemeral"
    case .custom(let id): kind = id.text
    }
    switch message.presence {
    case .present: presence = "present"
    case .deleted: presence = "deleted"
    case .gone: presence = "gone"
    case .erased: presence = "erased"
    }
    switch message.delivery {
    case .settled: delivery = "settled"
    case .pending: delivery = "pending"
    case .failed(let reason): delivery = "failed: \(reason)"
    }
    return .members([
      "text": .string(content.text.string), "id": .string(message.key.id.text), "by": .text(message.author?.text),
      "kind": .string(kind), "presence": .string(presence), "delivery": .string(delivery),
      "sent": .string(message.sent.description), "edits": .count(message.editCount),
      "quote": .text(content.quoted?.text), "parent": .text(content.parent?.text),
      "replies": .count(message.replyCount), "showsInChannel": .bool(content.showsInChannel),
      "silent": .bool(content.isSilent), "extra": JSON(content.extra),
      "mentions": JSON(content.mentions, in: TypedText(content.text)),
      "attachments": .array(content.attachments.map { JSON($0) }),
      "reactions": .array(
        message.reactions.map { .members(["kind": .string($0.kind.text), "count": .count($0.count)]) }),
      "pinned": .bool(message.isPinned(at: workspace.now)),
      "forwarded": .text(content.forwarded?.source.id.text),
    ])
  }
}

// MARK: Values

extension JSON {
  fileprivate init(_ unread: Unread) {
    self = .members(["messages": .count(unread.messages), "mentions": .count(unread.mentions)])
  }

  fileprivate init(_ mute: Mute) {
    let target: String
    switch mute.key.target {
    case .user(let id): target = id.text
    case .channel(let id): target = "#" + id.text
    }
    self = .members(["of": .string(target), "until": .text(mute.term.end?.description)])
  }

  fileprivate init(_ run: CommandRun) {
    let (outcome, reason): (String?, String?) =
      switch run.end?.outcome {
      case .executed: ("executed", nil)
      case .failed(let failure): ("failed", failure.sentence)
      case .interrupted: ("interrupted", nil)
      case nil: (nil, nil)
      }
    self = .members([
      "id": .string(run.execution.command.id.text), "outcome": .text(outcome), "reason": .text(reason),
      "arguments": .string(run.execution.arguments.string), "target": .text(run.execution.command.target?.text),
    ])
  }
}
