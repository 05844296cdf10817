// The few words that describe an event, printed behind its type.
internal import Chat
internal import JSONLines

extension ChatEvent.Change {
  /// The affected user, channel or message, where the stream does not name it, and the new values.
  var words: String {
    switch self {
    case .user(_, let event): event.words
    case .device(let key, .added(let info)): "\(key.id) \(info.name.quoted)"
    case .device(let key, .removed): key.id.text
    case .mute(let key, .began(let expiry)): key.target.words + expiry.words
    case .mute(let key, .ended): key.target.words
    case .ban(let key, let event): key.words + event.words
    case .flag(let key, .raised(let reason)): key.words + (reason.map { ": " + $0.quoted } ?? "")
    case .channel(_, let event): event.words
    case .member(let key, let event): key.user.text + event.words
    case .message(let key, let event): key.id.text + event.words
    case .reaction(let key, .added(let kind, let score)):
      "\(key.message.id) \(kind)" + (score == 1 ? "" : " with \(score)")
    case .reaction(let key, .removed(let kind)): "\(key.message.id) \(kind)"
    case .draft(_, let event): event.words
    case .composer(_, let event): event.words
    case .consumer(_, let event): event.words
    case .block(let key, _): key.blocked.text
    case .review(let target, let event): target.words + event.words
    case .saved(let key, let event): key.message.words + event.words
    case .scheduled(let key, let event): key.message.words + event.words
    case .thread(let key, .read(let last)): "\(key.user) in \(key.parent.id) through \(last)"
    case .thread(let key, .markedUnread(let first)): "\(key.user) in \(key.parent.id) from \(first)"
    case .vote(let key, .cast(let options)):
      "\(key.message.id) by \(key.user): " + (options.isEmpty ? "none" : options.map(\.text).joined(separator: ", "))
    case .app(_, let event): "\(event.name), \(counted(event.payload.count, "byte"))"
    }
  }
}

// MARK: People

extension User.Event {
  fileprivate var words: String {
    switch self {
    case .created(let profile, let role): profile.name.quoted + (role == .user ? "" : " as \(role)")
    case .changed(let profile): profile.name.quoted
    case .roleChanged(let role): "as \(role)"
    case .deactivated, .reactivated: ""
    }
  }
}

extension Mute.Target {
  fileprivate var words: String {
    switch self {
    case .user(let user): user.text
    case .channel(let channel): "channel \(channel)"
    }
  }
}

extension Ban.Key {
  fileprivate var words: String {
    switch scope {
    case .everywhere: "\(user) everywhere"
    case .channel: user.text
    }
  }
}

extension Ban.Event {
  fileprivate var words: String {
    switch self {
    case .imposed(let expiry, let reason): expiry.words + (reason.map { ": " + $0.quoted } ?? "")
    case .lifted: ""
    }
  }
}

extension Flag.Key {
  fileprivate var words: String {
    switch target {
    case .message(let key): "\(key.id) by \(user)"
    case .user(let flagged): "\(flagged) by \(user)"
    }
  }
}

extension Flag.Target {
  fileprivate var words: String {
    switch self {
    case .message(let key): key.id.text
    case .user(let user): user.text
    }
  }
}

extension Review.Event {
  fileprivate var words: String {
    switch self {
    case .claimed, .released: ""
    case .resolved(let outcome, let note): " as \(outcome)" + (note.map { ": " + $0.quoted } ?? "")
    }
  }
}

extension Message.Key {
  fileprivate var words: String { "\(id) in \(channel)" }
}

extension SavedMessage.Event {
  fileprivate var words: String {
    switch self {
    case .saved(let note, let remindAt):
      (remindAt.map { " until \($0)" } ?? "") + (note.map { ": " + $0.quoted } ?? "")
    case .removed, .reminded: ""
    }
  }
}

extension ScheduledMessage.Event {
  fileprivate var words: String {
    switch self {
    case .scheduled(let content, let at): " for \(at) " + content.words
    case .cancelled, .delivered: ""
    case .failed(let failure): " " + brief(JSON(of: failure))
    }
  }
}

extension Consumer.Event {
  fileprivate var words: String {
    switch self {
    case .began(let position): "after \(position)"
    case .advanced(let position), .skipped(let position): "through \(position)"
    case .ended: ""
    }
  }
}

// MARK: Channels

