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

/// The events of a person in a log, and what they name, without the content of others.
struct PersonExport: Sendable {
  let user: User.ID
  /// The number of events.
  private(set) var count = 0
  /// The messages that the person sent.
  private(set) var messages: [Message.Key] = []
  /// The options that others added to polls.
  private(set) var optionsOfOthers: [Message.Key: Set<Poll.Option.ID>] = [:]
  /// The attached files that the events name.
  private(set) var blobs: Set<Blob.ID> = []
  /// The messages that the person edits, and their authors, to whom also the words of an edit belong.
  private var edited: Set<Message.Key> = []
  private var authors: [Message.Key: User.ID] = [:]
  /// The messages that the person's composers are editing.
  private var edits: [Composer.Key: Message.ID?] = [:]

  init(of user: User.ID) { self.user = user }

  /// Surveys an event; all events must be surveyed before the first one is added.
  mutating func survey(_ event: RecordedEvent) {
    guard isCaused(event) else { return }
    switch event.change {
    case .message(let key, .edited)?: edited.insert(key)
    case .composer(let key, .editBegan(let message, _))?: edited.insert(Message.Key(key.channel, message))
    default: break
    }
  }

  /// Adds an event if the person caused it or if it is about them; nil if not.
  mutating func add(_ event: RecordedEvent) -> PersonEvent? {
    let decoded = event.chatEvent
    if let decoded { know(decoded) }
    guard isCaused(event) || decoded.map({ concernsPerson($0.change) }) == true else { return nil }
    count += 1
    if case .message(let key, .sent)? = decoded?.change { messages.append(key) }
    var omitted: OmittedContent?
    if let decoded { omitted = contentOfOther(in: decoded) }
    if omitted == nil { event.payload.withUnsafeBytes { blobs.formUnion(Blob.ID.all(in: $0)) } }
    return PersonEvent(event: event, omitted: omitted)
  }

  private mutating func know(_ event: ChatEvent) {
    let author = event.origin.actor.user
    switch event.change {
    case .message(let key, .sent) where edited.contains(key): authors[key] = author
    case .message(let key, .pollOptionAdded(let option)) where author != user:
      optionsOfOthers[key, default: []].insert(option.id)
    default: break
    }
  }

  /// Returns the content of another person in an event; nil if it has none.
  private mutating func contentOfOther(in event: ChatEvent) -> OmittedContent? {
    // An event whose content was erased has none, and cannot be encoded.
    if event.isErased { return nil }
    let proposed = encode(event, edits: &edits) { authors[$0] }
    guard case .person(let owner)? = proposed.content?.owner, owner.text != user.text else { return nil }
    return OmittedContent(owner: owner, rest: try? readableChange(of: event, in: proposed))
  }

  private func isCaused(_ event: RecordedEvent) -> Bool { event.actor?.text == user.text || isOwn(event.stream) }

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

/// An event of a person, and the content of another person that is left out of it.
struct PersonEvent: Sendable {
  let event: RecordedEvent
  let omitted: OmittedContent?
}

/// The present state of a person, without the content of others.
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
  init?(of export: PersonExport, _ chat: ChatReading, at instant: Timestamp) throws(ProjectionError) {
    let id = export.user
    guard let user = try chat.user(id) else { return nil }
    (self.user, position) = (user, chat.position)
    let all = ChannelFilter(isHidden: nil, isArchived: nil)
    memberships = try chat.channels(of: id, where: all, at: instant, limit: .max).channels.map(\.member)
    var messages: [Message] = []
    for key in export.messages {
      guard let message = try chat.message(key), message.author == id else { continue }
      messages.append(message.without(contentOfOthersThan: id, options: export.optionsOfOthers[key] ?? []))
    }
    self.messages = messages
    var drafts: [Draft] = []
    for item in try chat.drafts(of: id, limit: .max).drafts { drafts += try chat.draft(item.key).map { [$0] } ?? [] }
    self.drafts = drafts
    var unsent = try chat.composers(of: id)
    for (index, composer) in unsent.enumerated() {
      guard let edited = composer.editing else { continue }
      let message = try chat.message(Message.Key(composer.key.channel, edited))
      // A message that cannot be found any more may be that of another person.
      if message.map({ $0.author ?? id }) != id { unsent[index].content = Composition() }
    }
    self.unsent = unsent
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

extension Message {
  /// Returns the message without the words and attachments of others than its author: forwarded ones, and the texts of
  /// options that others added to its poll.
  fileprivate func without(contentOfOthersThan user: User.ID, options: Set<Poll.Option.ID>) -> Message {
    var message = self
    if let author = content.forwarded?.author, author != user {
      (message.content.text, message.content.attachments, message.content.extra) = ("", [], [:])
    }
    message.poll?.options = poll?.options.map { options.contains($0.id) ? $0.withoutText : $0 } ?? []
    return message
  }
}

extension Poll.Option {
  fileprivate var withoutText: Poll.Option { Poll.Option(id, "", votes: votes) }
}
