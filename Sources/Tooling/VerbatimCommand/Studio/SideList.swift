// The list beside the messages of a tab: channels, threads, drafts, or items of another kind.
internal import Chat
internal import ChatCodec
internal import ChatProjections
internal import ChatRendering
internal import JSONLines
internal import Observation
internal import Verbatim
internal import VerbatimUI

/// One of the lists beside the messages of a tab, updated while it is shown.
@MainActor @Observable
final class SideList {
  /// The list to show: its kind, and for found messages the words, and whether those of all channels are searched.
  struct Request: Hashable, Sendable {
    let kind: ItemListKind
    let query: String
    let isEverywhere: Bool

    init(_ kind: ItemListKind, query: String = "", isEverywhere: Bool = false) {
      (self.kind, self.query, self.isEverywhere) = (kind, query, isEverywhere)
    }

    init(named name: String, query: String, isEverywhere: Bool) throws(InputDefect) {
      guard let kind = ItemListKind(rawValue: name) else {
        throw InputDefect("“\(name.inOneLine)” is no list: reload the page.")
      }
      self.init(kind, query: query, isEverywhere: isEverywhere)
    }
  }

  private enum Content {
    case channels(ChannelListModel)
    case threads(ThreadListModel)
    case drafts(DraftListModel)
    case items(Part)
    case loading
    case refused(String)
  }

  /// The first items of a list, whether there are more, and until when they are valid without further events.
  fileprivate struct Part: Hashable, Sendable {
    var items: [ListItem] = []
    var hasMore = false
    var until: Timestamp?
  }

  private var content: Content
  @ObservationIgnored private let client: Client
  @ObservationIgnored private let channel: Channel.ID
  @ObservationIgnored private var request = Request(.channels)
  @ObservationIgnored private var limit = SideList.pageSize
  @ObservationIgnored private var task: Task<Void, Never>?

  private static let pageSize = 30

  init(of client: Client, in channel: Channel.ID) {
    (self.client, self.channel) = (client, channel)
    content = .channels(ChannelListModel(of: client))
  }

  deinit { task?.cancel() }

  // MARK: Showing

  /// Shows a list from its beginning. A list that is already shown stays, so that its buttons remain valid; a search is
  /// run again.
  func show(_ request: Request) {
    if request == self.request, request.kind != .found { return }
    (self.request, limit) = (request, Self.pageSize)
    begin()
  }

  private func begin() {
    task?.cancel()
    task = nil
    switch request.kind {
    case .channels: content = .channels(ChannelListModel(of: client))
    case .threads: content = .threads(ThreadListModel(of: client))
    case .drafts: content = .drafts(DraftListModel(of: client))
    case .found: find()
    default: follow()
    }
  }

  private func follow() {
    // While more of the same list is read, its beginning stays.
    if limit == Self.pageSize { content = .loading }
    task = LiveQueryResults(to: question, by: client).show(in: self) { list, answer in
      switch answer {
      case .success(let part): list.content = .items(part)
      case .failure(let error): list.content = .refused("\(error)")
      }
    }
  }

  private var question: LiveQuery<Part> {
    let (kind, user, channel, limit) = (request.kind, client.user, channel, limit)
    return LiveQuery { subject, _ in
      switch subject {
      case .user(user), .channel: true
      default: false
      }
    } ask: { reading, _ throws(ReadError) in
      let part = try reading.part(of: kind, in: channel, limit: limit)
      return (part, part.until)
    }
  }

