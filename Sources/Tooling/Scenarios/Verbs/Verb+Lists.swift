// Verbs of message lists, as an open view shows them.
internal import Chat
internal import ChatComposer
internal import ChatMessageList
internal import ChatRendering
internal import ChatProjections
internal import Foundation
internal import JSONLines
internal import Verbatim
internal import VerbatimUI

extension Verb {
  static let lists: [Verb] = [
    Verb(
      "openList", "true", "Opens the list of the channel, or of the thread.",
      [Argument("pageSize", "the number of messages loaded first; default 50")] + layoutArguments
    ) { reader throws(InputDefect) in
      try reader.truth("openList")
      let pageSize = try reader.count("pageSize") ?? 50
      let rules = try LayoutSettings(&reader)
      return { player in
        let options = rules.options(of: ChatMessage.self, zone: player.settings.zone)
        player.lists[player.listTarget] = OpenList(
          MessageListModel(of: player.channel, thread: player.thread, options: options, pageSize: pageSize),
          pageSize: pageSize)
      }
    },
    plain("closeList", "Closes the list.") { player in player.lists[player.listTarget] = nil },
    plain("loadEarlier", "Loads a page of earlier messages into the list.") { player in
      try await player.list().loadEarlier()
    },
    Verb("layOut", "true", "Changes the layout rules of the list.", layoutArguments) { reader throws(InputDefect) in
      try reader.truth("layOut")
      let rules = try LayoutSettings(&reader)
      return { player in
        try player.list().model.layOut(by: rules.options(of: ChatMessage.self, zone: player.settings.zone))
      }
    },
    Verb(
      "press", "action", "Performs an action on a message in the list.",
      [Argument("on", "the message"), Argument("reaction", "the kind of reaction to add or remove")]
    ) { reader throws(InputDefect) in
      let actions = MessageAction.allCases.map { ($0.rawValue, $0) }
      let action = try reader.required("press", try reader.choice("press", actions))
      let name = try reader.required("on", try reader.text("on"))
      let kind = try reader.text("reaction")
      return { player in
        let id = player.id(name).text
        let slot = kind.map { SlotAction.react($0, message: id) } ?? .message(action, id)
        let composer = player.target.device == "none" ? nil : try await player.composer()
        player.outcome = player.words(for: try await player.list().model.press(slot, in: composer))
      }
    },
  ]

  /// The keys of the layout options.
  static let layoutArguments = LayoutSettings.keys
}

/// The user, channel and thread of a list.
struct ListTarget: Hashable {
  let user: User.ID
  let channel: Channel.ID
  let thread: Message.ID?
}

/// An open list.
@MainActor
final class OpenList {
  let model: MessageListModel
  private let pageSize: Int
  private var asked: Timestamp?

  init(_ model: MessageListModel, pageSize: Int) { (self.model, self.pageSize) = (model, pageSize) }

  /// Waits until the list shows the current conversation.
  func settle() async throws {
    let client = model.controller.client
    // Changes by time alone are loaded when the clock has moved.
    let now = client.workspace.now
    if let asked, asked != now { model.retry() }
    asked = now
    try await wait("the list of \(model.controller.id) does not show the last message") {
      let (id, thread) = (self.model.controller.id, self.model.thread)
      let count = self.model.layout.messageCount - (thread == nil ? 0 : 1)
      let limit = count > 0 ? count : self.pageSize
      let conversation: Conversation
      do {
        conversation = try await client.read { try $0.conversation(in: id, thread: thread, limit: limit) }
      } catch ReadError.refused {
        return self.model.failure != nil
      }
      return self.model.isLoaded && self.model.failure == nil && self.shows(conversation)
    }
  }

  /// Loads a page of earlier messages, and waits until it is shown.
  func loadEarlier() async throws {
    let (count, hasOlder) = (model.layout.messageCount, model.layout.hasOlder)
    await model.loadEarlier()
    if !hasOlder { return }
    try await wait("no earlier messages were loaded into \(model.controller.id)") {
      self.model.layout.messageCount > count || self.model.layout.rows.first?.kind == .notice
    }
  }

  private func shows(_ conversation: Conversation) -> Bool {
    // Rows are ordered by time, which can differ from the order in which messages were sent.
    let shown = model.layout.messages.sorted { $0.messageID < $1.messageID }
    return shown == conversation.messages.sorted { $0.messageID < $1.messageID } && model.typing == conversation.typing
      && model.layout.options.mutedAuthors == conversation.muted && model.channel == conversation.channel
  }
}

extension Player {
  var listTarget: ListTarget { ListTarget(user: target.user, channel: target.channel, thread: thread) }

  /// Returns the open list of the target.
  func list() throws -> OpenList {
    guard let list = lists[listTarget] else {
      throw Refused("noList", "No list is open here: use “openList” first.")
    }
    return list
  }

  /// Returns a text for the outcome of a pressed item.
  func words(for outcome: PressOutcome) -> String {
    switch outcome {
    case .done: "done"
    case .custom(let item, let id): "\(item) on \(id)"
    case .copy(let text): "copy \(text)"
    case .chooseReaction(let id): "choose a reaction to \(id)"
    case .scroll(let id): "scroll to \(id)"
    case .open(let attachment): "open \(attachment.id)"
    case .openChannel(let id): "open \(id)"
    case .openThread(let key): "open the thread of \(key.id)"
    case .openDraft(let key): "open the draft for \(key.channel)"
    case .openMessage(let key): "open \(key.channel) at \(key.id)"
    }
  }
}
