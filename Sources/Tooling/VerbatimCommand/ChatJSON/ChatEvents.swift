// The names and members of events in JSON: the stable form of `verbatim events --json`.
internal import Chat
internal import JSONLines

/// The name of a change in JSON and the members of its object.
struct NamedChange {
  let name: String
  let members: [JSON.Member]

  init(_ name: String, _ members: JSON.Member?...) { (self.name, self.members) = (name, members.compactMap(\.self)) }

  init(_ name: String, _ members: [JSON.Member], _ more: JSON.Member?...) {
    (self.name, self.members) = (name, members + more.compactMap(\.self))
  }
}

extension ChatEvent.Change: PrintedValue {
  /// The key of the changed row under its kind, and the change under its name: `{"message":{…},"sent":{…}}`.
  var json: JSON {
    let (kind, key, change) = parts
    return .object([
      JSON.Member(key: kind, value: key.json), JSON.Member(key: change.name, value: .object(change.members)),
    ])
  }

  private var parts: (kind: String, key: any PrintedValue, change: NamedChange) {
    switch self {
    case .user(let id, let event): ("user", id, event.named)
    case .device(let key, let event): ("device", key, event.named)
    case .mute(let key, let event): ("mute", key, event.named)
    case .ban(let key, let event): ("ban", key, event.named)
    case .flag(let key, .raised(let reason)): ("flag", key, NamedChange("raised", .optional("reason", reason)))
    case .channel(let id, let event): ("channel", id, event.named)
    case .member(let key, let event): ("member", key, event.named)
    case .message(let key, let event): ("message", key, event.named)
    case .reaction(let key, let event): ("reaction", key, event.named)
    case .draft(let key, let event): ("draft", key, event.named)
    case .composer(let key, let event): ("composer", key, event.named)
    case .consumer(let id, let event): ("consumer", id, event.named)
    case .block(let key, .began): ("block", key, NamedChange("began"))
    case .block(let key, .ended): ("block", key, NamedChange("ended"))
    case .review(let target, let event): ("review", target, event.named)
    case .saved(let key, let event): ("savedMessage", key, event.named)
    case .scheduled(let key, let event): ("scheduledMessage", key, event.named)
    case .thread(let key, .read(let last)): ("thread", key, NamedChange("read", JSON.Member("through", last)))
    case .thread(let key, .markedUnread(let first)):
      ("thread", key, NamedChange("markedUnread", JSON.Member("from", first)))
    case .vote(let key, .cast(let options)): ("vote", key, NamedChange("cast", JSON.Member("options", options)))
    case .app(let subject, let event): ("app", subject, event.named)
    }
  }
}

// MARK: People

extension User.Event {
  fileprivate var named: NamedChange {
    switch self {
    case .created(let profile, let role): NamedChange("created", profile.members, JSON.Member("role", role))
    case .changed(let profile): NamedChange("changed", profile.members)
    case .roleChanged(let role): NamedChange("roleChanged", JSON.Member("role", role))
    case .deactivated: NamedChange("deactivated")
    case .reactivated: NamedChange("reactivated")
    }
  }
}

extension Device.Event {
  fileprivate var named: NamedChange {
    switch self {
    case .added(let info): NamedChange("added", info.members)
    case .removed: NamedChange("removed")
    }
  }
}

extension Mute.Event {
  fileprivate var named: NamedChange {
    switch self {
    case .began(let expiry): NamedChange("began", .optional("until", expiry.end))
    case .ended: NamedChange("ended")
    }
  }
}

extension Ban.Event {
  fileprivate var named: NamedChange {
    switch self {
    case .imposed(let expiry, let reason):
      NamedChange("imposed", .optional("until", expiry.end), .optional("reason", reason))
    case .lifted: NamedChange("lifted")
    }
  }
}

// MARK: Channels

extension Channel.Event {
  fileprivate var named: NamedChange {
    switch self {
    case .created(let kind, let profile, let config):
      NamedChange("created", [JSON.Member("kind", kind)] + profile.members, JSON.Member("config", config))
    case .changed(let profile): NamedChange("changed", profile.members)
    case .configured(let config): NamedChange("configured", config.members)
    case .slowModeSet(let seconds): NamedChange("slowModeSet", JSON.Member("seconds", seconds))
    case .frozen: NamedChange("frozen")
    case .unfrozen: NamedChange("unfrozen")
    case .truncated(let number): NamedChange("truncated", JSON.Member("through", number))
    case .deleted: NamedChange("deleted")
    }
  }
}

