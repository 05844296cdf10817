// Verbs of lists of an app's own messages, which are not stored in a workspace.
internal import ChatMessageList
internal import ChatRendering
internal import Foundation
internal import JSONLines

extension Verb {
  static let ownLists: [Verb] = [
    Verb(
      "view", "messages",
      "Shows messages of the app in a list: `[{\"id\":…,\"at\":seconds,\"side\":\"left\",\"text\":…}]`.",
      OwnView.keys + layoutArguments
    ) { reader throws(InputDefect) in
      let messages = try (try reader.required("view", try reader.objects("view"))).map { value throws(InputDefect) in
        try OwnMessage(value)
      }
      let view = try OwnView(&reader)
      let rules = try LayoutSettings(&reader)
      return { player in
        player.ownList = OwnList(view, messages, rules.options(of: OwnMessage.self, zone: player.settings.zone))
      }
    },
    Verb("put", "messages", "Adds messages to that list, replacing those with the same ids.", changeArguments) {
      reader throws(InputDefect) in
      let messages = try (try reader.required("put", try reader.objects("put"))).map { value throws(InputDefect) in
        try OwnMessage(value)
      }
      let (hasOlder, hasNewer) = (try reader.bool("hasOlder"), try reader.bool("hasNewer"))
      let (typing, first) = (try reader.texts("typing"), try reader.text("unreadFrom"))
      let count = try reader.count("unreadCount") ?? 1
      return { player in
        let list = try player.own()
        var change = MessageChange.put(messages)
        (change.hasOlder, change.hasNewer, change.typing) = (hasOlder, hasNewer, typing)
        if let first, let message = messages.first(where: { $0.id == first }) ?? list.list.layout.message(first) {
          change.unread = .some(UnreadMark(from: MessageSortKey(message), count: count))
        }
        list.apply(change)
      }
    },
    Verb("take", "messages", "Removes messages from it, by id.") { reader throws(InputDefect) in
      let ids = try reader.required("take", try reader.texts("take"))
      return { player in try player.own().apply(.remove(ids)) }
    },
    Verb(
      "scrollTo", "message", "Scrolls it to a message.", [Argument("edge", "`top`, `center` or `bottom`")]
    ) { reader throws(InputDefect) in
      let id = try reader.required("scrollTo", try reader.text("scrollTo"))
      let edges: [(String, Viewport.Edge)] = [("top", .top), ("center", .center), ("bottom", .bottom)]
      let edge = try reader.choice("edge", edges) ?? .bottom
      return { player in
        guard try player.own().scroll(to: id, edge) else {
          throw Refused("noRow", "The message \(id) has no row: scroll to a shown one.")
        }
      }
    },
    Verb("swipe", "true or false", "Swipes it sideways, which shows the time of each message, or back.") {
      reader throws(InputDefect) in
      let isSwiped = try reader.required("swipe", try reader.bool("swipe"))
      return { player in try player.own().list.isSwiped = isSwiped }
    },
    Verb("refresh", "true", "Pulls it to refresh.", [Argument("fails", "the reason why loading fails")]) {
      reader throws(InputDefect) in
      try reader.truth("refresh")
      let reason = try reader.text("fails")
      return { player in try await player.own().refresh(failing: reason) }
    },
  ]

  private static let changeArguments = [
    Argument("hasOlder", "whether there are earlier messages to load"),
    Argument("hasNewer", "whether there are later ones"), Argument("typing", "the users who are typing"),
    Argument("unreadFrom", "the first unread message"),
    Argument("unreadCount", "the number of unread messages; default 1"),
  ]
}

extension Player {
  func own() throws -> OwnList {
    guard let ownList else { throw Refused("noList", "There is no list of the app's messages: use “view” first.") }
    return ownList
  }
}

/// A message of an app's own type.
struct OwnMessage: MessageType, Sendable {
  let messageID: String
  let timestamp: Date
  let alignment: MessageAlignment
  private let look: Look

  private enum Look: Equatable, Sendable {
    case text(String)
    case system(String)
    case image(data: String?, url: String?)
    case custom(String)
  }

  private struct Item: CustomItem {
    let id: String
    var data: Any? { nil }
  }

  var kind: MessageKind {
    switch look {
    case .text(let text): .text(TextItem(text))
    case .system(let text): .system(AttributedString(text))
    case .image(let data, let url): .image(ImageItem(data: data.map { Array($0.utf8) }, url: url))
    case .custom(let id): .custom(Item(id: id))
    }
  }

  init(_ reader: ObjectReader) throws(InputDefect) {
    var reader = reader
    messageID = try reader.required("id", try reader.text("id"))
    timestamp = Date(timeIntervalSince1970: try reader.number("at") ?? 0)
    alignment = try reader.choice("side", [("left", MessageAlignment.left), ("right", .right)]) ?? .left
    let (data, url) = (try reader.text("data"), try reader.text("url"))
    if let text = try reader.text("system") {
      look = .system(text)
    } else if let id = try reader.text("custom") {
      look = .custom(id)
    } else if data != nil || url != nil {
      look = .image(data: data, url: url)
    } else {
      look = .text(try reader.text("text") ?? "")
    }
    try reader.finish()
  }
}
