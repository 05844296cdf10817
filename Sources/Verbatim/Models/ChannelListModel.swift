// Somebody's channels, as a view shows them.
internal import Views
internal import Chat
internal import ChatCodec
public import ChatViews
public import Observation

/// The channels that a person is in, kept as they are while the model is there: for a view that observes it.
///
/// What it shows changes when it is another than before, and not otherwise.
@MainActor @Observable
public final class ChannelListModel {
  /// The channels, from the first on.
  public private(set) var channels: [ChannelItem] = []
  /// Whether there are more behind them.
  public private(set) var hasMore = false
  /// How much waits in all channels that are not muted.
  public private(set) var unread = Unread.none
  /// Whether the channels were asked for once.
  public private(set) var isLoaded = false
  /// Why what is shown is not as it stands; nil while all is well. What is refused comes again when it is granted;
  /// after any other failure it is for ``retry()`` to go on.
  public private(set) var failure: ReadError?

  @ObservationIgnored private let client: Client
  @ObservationIgnored private let filter: ChannelFilter
  @ObservationIgnored private let order: ChannelOrder
  @ObservationIgnored private let pageSize: Int
  @ObservationIgnored private var limit: Int
  @ObservationIgnored private var task: Task<Void, Never>?

  /// The channels of a person, some of them or all, in an order.
  public init(
    of client: Client, where filter: ChannelFilter = ChannelFilter(), by order: ChannelOrder = .lastActivity,
    pageSize: Int = 30
  ) {
    (self.client, self.filter, self.order, self.pageSize, limit) = (client, filter, order, pageSize, pageSize)
    follow()
  }

  deinit { task?.cancel() }

  /// Shows a page more, as soon as it is read.
  public func loadMore() {
    guard hasMore else { return }
    limit = channels.count + pageSize
    follow()
  }

  /// Goes on after a failure.
  public func retry() {
    if failure != nil { failure = nil }
    follow()
  }

  private struct Shown: Equatable {
    var channels: [ChannelItem]
    var hasMore: Bool
    var unread: Unread
  }

  private func follow() {
    task?.cancel()
    task = LiveAnswers(to: question, by: client).show(in: self) { model, answer in
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

  private var question: LiveQuestion<Shown> {
    let (user, filter, order, limit) = (client.user, filter, order, limit)
    return LiveQuestion { subject in
      switch subject {
      case .user(user), .channel: true
      case .user, .draft, .composer, .app: false
      }
    } dependsOnChannels: { reading, channels throws(ReadError) in
      try reading.isOrWasMember(ofAnyOf: channels)
    } ask: { reading, _ throws(ReadError) in
      let page = try reading.channels(where: filter, by: order, limit: limit)
      let shown = Shown(channels: page.channels, hasMore: page.next != nil, unread: try reading.unread())
      return (shown, try reading.mutesEnd())
    }
  }
}

extension ClientReading {
  /// When the first of the user's mutes ends; nil when none does.
  internal func mutesEnd() throws(ReadError) -> Instant? { try mutes().compactMap(\.term.end).min() }

  /// Whether there is a channel among some that the user is in, or was in before.
  internal func isOrWasMember(ofAnyOf channels: Set<Channel.ID>) throws(ReadError) -> Bool {
    for id in channels where try answer({ chat throws(ViewError) in try chat.isOrWasMember(Member.Key(id, user)) }) {
      return true
    }
    return false
  }
}
