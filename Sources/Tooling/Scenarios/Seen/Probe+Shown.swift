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
    showing("title", "the title") { .text($0.title) },
    showing("placeholder", "the placeholder of the empty text field") { .string($0.placeholder) },
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
      let text = PlainTextFactory(columns: 60).draw(composer).text(columns: 60, hasColors: false)
      return .texts(text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
    },
  ]

  private static func showing(
    _ name: String, _ help: String, _ find: @escaping @Sendable (ComposerPresentation) -> JSON
  ) -> Probe {
    of(name, help) { find($0.presentation) }
  }
}

extension Composer.Picker {
  /// The picker as lines of scenarios name it.
  var word: String {
    switch self {
    case .collapsed: "collapsed"
    case .expanded(.none): "expanded"
    case .expanded(.media): "media"
    case .expanded(.giphy): "giphy"
    case .expanded(.custom(let name)): name.text
    }
  }
}

// MARK: Values

extension JSON {
  fileprivate init(_ item: ComposerItem) { self = JSON(item, label: item.label) }

  /// Creates the value of an item, with message names in place of ids.
  @MainActor
  fileprivate init(_ item: ComposerItem, _ player: Player) {
    self = JSON(item, label: item.label)
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
      "id": .string(item.id.string), "icon": .text(item.icon), "label": .text(label),
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
      case .commandExecuted: ("commandExecuted", notice.description)
      case .commandInterrupted(let id): ("commandInterrupted", id.text)
      case .editedMessageGone(let id): ("editedMessageGone", id.text)
      case .refused(let reason): ("refused", reason.string)
      case .notRecorded(let reason): ("notRecorded", reason.string)
      case .openElsewhere: ("openElsewhere", "")
      }
    self = .members(["name": .string(name), "says": .string(says)])
  }
}