extension Channel.Event {
  fileprivate var words: String {
    switch self {
    case .created(let kind, let profile, _): "\(kind) \(profile.name.quoted)"
    case .changed(let profile): profile.name.quoted
    case .configured(let config): brief(JSON(of: config))
    case .slowModeSet(let seconds): counted(seconds, "second")
    case .truncated(let number): "through \(number.rawValue)"
    case .frozen, .unfrozen, .deleted: ""
    }
  }
}

extension Member.Event {
  fileprivate var words: String {
    switch self {
    case .added(let role), .roleChanged(let role), .invited(let role): " as \(role)"
    case .read(let message), .received(let message): " through \(message)"
    case .markedUnread(let message): " from \(message)"
    case .removed, .left, .hidden, .shown, .declined, .pinned, .unpinned, .archived, .unarchived: ""
    }
  }
}

extension Message.Event {
  fileprivate var words: String {
    switch self {
    case .sent(let content): " " + content.words
    case .edited(let edits): " " + edits.words
    case .deleted(let forGood): forGood ? " permanently" : ""
    case .pinned(let expiry): expiry.words
    case .failed(let reason): ": " + reason.quoted
    case .ephemeralShuffled(let attachments): " \(counted(attachments.count, "attachment"))"
    case .restored, .unpinned, .acknowledged, .retried, .ephemeralSent, .ephemeralCancelled, .pollClosed: ""
    case .pollOpened(let options, _): ": " + options.map(\.text.quoted).joined(separator: ", ")
    case .pollOptionAdded(let option): ": " + option.text.quoted
    }
  }
}

extension Message.Content {
  private var marks: [String] {
    [
      kind == .regular ? nil : JSON(of: kind).text, parent.map { "replies to \($0)" }, quoted.map { "quotes \($0)" },
      forwarded.map { "forwarded from \($0.source.id) in \($0.source.channel)" },
      attachments.isEmpty ? nil : counted(attachments.count, "attachment"), isSilent ? "silent" : nil,
    ].compactMap(\.self)
  }

  /// The text of the message, and in brackets its other content.
  var words: String { text.quoted + marks.map { " [\($0)]" }.joined() }
}

extension Message.Edits {
  /// The text after the edit, or else the other changed values.
  var words: String { text?.quoted ?? brief(JSON(of: self)) }
}

// MARK: Composers

extension Draft.Event {
  fileprivate var words: String {
    switch self {
    case .updated(let content, _): content.text.userText.quoted + content.marks.map { " [\($0)]" }.joined()
    case .deleted(let reason, _): "\(reason)"
    case .superseded(let content, _): content?.text.userText.quoted ?? ""
    }
  }
}

extension Composer.Event {
  fileprivate var words: String {
    switch self {
    case .typed(let splice, let kind): splice.words + (kind == .typed ? "" : ", \(kind)")
    case .mentionPicked(let user, let splice, _): "\(user), " + splice.words
    case .sent(let message, _): message.text
    case .left(let keepingContent): keepingContent ? "the content is kept" : "nothing is kept"
    default:
      switch named.members.count == 1 ? named.members[0] : nil {
      case let member? where member.value == .bool(true): member.key
      case let member? where member.value == .bool(false): "not " + member.key
      case let member?: brief(member.value)
      case nil: brief(.object(named.members))
      }
    }
  }
}

extension Splice {
  fileprivate var words: String {
    let (start, end) = (range.lowerBound.rawValue, range.upperBound.rawValue)
    return text.quoted + (start == end ? " at \(start)" : " for \(start)..<\(end)")
  }
}

// MARK: Descriptions of values

extension UserText {
  /// The text in quotes, on one line.
  fileprivate var quoted: String { "“\(string.inOneLine)”" }
}

extension Expiry {
  /// The end of the expiry; empty for one without an end.
  var words: String { end.map { " until \($0)" } ?? "" }
}

extension JSON {
  /// Whether the value carries no information: false, empty or null.
  fileprivate var isNothing: Bool {
    self == .null || self == .bool(false) || self == .array([]) || self == .object([]) || self == .string("")
  }
}

/// Returns a value in words, without members that carry no information.
private func brief(_ json: JSON) -> String {
  switch json {
  case .null: "nothing"
  case .bool(let value): "\(value)"
  case .number(let text): text
  case .string(let text): text.inOneLine
  case .array(let values): values.map(brief).joined(separator: " ")
  case .object(let members):
    members.filter { !$0.value.isNothing }.map { "\($0.key) \(brief($0.value))" }.joined(separator: ", ")
  }
}
