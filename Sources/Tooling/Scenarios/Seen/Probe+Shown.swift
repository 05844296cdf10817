// Probes of what the target's composer shows.
internal import Chat
internal import ChatComposer
internal import ChatMessageList
internal import ChatRendering
internal import TerminalRendering
internal import JSONLines
internal import Verbatim
internal import VerbatimUI

extension Probe {
  static let shown: [Probe] = [
    showing("title", "the title") { .text($0.title?.string) },
    showing("placeholder", "the placeholder of the empty text field") { .string($0.placeholder.string) },
    showing("hasContent", "whether there is content to send") { .bool($0.hasContent) },
    showing("canSend", "whether it can be sent") { .bool($0.canSend) },
    showing("refusal", "the name of the reason why it cannot be sent") { .text($0.refusal?.code.text) },
    showing("why", "the refusal as a sentence") { .text($0.refusal?.description) },
    showing("cooldown", "the remaining seconds of slow mode") { .count($0.cooldown) },
    showing("maxMessageLength", "the maximum number of characters of a message") { .count($0.maxMessageLength) },
    showing("off", "the features that the channel has switched off") {
      .texts($0.channelConfig.off.elements.map { "\($0)" })
    },
    showing("scrolls", "whether the input scrolls") { .bool($0.shouldScroll) },
    showing("picker", "the open picker") { .string($0.picker.word) },
    showing("sources", "the sources of the attachment picker") { .array($0.pickerSources.map { JSON($0) }) },
    showing("leading", "the items before the input: id, icon, label, enabled, action") {
      .array($0.leading.map { JSON($0) })
    },
    Probe("input", "the items in the input") { player in
      player.openComposer.map { composer in .array(composer.presentation.input.map { JSON($0, player) }) } ?? .null
    },
    showing("trailing", "the items after the input") { .array($0.trailing.map { JSON($0) }) },
    showing("suggestions", "the suggestions: id, title, detail, icon; null if there are none") { shown in
      shown.suggestions.map { .array($0.items.map { JSON($0) }) } ?? .null
    },
    showing("suggesting", "the suggestion query: query, kind, range, loading") { shown in
      guard let list = shown.suggestions else { return .null }
      return .members([
        "query": .string(list.query.string), "kind": .text(list.kind?.text), "range": JSON(list.range),
        "loading": .bool(list.isLoading),
      ])
    },
    Probe("notice", "the notice for the user: name, says") { player in
      player.openComposer?.notice.map { JSON($0, player) } ?? .null
    },
    of("busy", "whether a send or a command is in progress") { .bool($0.isBusy) },
    of("commandsListed", "whether the list of all commands is shown") { .bool($0.composer.showsCommands) },
    Probe("composerDrawn", "the composer as text, line by line") { player in
      guard let composer = player.openComposer else { return .null }
      let slot = ComposerSlot(
        composer.presentation, composer.composer.content, selection: composer.composer.selection,
        subject: try await player.subject(of: composer))
      let text = PlainTextFactory(columns: 60).draw(slot).text(columns: 60, hasColors: false)
      return .texts(player.named(text).split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
    },
  ]

  private static func showing(
    _ name: String, _ help: String, _ find: @escaping @Sendable (ComposerPresentation) -> JSON
  ) -> Probe {
    of(name, help) { find($0.presentation) }
  }
}

extension Player {
  /// Returns the edited or quoted message, as it is drawn above the input.
  fileprivate func subject(of composer: LiveComposer) async throws -> MessageQuote? {
    guard let id = composer.composer.editing ?? composer.composer.content.quoted else { return nil }
    let message = try await channel.message(id)
    var sender: MessageSender?
    if let author = message.author {
      let name = try await client.user(author).get()?.profile.name.string
      sender = MessageSender(id: author.text, name: name ?? author.text)
    }
    return MessageQuote(id.text, by: sender, text: message.content.text.string)
  }
}

extension Composer.Picker {
  fileprivate var word: String {
    switch self {
    case .collapsed: "collapsed"
    case .expanded: "expanded"
    case .media: "media"
    case .giphy: "giphy"
    case .custom(let name): name.text
    }
  }
}

// MARK: Values

extension JSON {
  fileprivate init(_ item: ComposerItem) { self = JSON(item, label: item.label?.string) }

  /// Creates the value of an item, with message names in place of ids.
  @MainActor
  fileprivate init(_ item: ComposerItem, _ player: Player) {
    self = JSON(item, label: item.label.map { player.named($0.string) })
  }

  private init(_ item: ComposerItem, label: String?) {
    let action: String? =
      switch item.action {
      case .none: nil
      case .send: "send"
      case .perform(.custom(let name, _)): name.text
      case .perform(let action): String("\(action)".prefix { $0.isLetter })
      }
    self = .members([
      "id": .string(item.id.string), "icon": .text(item.icon?.string), "label": .text(label),
      "enabled": .bool(item.isEnabled), "action": .text(action),
    ])
  }

  fileprivate init(_ suggestion: Suggestion) {
    self = .members([
      "id": .string(suggestion.id.string), "title": .string(suggestion.title.string),
      "detail": .text(suggestion.detail?.string), "icon": .text(suggestion.icon?.string),
    ])
  }

  @MainActor
  fileprivate init(_ notice: ComposerNotice, _ player: Player) {
    let (name, says): (String, String) =
      switch notice {
      case .notSent(.refused(let refusal)): ("notSent", refusal.description)
      case .notSent(let refusal): ("notSent", refusal.description)
      case .commandFailed(let id, let failure): ("commandFailed", "\(id): \(failure.sentence)")
      case .commandInterrupted(let id): ("commandInterrupted", id.text)
      case .editedMessageGone(let id): ("editedMessageGone", id.text)
      case .refused(let reason): ("refused", reason.string)
      case .notRecorded(let reason): ("notRecorded", reason.string)
      case .openElsewhere: ("openElsewhere", "")
      }
    self = .members(["name": .string(name), "says": .string(player.named(says))])
  }
}
