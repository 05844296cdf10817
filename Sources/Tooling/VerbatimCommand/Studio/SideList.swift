// The list beside the messages of a tab: channels, threads, drafts, found or reported messages, mutes.
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
  /// The list that is shown.
  enum Kind: Hashable, Sendable {
    case channels, threads, drafts, flagged, mutes
    /// The messages found by a query; of all channels, if it is not the shown one.
    case found(String, isEverywhere: Bool)

    init(named name: String, query: String, isEverywhere: Bool) throws(InputDefect) {
      switch name {
      case "channels": self = .channels
      case "threads": self = .threads
      case "drafts": self = .drafts
      case "found": self = .found(query, isEverywhere: isEverywhere)
      case "flagged": self = .flagged
      case "mutes": self = .mutes
      default: throw InputDefect("“\(name.inOneLine)” is no list: reload the page.")
      }
    }
  }

  private enum Content {
    case channels(ChannelListModel)
    case threads(ThreadListModel)
    case drafts(DraftListModel)
    case items(ItemListKind, Part)
    case loading
    case refused(String)
  }

  /// The first items of a list, and whether there are more.
  private struct Part: Hashable, Sendable {
    var items: [ListItem] = []
    var hasMore = false
  }

  private var content: Content
  @ObservationIgnored private let client: Client
  @ObservationIgnored private let channel: Channel.ID
  @ObservationIgnored private var kind = Kind.channels
  @ObservationIgnored private var limit = SideList.pageSize
  @ObservationIgnored private var task: Task<Void, Never>?

  private static let pageSize = 30

  init(of client: Client, in channel: Channel.ID) {
    (self.client, self.channel) = (client, channel)
    content = .channels(ChannelListModel(of: client))
  }

  deinit { task?.cancel() }

  // MARK: Showing

  /// Shows a list from its beginning.
  func show(_ kind: Kind) {
    (self.kind, limit) = (kind, Self.pageSize)
    begin()
  }

  private func begin() {
    task?.cancel()
    task = nil
    switch kind {
    case .channels: content = .channels(ChannelListModel(of: client))
    case .threads: content = .threads(ThreadListModel(of: client))
    case .drafts: content = .drafts(DraftListModel(of: client))
    case .found(let query, let isEverywhere): find(query, isEverywhere: isEverywhere)
    case .flagged: follow(flagged, as: .flagged)
    case .mutes: follow(mutes, as: .mutes)
    }
  }

  private func follow(_ question: LiveQuery<Part>, as kind: ItemListKind) {
    // While more of the same list is read, its beginning stays.
    if limit == Self.pageSize { content = .loading }
    task = LiveQueryResults(to: question, by: client).show(in: self) { list, answer in
      switch answer {
      case .success(let answer): list.content = .items(kind, answer)
      case .failure(let error): list.content = .refused("\(error)")
      }
    }
  }

  private var flagged: LiveQuery<Part> {
    let (channel, limit) = (channel, limit)
    return LiveQuery { subject, _ in
      subject == .channel(channel)
    } ask: { reading, _ throws(ReadError) in
      let page = try reading.openReviews(in: channel, limit: limit)
      var part = Part(hasMore: page.next != nil)
      for item in page.items {
        guard case .message(let key) = item.review.target else { continue }
        if let message = try ReadError.unlessRefused(reading.message(key)) {
          part.items.append(.flagged(message, item))
        }
      }
      return (part, nil)
    }
  }

  private var mutes: LiveQuery<Part> {
    let user = client.user
    return LiveQuery { subject, _ in
      subject == .user(user)
    } ask: { reading, _ throws(ReadError) in
      let mutes = try reading.mutes()
      let items = try mutes.map { mute throws(ReadError) in
        guard case .channel(let id) = mute.key.target else { return ListItem.mute(mute, channelName: nil) }
        return .mute(mute, channelName: try ReadError.unlessRefused(reading.channel(id))?.profile.name)
      }
      return (Part(items: items), mutes.compactMap(\.term.end).min())
    }
  }

  /// Finds messages once: what is written later is found by another search.
  private func find(_ query: String, isEverywhere: Bool) {
    let (channel, limit) = (isEverywhere ? nil : channel, limit)
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
      case .success(let part): content = .items(.found, part)
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
    case .items(let kind, let part): factory.draw(kind, part.items, hasMore: part.hasMore)
    case .loading: factory.makeLoading()
    case .refused(let sentence): .element("p", ["class": "notice"], text: sentence)
    }
  }

  /// The users who are named in the list.
  var people: [User.ID] { if case .channels(let model) = content { model.channels.flatMap(\.line.people) } else { [] } }

  /// Performs a pressed action of the list.
  func press(_ action: SlotAction) async throws -> PressOutcome {
    switch (action, content) {
    case (.loadMore(.found), _), (.loadMore(.flagged), _):
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
