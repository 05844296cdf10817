// An observable model of a user's channel list.
internal import Projections
package import Chat
internal import ChatCodec
public import ChatProjections
public import Observation

/// The channels of a user, updated while the model exists: for a view that observes it.
///
/// A property changes only when its value differs from before.
@MainActor @Observable
public final class ChannelListModel {
  /// The channels, from the first on.
  public private(set) var channels: [ChannelItem] = []
  /// Whether there are more channels.
  public private(set) var hasMore = false
  /// The sum of the unread counts of all channels that are not muted.
  public private(set) var unread = Unread.none
  /// Whether the channels were read once.
  public private(set) var isLoaded = false
  /// The error that keeps the shown values out of date; nil if there is none. After a refusal, updates resume once
  /// access is granted; after any other failure, once the values can be read, which is tried every second.
  public private(set) var failure: ReadError?

  @ObservationIgnored private let client: Client
  @ObservationIgnored private let filter: ChannelFilter
  @ObservationIgnored private let order: ChannelOrder
  @ObservationIgnored private let pageSize: Int
  @ObservationIgnored private var limit: Int
  @ObservationIgnored private var task: Task<Void, Never>?

  /// Creates a model of a user's channels, filtered and in an order.
  public init(
    of client: Client, where filter: ChannelFilter = ChannelFilter(), by order: ChannelOrder = .lastActivity,
    pageSize: Int = 30
  ) {
    (self.client, self.filter, self.order, self.pageSize, limit) = (client, filter, order, pageSize, pageSize)
    follow()
  }

  deinit { task?.cancel() }

  /// Extends the list by one page once it is read.
  public func loadMore() {
    guard hasMore else { return }
    limit = channels.count + pageSize
    follow()
  }

  /// Reads the values at once, also after a failure.
  public func retry() {
    if failure != nil { failure = nil }
    follow()
  }

  internal struct Shown: Equatable {
    var channels: [ChannelItem]
    var hasMore: Bool
    var unread: Unread
    /// The ids of the listed channels.
    let ids: Set<Channel.ID>

    init(_ page: ChannelPage, _ unread: Unread) {
      (channels, hasMore, self.unread) = (page.channels, page.next != nil, unread)
      ids = Set(page.channels.map(\.channel.id))
    }

    /// Returns whether a user is listed as typing, in one channel or in any.
    func tells(thatTypes user: User.ID, in channel: Channel.ID? = nil) -> Bool {
      channels.contains { (channel == nil || $0.channel.id == channel) && $0.typing.contains(user) }
    }
  }

  private func follow() {
    task?.cancel()
    task = LiveQueryResults(to: question, by: client).show(in: self) { model, answer in
      switch answer {
      case .success(let shown): model.show(shown)
      case .failure(let error): model.failure = error
      }
    }
  }

  private func show(_ shown: Shown) {
    if failure != nil { failure = nil }
    if channels != shown.channels { channels = shown.channels }
    if hasMore != shown.hasMore { hasMore = shown.hasMore }
    if unread != shown.unread { unread = shown.unread }
    if !isLoaded { isLoaded = true }
  }

  internal var question: LiveQuery<Shown> {
    let (user, filter, order, limit) = (client.user, filter, order, limit)
    return LiveQuery { subject, shown in
      switch subject {
      case .user(user), .channel: true
      // A typing user may be banned from the chat or deactivated.
      case .user(let id): shown?.tells(thatTypes: id) ?? false
      case .draft(let key): key.user == user && key.thread == nil && shown?.ids.contains(key.channel) ?? false
      case .composer(let key): key.user != user && key.thread == nil && shown?.ids.contains(key.channel) ?? false
      case .consumer, .app: false
      }
    } dependsOnTargets: { reading, targets, shown throws(ReadError) in
      if try reading.isOrWasMember(ofAnyOf: targets.channels) { return true }
      return try reading.isTypingOther(in: targets) { key in
        shown?.tells(thatTypes: key.user, in: key.channel) ?? false
      }
    } ask: { reading, _ throws(ReadError) in
      let page = try reading.channels(where: filter, by: order, limit: limit)
      let ends = [try reading.mutesEnd(), try reading.typingEnd(in: page)]
      return (Shown(page, try reading.unread()), ends.compactMap { $0 }.min())
    }
  }
}

extension ClientReading {
  /// Returns when the user's first mute expires; nil if none does.
  internal func mutesEnd() throws(ReadError) -> Timestamp? { try mutes().compactMap(\.term.end).min() }

  /// Returns when the first typing indication of some channels expires without further keystrokes; nil if no user is
  /// typing.
  fileprivate func typingEnd(in page: ChannelPage) throws(ReadError) -> Timestamp? {
    var end: Timestamp?
    for item in page.channels where !item.typing.isEmpty {
      for typing in try typing(in: item.channel.id) { end = min(end ?? typing.end, typing.end) }
    }
    return end
  }

  /// Returns whether a user is typing in a composer.
  package func isTyping(in key: Composer.Key) throws(ReadError) -> Bool {
    try read(chat.isTyping(in: key, at: instant))
  }

  /// Returns whether the user is or was a member of any of some channels.
  internal func isOrWasMember(ofAnyOf channels: Set<Channel.ID>) throws(ReadError) -> Bool {
    for id in channels
    where try read(chat.isOrWasMember(Member.Key(id, user))) {
      return true
    }
    return false
  }
}
