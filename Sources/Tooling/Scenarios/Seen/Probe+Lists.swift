// Probes of message lists: rows as short texts, with all fields, and as drawn.
internal import Chat
internal import ChatMessageList
internal import ChatRendering
internal import TerminalRendering
internal import Foundation
internal import JSONLines
internal import Verbatim
internal import VerbatimUI

extension Probe {
  static let lists: [Probe] = [
    Probe("rows", "the rows of the open list: row, id, and further properties") { player in
      let layout = try player.list().model.layout
      return .array(layout.rows.map { player.json($0, in: layout) { UserText($0.message.content.text.string) } })
    },
    Probe("drawn", "the open list as text, line by line") { player in
      let list = try player.list().model
      var context = RenderingContext()
      context.calendar = list.layout.options.calendar
      context.now = player.workspace.now
      return player.lines(PlainTextFactory(columns: 60, context: context).drawList(list.layout))
    },
    Probe("diff", "the last difference of the rows: removed, inserted, moved, updated, by row names") {
      player in player.json(try player.list().model.lastDiff)
    },
    Probe("ownRows", "the rows of the list of the app's messages") { player in
      let layout = try player.own().list.layout
      return .array(layout.rows.map { player.json($0, in: layout) { $0.words } })
    },
    Probe("ownDrawn", "that list as text, line by line") { player in
      player.lines(PlainTextFactory(columns: 60).draw(try player.own().list))
    },
    Probe("ownDiff", "the last difference of its rows") { player in player.json(try player.own().diff) },
    Probe("viewport", "the scroll position: row, edge") { player in
      guard let viewport = try player.own().list.viewport else { return .null }
      return .members(["row": .string(viewport.row), "edge": .string("\(viewport.edge)")])
    },
    Probe("problems", "the problems reported for its messages") { player in
      .texts(try player.own().list.problems.map(\.description))
    },
    Probe("ownTold", "the messages whose changes it notified") { player in
      try player.own().notified.map { .texts($0) } ?? .null
    },
    Probe("loads", "how often it loaded earlier messages") { .count(try $0.own().pulls) },
  ]
}

extension OwnMessage {
  fileprivate var words: UserText {
    switch kind {
    case .text(let item): UserText(String(item.text.characters))
    case .system(let text): UserText(String(text.characters))
    case .image(let item): UserText(item.data != nil ? "data" : item.url ?? "")
    case .custom(let item): UserText(item.id)
    }
  }
}

extension Player {
  fileprivate func lines(_ output: TerminalText) -> JSON {
    let text = output.text(columns: 60, hasColors: false)
    return .texts(text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
  }

  fileprivate func json(_ diff: RowDiff) -> JSON {
    .members([
      "inserted": .texts(diff.inserted.map(\.row.id)), "removed": .texts(diff.removed),
      "moved": .texts(diff.moved.map(\.id)), "updated": .texts(diff.updated.map(\.id)),
    ])
  }

  fileprivate func json<M>(_ row: MessageRow, in layout: MessageLayout<M>, words: (M) -> UserText) -> JSON {
    let message = row.messageID.flatMap { layout.message($0) }
    let words = message.map { words($0).string } ?? ""
    // Named with their types: the compiler takes seconds for one expression with all of it.
    let count: JSON = row.count.map { .count($0) } ?? .null
    let quote: JSON = row.quote.map { json($0) } ?? .null
    let thread: JSON = row.thread.map { json($0) } ?? .null
    let reactions: [JSON] = row.reactions.map { reaction in
      .members(["key": .string(reaction.key), "count": .count(reaction.count), "mine": .bool(reaction.mine)])
    }
    return .members([
      "row": .string(row.words(saying: words, by: message?.chatMessage?.sender?.id)), "id": .string(row.id),
      "kind": .string("\(row.kind)"), "message": .text(row.messageID),
      "date": .text(row.date.map { Timestamp(rawValue: Int64($0.timeIntervalSince1970 * 1_000_000)).description }),
      "count": count, "side": .string("\(row.side)"), "own": .bool(row.isOwn),
      "group": .text(layout.groupID(ofRow: row.id)), "position": .string("\(row.position)"),
      "groupStart": .bool(row.groupStart), "groupEnd": .bool(row.groupEnd), "header": .bool(row.header),
      "footer": .bool(row.footer), "authorName": .bool(row.authorName), "avatar": .string("\(row.avatar)"),
      "timestamp": .string("\(row.timestamp)"), "swipeTimestamp": .bool(row.swipeTimestamp),
      "content": .string(row.content.word), "quote": quote, "thread": thread,
      "reactions": .array(reactions),
      "annotations": .texts(row.annotations.elements.map(\.word)), "delivery": .text(row.delivery?.word),
      "showsDelivery": .bool(row.showsDelivery), "edited": .bool(row.edited), "showsEdited": .bool(row.showsEdited),
      "onlyYou": .bool(row.visibleOnlyToYou), "firstUnread": .bool(row.isFirstUnread),
      "maxWidth": .number("\(row.maxWidth)"), "cornerRadius": .number("\(row.cornerRadius)"),
      "actions": .texts(row.actions.elements.map(\.rawValue)),
    ])
  }

  private func json(_ quote: MessageRow.Quote) -> JSON {
    .members([
      "target": .string(quote.target), "author": .text(quote.author), "kind": .string(quote.content.word),
      "state": .string("\(quote.state)"),
    ])
  }

  private func json(_ thread: MessageRow.Thread) -> JSON {
    .members([
      "replyCount": .count(thread.replyCount), "participants": .texts(thread.participants),
      "unread": .count(thread.unread), "hasDraft": .bool(thread.hasDraft), "alsoInChannel": .bool(thread.alsoInChannel),
    ])
  }
}

// MARK: Words

extension MessageRow {
  /// Returns a short text of the row, which is compared where a text is expected.
  fileprivate func words(saying words: String, by sender: String?) -> String {
    switch kind {
    case .message:
      let prefix = sender.map { $0 + ": " } ?? ""
      return prefix + (words.isEmpty || content == .deletedPlaceholder ? "(\(content.word))" : words)
    case .system: return "system: \(words)"
    case .dateSeparator: return "day \(id.dropFirst(2))"
    case .unreadSeparator: return "unread \(count ?? 0)"
    case .typing: return "typing \(userID ?? "")"
    case .conversationStart: return "start"
    case .loadOlder: return "older"
    case .loadNewer: return "newer"
    case .threadSeparator: return "replies \(count ?? 0)"
    case .notice: return "notice \(count.map { String($0) } ?? content.word)"
    }
  }
}

extension MessageContent {
  fileprivate var word: String {
    switch self {
    case .jumboEmoji(let count): "jumboEmoji \(count)"
    case .media(let kinds): "media " + kinds.map { "\($0)" }.joined(separator: " ")
    case .custom(let id): "custom \(id)"
    case .text, .image, .file, .link, .giphy, .deletedPlaceholder, .ephemeral: "\(self)"
    }
  }
}

extension MessageDelivery {
  fileprivate var word: String {
    switch self {
    case .pending: "pending"
    case .sent: "sent"
    case .delivered: "delivered"
    case .read(let count): "read \(count)"
    case .failed(let reason): "failed: \(reason)"
    }
  }
}

extension MessageAnnotations {
  fileprivate var word: String {
    switch self {
    case .pinned: "pinned"
    case .alsoInChannel: "alsoInChannel"
    case .repliedToThread: "repliedToThread"
    default: "other"
    }
  }
}
