// Random intents on messages and drafts.
internal import Chat
internal import SeededRandom

extension World {
  mutating func messageIntent(by actor: Author, in state: InMemoryChatState) -> (ChatIntent, Author) {
    let key = messageKey()
    // Most intents concern the author's own messages.
    let author = state[key]?.author.map { Author.user($0, on: actor.device) }
    let writer = random.once(in: 3) ? actor : author ?? actor
    switch random.below(32) {
    case 0...14: return (.message(Message.Key(key.channel, messageID()), .send(content())), actor)
    case 15...17: return (.message(key, .edit(edits(of: state[key]))), writer)
    case 18: return (.message(key, .delete(forGood: random.once(in: 4))), writer)
    case 19...20: return (.message(key, .restore), writer)
    case 21: return (.message(key, .pin(term())), random.once(in: 3) ? .system : actor)
    case 22: return (.message(key, .unpin), random.once(in: 3) ? .system : actor)
    case 23: return (.message(key, .acknowledge), writer)
    case 24...25: return (.message(key, .fail(reason: random.pick(["offline", text()]))), writer)
    case 26...27: return (.message(key, .retry), writer)
    case 28: return (.message(key, .sendEphemeral), writer)
    case 29...30: return (.message(key, .shuffleEphemeral(attachments())), writer)
    default: return (.message(key, .cancelEphemeral), writer)
    }
  }

  private mutating func content() -> Message.Content {
    let text = text()
    let kinds: [Message.Kind] = [
      .regular, .regular, .regular, .regular, .regular, .ephemeral, .custom("poll"), .system,
    ]
    return Message.Content(
      text, kind: random.pick(kinds), mentions: mentions(in: TypedText(text)), attachments: attachments(),
      parent: thread(), showsInChannel: random.bool(), quoted: thread(), isSilent: random.bool(), extra: extra(),
      client: random.once(in: 4) ? ID(stringLiteral: "client\(age / 100)") : nil, isPending: random.once(in: 3))
  }

  private mutating func edits(of message: Message?) -> Message.Edits {
    let text = random.maybe { random in random.shortWording() }
    let mentions = random.bool() ? mentions(in: TypedText(text ?? message?.content.text ?? "")) : nil
    return Message.Edits(
      text: text, mentions: mentions, attachments: random.bool() ? attachments() : nil,
      extra: random.once(in: 3) ? extra() : nil)
  }

  mutating func draftIntent() -> Draft.Intent {
    // Offline changes arrive late.
    let editedAt = now + .seconds(Int64(random.pick([0, 0, 0, -30, -3000])))
    return random.once(in: 3)
      ? .delete(random.pick(Draft.DeletionReason.allCases), editedAt: editedAt)
      : .update(composition(), editedAt: editedAt)
  }

  /// Returns the contents of a composer, whose mentions usually fit its text.
  mutating func composition() -> Composition {
    var content = random.composition()
    if random.once(in: 20) { return content }
    content.text = TypedText(text())
    content.mentions = mentions(in: content.text)
    content.attachments = attachments().map { ComposedAttachment($0, .done) }
    content.dismissedPreviews = random.bool() ? [] : ["https://example.org"]
    (content.quoted, content.extra) = (thread(), extra())
    return content
  }
}
