// Unique words in single rows, which reveal that a row was read.
import Chat

/// The kind and the key of the row that a word belongs to.
enum Secret: Hashable {
  case message(Message.Key), draft(Draft.Key), composer(Composer.Key)
  case channel(Channel.ID), ban(Ban.Key), flag(Flag.Key), device(Device.Key)
  case saved(SavedMessage.Key), scheduled(ScheduledMessage.Key), review(Flag.Target)
}

/// The words and their rows.
struct Secrets {
  private(set) var all: [Secret] = []
  private var words: [Secret: UserText] = [:]

  /// Returns the word of a row.
  mutating func word(of secret: Secret) -> UserText {
    if let word = words[secret] { return word }
    let word = UserText("secret\(all.count)x")
    all.append(secret)
    words[secret] = word
    return word
  }

  /// Returns the rows whose words a text contains.
  func named(in text: String) -> [Secret] {
    // Most texts have none, and a pattern search is slow.
    guard text.utf8.contains(UInt8(ascii: "s")), text.contains("secret") else { return [] }
    return text.matches(of: /secret(\d+)x/).compactMap { Int($0.1) }.map { all[$0] }
  }
}

// MARK: Events

extension Secrets {
  /// Returns an event with the word of its row in every text of the row.
  mutating func marking(_ event: ChatEvent) -> ChatEvent {
    let change: ChatEvent.Change =
      switch event.change {
      case .message(let key, let change): .message(key, marking(change, word(of: .message(key))))
      case .reaction(let key, let change): .reaction(key, marking(change, word(of: .message(key.message))))
      case .draft(let key, let change): .draft(key, marking(change, word(of: .draft(key))))
      case .composer(let key, let change): .composer(key, marking(change, word(of: .composer(key))))
      case .channel(let id, let change): .channel(id, marking(change, word(of: .channel(id))))
      case .ban(let key, .imposed(let term, _)): .ban(key, .imposed(term, reason: word(of: .ban(key))))
      case .flag(let key, .raised): .flag(key, .raised(reason: word(of: .flag(key))))
      case .saved(let key, .saved(_, let remindAt)):
        .saved(key, .saved(note: word(of: .saved(key)), remindAt: remindAt))
      case .scheduled(let key, .scheduled(let content, let instant)):
        .scheduled(key, .scheduled(content.marked(word(of: .scheduled(key))), at: instant))
      case .review(let target, .resolved(let outcome, _)):
        .review(target, .resolved(outcome, note: word(of: .review(target))))
      case .device(let key, .added):
        .device(
          key, .added(Device.Info(name: word(of: .device(key)), pushService: nil, pushToken: word(of: .device(key)))))
      default: event.change
      }
    return ChatEvent(change, event.origin)
  }

  private func marking(_ event: Message.Event, _ word: UserText) -> Message.Event {
    switch event {
    case .sent(let content): return .sent(content.marked(word))
    case .edited(var edits):
      edits.text = edits.text.map { $0 + word }
      edits.extra = edits.extra.map { _ in ["note": .text(word)] }
      edits.attachments = edits.attachments?.marked(word)
      return .edited(edits)
    case .failed: return .failed(reason: word)
    case .ephemeralShuffled(let attachments): return .ephemeralShuffled(attachments.marked(word))
    case .pollOpened(let options, let rules): return .pollOpened(options.map { $0.marked(word) }, rules)
    case .pollOptionAdded(let option): return .pollOptionAdded(option.marked(word))
    default: return event
    }
  }

  private func marking(_ event: Reaction.Event, _ word: UserText) -> Reaction.Event {
    switch event {
    case .added(let kind, let score): .added(ID(stringLiteral: "\(kind)-\(word)"), score: score)
    case .removed(let kind): .removed(ID(stringLiteral: "\(kind)-\(word)"))
    }
  }

  private func marking(_ event: Draft.Event, _ word: UserText) -> Draft.Event {
    switch event {
    case .updated(let content, let edit): .updated(content.marked(word), edit)
    case .superseded(let content, let edit): .superseded(content?.marked(word), edit)
    case .deleted: event
    }
  }

  private func marking(_ event: Composer.Event, _ word: UserText) -> Composer.Event {
    switch event {
    case .filled(let content, let selection): .filled(content.marked(word), selection: selection)
    case .editBegan(let id, let content): .editBegan(id, content.marked(word))
    case .extraSet: .extraSet(["note": .text(word)])
    case .commandStarted(let run): .commandStarted(CommandExecution(run.id, of: run.command, arguments: word))
    default: event
    }
  }

  private func marking(_ event: Channel.Event, _ word: UserText) -> Channel.Event {
    switch event {
    case .created(let kind, let profile, let config): .created(kind, profile.marked(word), config)
    case .changed(let profile): .changed(profile.marked(word))
    default: event
    }
  }
}

extension UserText {
  fileprivate static func + (a: UserText, b: UserText) -> UserText { UserText(a.string + " " + b.string) }
}

extension [Attachment] {
  fileprivate func marked(_ word: UserText) -> [Attachment] {
    map { attachment in
      var attachment = attachment
      attachment.title = word
      return attachment
    }
  }
}

extension Message.Content {
  fileprivate func marked(_ word: UserText) -> Message.Content {
    var content = self
    content.text = text + word
    content.extra = ["note": .text(word)]
    content.attachments = attachments.marked(word)
    return content
  }
}

extension Poll.Option {
  fileprivate func marked(_ word: UserText) -> Poll.Option { Poll.Option(id, text + word) }
}

extension Composition {
  fileprivate func marked(_ word: UserText) -> Composition {
    var content = self
    content.extra = ["note": .text(word)]
    return content
  }
}

extension Channel.Profile {
  fileprivate func marked(_ word: UserText) -> Channel.Profile {
    Channel.Profile(name: name + word, image: image, extra: extra)
  }
}
