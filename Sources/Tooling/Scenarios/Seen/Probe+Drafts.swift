// Probes of drafts.
internal import Chat
internal import ChatProjections
internal import JSONLines
internal import Verbatim

extension Probe {
  static let drafts: [Probe] = [
    Probe(
      "draft", "the stored draft: text, mentions, attachments, command, quote, created, updated, device"
    ) {
      player in
      let (channel, thread) = (player.target.channel, player.thread)
      let draft = try await player.client.read { try $0.draft(in: channel, thread: thread) }
      guard let draft, let content = draft.content else { return .null }
      return player.json(content, draft.created, draft.updated, draft.edit)
    },
    Probe("drafts", "all drafts of the user, the last saved first: place, parent, content…") { player in
      .array(try await player.client.me.drafts().drafts.map { player.json($0) })
    },
    Probe("page", "the drafts of the last loaded page") { player in
      .array(player.drafts.page.map { player.json($0) })
    },
    Probe("loadedAll", "whether all drafts are loaded") { .bool($0.drafts.controller.hasLoadedAllDrafts) },
    Probe("told", "the list of drafts at its last change", comesLater: true) { player in
      player.drafts.notified.map { .array($0.map { player.json($0) }) } ?? .null
    },
    Probe("draftEvents", "the draft changes notified during the line before: place, what") { player in
      .array(try await player.changes().compactMap { player.draftEvent($0) })
    },
  ]
}

extension Player {
  private func words(_ key: Draft.Key) -> String {
    key.channel.text + (key.thread.map { "/" + $0.text } ?? "")
  }

  fileprivate func json(_ content: Composition, _ created: Timestamp, _ updated: Timestamp, _ edit: Edit) -> JSON {
    .members([
      "text": .string(content.text.userText.string), "mentions": JSON(content.mentions, in: content.text),
      "attachments": .array(content.attachments.map { JSON($0) }), "command": JSON(content.command),
      "quote": .text(content.quoted?.text), "showsInChannel": .bool(content.showsInChannel),
      "silent": .bool(content.isSilent), "extra": JSON(content.extra), "created": .string(created.description),
      "updated": .string(updated.description), "editedAt": .string(edit.at.description),
      "device": .text(edit.device?.text),
    ])
  }

  fileprivate func json(_ item: DraftItem) -> JSON {
    let parent: JSON =
      item.parent.map { parent in
        .members([
          "id": .string(parent.key.id.text), "text": .string(parent.content.text.string),
          "deleted": .bool(parent.presence != .present),
        ])
      } ?? .null
    return .members([
      "place": .string(words(item.key)), "parent": parent,
      "content": json(item.content, item.created, item.updated, item.edit),
    ])
  }

  fileprivate func draftEvent(_ change: Change) -> JSON? {
    if let event = DraftUpdatedEvent(change) {
      return .members([
        "place": .string(words(Draft.Key(by: event.user, in: event.channel, thread: event.thread))),
        "what": .string("updated"), "text": .string(event.draft.text.userText.string), "user": .string(event.user.text),
      ])
    }
    guard let event = DraftDeletedEvent(change) else { return nil }
    return .members([
      "place": .string(words(Draft.Key(by: event.user, in: event.channel, thread: event.thread))),
      "what": .string("\(event.reason)"), "text": .null, "user": .string(event.user.text),
    ])
  }
}
