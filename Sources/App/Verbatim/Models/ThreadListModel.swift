// An observable model of a user's thread list.
internal import Chat
internal import ChatCodec
public import ChatProjections
public import Observation

/// The threads in which a user takes part, updated while the model exists: for a view that observes it.
///
/// The thread with the newest reply comes first. A property changes only when its value differs from before.
@MainActor @Observable
public final class ThreadListModel {
  /// The threads, from the first on, each with the user's draft and the counts of its replies.
  public private(set) var threads: [ThreadItem] = []
  /// Whether there are more threads.
  public private(set) var hasMore = false
  /// Whether the threads were read once.
  public private(set) var isLoaded = false
  /// The error that keeps the shown values out of date; nil if there is none. After a refusal, updates resume once
  /// access is granted; after any other failure, once the values can be read, which is tried every second.
  public private(set) var failure: ReadError?

  @ObservationIgnored private let client: Client
  @ObservationIgnored private let pageSize: Int
  @ObservationIgnored private var limit: Int
  @ObservationIgnored private var task: Task<Void, Never>?

  /// Creates a model of a user's threads.
  public init(of client: Client, pageSize: Int = 30) {
    (self.client, self.pageSize, limit) = (client, max(1, pageSize), max(1, pageSize))
    follow()
  }

  deinit { task?.cancel() }

  /// Extends the list by one page once it is read.
  public func loadMore() {
    guard hasMore else { return }
    limit = threads.count + pageSize
    follow()
  }

  /// Reads the values at once, also after a failure.
  public func retry() {
    if failure != nil { failure = nil }
    follow()
  }

  internal struct Shown: Equatable {
    var threads: [ThreadItem]
    var hasMore: Bool
    /// The keys of the listed parent messages.
    let parents: Set<Message.Key>

    init(_ page: ThreadPage) {
      (threads, hasMore) = (page.threads, page.next != nil)
      parents = Set(page.threads.map(\.parent.key))
    }

    /// Returns whether the thread of a composer is listed.
    func lists(_ key: Composer.Key) -> Bool {
      key.thread.map { parents.contains(Message.Key(key.channel, $0)) } ?? false
    }

    /// Returns whether a user is listed as typing, in one thread or in any.
    func shows(typing user: User.ID, in key: Composer.Key? = nil) -> Bool {
      threads.contains { item in
        let parent = item.parent.key
        let isListed = key.map { $0.channel == parent.channel && $0.thread == parent.id } ?? true
        return isListed && item.typing.contains(user)
      }
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
    if threads != shown.threads { threads = shown.threads }
    if hasMore != shown.hasMore { hasMore = shown.hasMore }
    if !isLoaded { isLoaded = true }
  }

  internal var question: LiveQuery<Shown> {
    let (user, limit) = (client.user, limit)
    return LiveQuery { subject, shown in
      switch subject {
      case .user(user), .channel: true
      // A typing user may be banned from the chat or deactivated.
      case .user(let id): shown?.shows(typing: id) ?? false
      case .draft(let key):
        key.user == user && key.thread.map { shown?.parents.contains(Message.Key(key.channel, $0)) ?? false } ?? false
      case .composer(let key): key.user != user && shown?.lists(key) ?? false
      case .consumer, .app: false
      }
    } dependsOnTargets: { reading, targets, shown throws(ReadError) in
      if try reading.isOrWasMember(ofAnyOf: targets.channels) { return true }
      // Most events are further keystrokes of users already listed as typing.
      for key in targets.composers {
        let isShown = shown?.shows(typing: key.user, in: key) ?? false
        if try reading.isTyping(in: key) != isShown { return true }
      }
      return false
    } ask: { reading, _ throws(ReadError) in
      let page = try reading.threads(limit: limit)
      return (Shown(page), [try reading.mutesEnd(), try reading.typingEnd(in: page)].compactMap(\.self).min())
    }
  }
}

extension ClientReading {
  /// Returns when the first typing indication of some threads expires without further keystrokes; nil if no user is
  /// typing.
  fileprivate func typingEnd(in page: ThreadPage) throws(ReadError) -> Timestamp? {
    var end: Timestamp?
    for item in page.threads where !item.typing.isEmpty {
      for typing in try typing(in: item.parent.key.channel, thread: item.parent.key.id) {
        end = min(end ?? typing.end, typing.end)
      }
    }
    return end
  }
}