  /// Finds messages once: what is written later is found by another search.
  private func find() {
    let (query, isEverywhere, limit) = (request.query, request.isEverywhere, limit)
    let channel = isEverywhere ? nil : channel
    task = Task { [client, weak self] in
      let found: Result<Part, ReadError>
      do throws(ReadError) {
        found = .success(
          try await client.ask(findingWords: true) { reading throws(ReadError) in
            let page = try reading.messages(matching: query, in: channel, limit: limit)
            let items = try page.messages.map { message throws(ReadError) in
              let name = isEverywhere ? try reading.channel(message.key.channel).profile.name : nil
              return ListItem.found(message, channelName: name)
            }
            return Part(items: items, hasMore: page.next != nil)
          })
      } catch {
        found = .failure(error)
      }
      guard let self, !Task.isCancelled else { return }
      switch found {
      case .success(let part): content = .items(part)
      case .failure(let error): content = .refused("\(error)")
      }
    }
  }

  // MARK: Drawing and pressing

  /// Draws the list.
  func draw(with factory: StudioFactory) -> HTML {
    switch content {
    case .channels(let model): factory.draw(model)
    case .threads(let model): factory.draw(model)
    case .drafts(let model): factory.draw(model)
    case .items(let part): factory.draw(request.kind, part.items, hasMore: part.hasMore)
    case .loading: factory.makeLoading()
    case .refused(let sentence): .element("p", ["class": "notice"], text: sentence)
    }
  }

  /// The users who are named in the list.
  var people: [User.ID] { if case .channels(let model) = content { model.channels.flatMap(\.line.people) } else { [] } }

  /// Performs a pressed action of the list.
  func press(_ action: SlotAction) async throws -> PressOutcome {
    switch (action, content) {
    case (.loadMore(request.kind), .items):
      limit += Self.pageSize
      begin()
      return .done
    case (_, .channels(let model)): return try await model.press(action)
    case (_, .threads(let model)): return try await model.press(action)
    case (_, .drafts(let model)): return try await model.press(action)
    default: return try await client.me.press(action)
    }
  }
}

// MARK: Reading

extension ClientReading {
  /// Returns the first items of a list without a model.
  fileprivate func part(of kind: ItemListKind, in channel: Channel.ID, limit: Int) throws(ReadError) -> SideList.Part {
    switch kind {
    case .flagged: return try flagged(in: channel, limit: limit)
    case .mutes:
      let mutes = try mutes()
      let items = try mutes.map { mute throws(ReadError) in
        guard case .channel(let id) = mute.key.target else { return ListItem.mute(mute, channelName: nil) }
        return .mute(mute, channelName: try name(of: id))
      }
      return SideList.Part(items: items, until: mutes.compactMap(\.term.end).min())
    case .invitations: return SideList.Part(items: try invitations().map { .invitation($0) })
    case .publicChannels:
      let page = try publicChannels(limit: limit)
      return SideList.Part(items: page.channels.map { .publicChannel($0) }, hasMore: page.next != nil)
    case .saved:
      let page = try savedMessages(limit: limit)
      let items = try page.items.map { item throws(ReadError) in
        ListItem.saved(item, channelName: try name(of: item.saved.key.message.channel))
      }
      return SideList.Part(items: items, hasMore: page.next != nil)
    case .scheduled:
      let items = try scheduledMessages().map { message throws(ReadError) in
        ListItem.scheduled(message, channelName: try name(of: message.key.message.channel))
      }
      return SideList.Part(items: items)
    case .blocks: return SideList.Part(items: try blockedUsers().map { .blocked($0) })
    case .channels, .threads, .drafts, .found: return SideList.Part()
    }
  }

  private func flagged(in channel: Channel.ID, limit: Int) throws(ReadError) -> SideList.Part {
    let page = try openReviews(in: channel, limit: limit)
    var part = SideList.Part(hasMore: page.next != nil)
    for item in page.items {
      guard case .message(let key) = item.review.target else { continue }
      if let message = try ReadError.unlessRefused(message(key)) { part.items.append(.flagged(message, item)) }
    }
    return part
  }

  /// Returns the name of a channel; nil if the user cannot see it.
  private func name(of channel: Channel.ID) throws(ReadError) -> UserText? {
    try ReadError.unlessRefused(self.channel(channel))?.profile.name
  }
}
