// What a log and the chat state hold of a person.
internal import Chat
internal import ChatCodec
internal import ChatMessageList
internal import ChatProjections
internal import ChatRendering
internal import EventLog
internal import Foundation
internal import JSONLines
internal import Projections
internal import Verbatim

/// The events of a person in a log, and what they name.
struct PersonExport: Sendable {
  let user: User.ID
  /// The number of events.
  private(set) var count = 0
  /// The messages that the person sent.
  private(set) var messages: [Message.Key] = []
  /// The attached files that the events name.
  private(set) var blobs: Set<Blob.ID> = []

  init(of user: User.ID) { self.user = user }

  /// Adds an event if the person caused it or if it is about them; returns whether it is.
  mutating func add(_ event: RecordedEvent) -> Bool {
    let change = event.change
    guard event.actor?.text == user.text || isOwn(event.stream) || change.map(concernsPerson) == true else {
      return false
    }
    count += 1
    if case .message(let key, .sent)? = change { messages.append(key) }
    event.payload.withUnsafeBytes { blobs.formUnion(Blob.ID.all(in: $0)) }
    return true
  }

  private func isOwn(_ stream: Name) -> Bool {
    switch StreamSubject(name: stream) {
    case .user(user)?: true
    case .draft(let key)?: key.user == user
    case .composer(let key)?: key.user == user
    default: false
    }
  }

  private func concernsPerson(_ change: ChatEvent.Change) -> Bool {
    switch change {
    case .member(let key, _): key.user == user
    case .ban(let key, _): key.user == user
    case .mute(let key, _): key.target == .user(user)
    case .flag(let key, _): key.target == .user(user)
    case .review(let target, _): target == .user(user)
    default: false
    }
  }
}

/// The present state of a person.
struct PersonState: Sendable {
  let user: User
  let position: Position
  let memberships: [Member]
  let messages: [Message]
  let drafts: [Draft]
  let unsent: [Composer]
  let saved: [SavedItem]
  let scheduled: [ScheduledMessage]
  let mutes: [Mute]
  let blocked: [User.ID]

  /// Reads the state; nil for an unknown user.
  init?(
    of id: User.ID, _ keys: [Message.Key], _ chat: ChatReading, at instant: Timestamp
  ) throws(ProjectionError) {
    guard let user = try chat.user(id) else { return nil }
    (self.user, position) = (user, chat.position)
    let all = ChannelFilter(isHidden: nil, isArchived: nil)
    memberships = try chat.channels(of: id, where: all, at: instant, limit: .max).channels.map(\.member)
    var messages: [Message] = []
    for key in keys { if let message = try chat.message(key), message.author == id { messages.append(message) } }
    self.messages = messages
    var drafts: [Draft] = []
    for item in try chat.drafts(of: id, limit: .max).drafts { drafts += try chat.draft(item.key).map { [$0] } ?? [] }
    self.drafts = drafts
    unsent = try chat.composers(of: id)
    saved = try chat.savedMessages(of: id, limit: .max).items
    scheduled = try chat.scheduledMessages(of: id)
    mutes = try chat.mutes(of: id, at: instant)
    blocked = try chat.blockedUsers(by: id)
  }

  /// The state as JSON.
  var json: String {
    JSON.object([
      JSON.Member("position", position), JSON.Member("user", user), JSON.Member("memberships", memberships),
      JSON.Member("messages", messages), JSON.Member("drafts", drafts), JSON.Member("unsent", unsent),
      JSON.Member("saved", saved.map(\.saved)), JSON.Member("scheduled", scheduled), JSON.Member("mutes", mutes),
      JSON.Member("blocked", blocked),
    ]).text
  }

  private var attachments: [Attachment] {
    let unsent = drafts.compactMap(\.content) + unsent.map(\.content)
    return messages.flatMap(\.content.attachments) + scheduled.flatMap(\.content.attachments)
      + unsent.flatMap(\.attachments).map(\.attachment)
  }

  /// The extensions of the names of attached files, with their dot.
  var fileExtensions: [Blob.ID: String] {
    var extensions: [Blob.ID: String] = [:]
    for attachment in attachments {
      guard case .url(let url) = attachment.location, let id = Blob.ID(url: url),
        let end = attachment.title?.string.split(separator: ".").dropFirst().last, end.utf8.count <= 8,
        end.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) })
      else { continue }
      extensions[id] = "." + end.lowercased()
    }
    return extensions
  }

  /// Returns a page of the profile and the messages, by channel.
  func page(_ words: RenderingWords, _ zone: Zone?, attachments: [String: String]) -> String {
    var calendar = Calendar.gregorianInUTC
    calendar.timeZone = zone?.timeZone ?? .current
    var context = RenderingContext()
    let (id, name) = (user.id.text, user.profile.name.string)
    (context.words, context.calendar) = (words, calendar)
    context.name = { $0 == id ? name : $0 }
    var options = LayoutOptions<ChatMessage>.verbatim
    options.calendar = calendar
    var parts: [HTML] = []
    let channels = Dictionary(grouping: messages, by: \.key.channel).sorted { $0.key < $1.key }
    for (number, (channel, messages)) in channels.enumerated() {
      let factory = PersonFactory(context: context, idPrefix: "channel\(number)-", attachments: attachments)
      let shown = messages.sorted { $0.number < $1.number }.map { ChatMessage($0, seenBy: user.id) }
      parts.append(.element("h2", ["dir": "auto"], text: channel.text))
      parts.append(factory.drawList(MessageLayout(shown, options: options)))
    }
    return PersonFactory(context: context, idPrefix: "", attachments: attachments).page(title: name, HTML.joined(parts))
  }
}

/// The factory of the page, whose attachments are files beside it.
private struct PersonFactory: HTMLFactory, Sendable {
  var context: RenderingContext
  let idPrefix: String
  /// The file names of attachments, by their addresses.
  let attachments: [String: String]

  func localAddress(of url: String) -> String? { attachments[url] }
}