extension Member.Event {
  fileprivate var named: NamedChange {
    switch self {
    case .added(let role): NamedChange("added", JSON.Member("role", role))
    case .removed: NamedChange("removed")
    case .left: NamedChange("left")
    case .roleChanged(let role): NamedChange("roleChanged", JSON.Member("role", role))
    case .read(let message): NamedChange("read", JSON.Member("through", message))
    case .received(let message): NamedChange("received", JSON.Member("through", message))
    case .markedUnread(let message): NamedChange("markedUnread", JSON.Member("from", message))
    case .hidden: NamedChange("hidden")
    case .shown: NamedChange("shown")
    case .invited(let role): NamedChange("invited", JSON.Member("role", role))
    case .declined: NamedChange("declined")
    case .pinned: NamedChange("pinned")
    case .unpinned: NamedChange("unpinned")
    case .archived: NamedChange("archived")
    case .unarchived: NamedChange("unarchived")
    }
  }
}

// MARK: Messages

extension Message.Event {
  fileprivate var named: NamedChange {
    switch self {
    case .sent(let content): NamedChange("sent", content.members)
    case .edited(let edits): NamedChange("edited", edits.members)
    case .deleted(let forGood): NamedChange("deleted", JSON.Member("forGood", forGood))
    case .restored: NamedChange("restored")
    case .pinned(let expiry): NamedChange("pinned", .optional("until", expiry.end))
    case .unpinned: NamedChange("unpinned")
    case .acknowledged: NamedChange("acknowledged")
    case .failed(let reason): NamedChange("failed", JSON.Member("reason", reason))
    case .retried: NamedChange("retried")
    case .ephemeralSent: NamedChange("ephemeralSent")
    case .ephemeralShuffled(let attachments):
      NamedChange("ephemeralShuffled", JSON.Member("attachments", attachments))
    case .ephemeralCancelled: NamedChange("ephemeralCancelled")
    case .pollOpened(let options, let rules):
      NamedChange("pollOpened", [JSON.Member("options", options)] + rules.members)
    case .pollOptionAdded(let option): NamedChange("pollOptionAdded", option.members)
    case .pollClosed: NamedChange("pollClosed")
    }
  }
}

extension Reaction.Event {
  fileprivate var named: NamedChange {
    switch self {
    case .added(let kind, let score): NamedChange("added", JSON.Member("kind", kind), JSON.Member("score", score))
    case .removed(let kind): NamedChange("removed", JSON.Member("kind", kind))
    }
  }
}

// MARK: Unsent content

extension Edit {
  fileprivate var members: [JSON.Member] {
    [JSON.Member("editedAt", at)] + [.optional("editedOn", device)].compactMap(\.self)
  }
}

extension Draft.Event {
  fileprivate var named: NamedChange {
    switch self {
    case .updated(let content, let edit): NamedChange("updated", [JSON.Member("content", content)] + edit.members)
    case .deleted(let reason, let edit): NamedChange("deleted", [JSON.Member("reason", reason)] + edit.members)
    case .superseded(let content, let edit):
      NamedChange("superseded", [.optional("content", content)].compactMap(\.self) + edit.members)
    }
  }
}

extension AppEvent {
  fileprivate var named: NamedChange {
    NamedChange(
      "recorded", JSON.Member("name", name), JSON.Member("version", version), JSON.Member(payload: payload))
  }
}

// MARK: Consumers

extension Consumer.Event {
  fileprivate var named: NamedChange {
    switch self {
    case .began(let position): NamedChange("began", JSON.Member("after", position))
    case .advanced(let position): NamedChange("advanced", JSON.Member("through", position))
    case .skipped(let position): NamedChange("skipped", JSON.Member("through", position))
    case .ended: NamedChange("ended")
    }
  }
}

// MARK: Reviews, saved and scheduled messages

extension Review.Event {
  fileprivate var named: NamedChange {
    switch self {
    case .claimed: NamedChange("claimed")
    case .released: NamedChange("released")
    case .resolved(let outcome, let note):
      NamedChange("resolved", JSON.Member("outcome", outcome), .optional("note", note))
    }
  }
}

extension SavedMessage.Event {
  fileprivate var named: NamedChange {
    switch self {
    case .saved(let note, let remindAt): NamedChange("saved", .optional("note", note), .optional("remindAt", remindAt))
    case .removed: NamedChange("removed")
    case .reminded: NamedChange("reminded")
    }
  }
}

extension ScheduledMessage.Event {
  fileprivate var named: NamedChange {
    switch self {
    case .scheduled(let content, let at):
      NamedChange("scheduled", JSON.Member("at", at), JSON.Member("content", content))
    case .cancelled: NamedChange("cancelled")
    case .delivered: NamedChange("delivered")
    case .failed(let failure): NamedChange("failed", JSON.Member("failure", failure))
    }
  }
}
