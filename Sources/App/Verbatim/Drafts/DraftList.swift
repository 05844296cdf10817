// A paginated list of a user's drafts that is updated on change.
internal import Chat
internal import ChatCodec
internal import ChatProjections
internal import Locks

/// A list of a user's drafts, loaded page by page and delivered again when it changes.
///
/// It belongs to a client, and so refers to the workspace and the user only: a reference to the client would be a
/// cycle.
internal final class DraftList: Sendable {
  private let workspace: Workspace
  private let user: User.ID
  private let state = Locked(State())

  private struct State {
    var query = DraftListQuery()
    var isLoaded = false
    /// The number of drafts loaded so far.
    var loadedCount = 0
    /// The number of loaded pages: results of queries that started before the last load are discarded.
    var generation = 0
    /// The cursor of the next page; nil if there is none.
    var next: DraftCursor?
    var earlier: EarlierDrafts?
    var shown: [DraftItem] = []
    var failure: ReadError?
    /// The last load: loads are serial.
    var last: Task<Void, Never>?
    var following: Task<Void, Never>?
    var callback: (@Sendable ([DraftItem]) -> Void)?
    var watchers: [Int: AsyncStream<[DraftItem]>.Continuation] = [:]
    var lastWatcher = 0

    var isWatched: Bool { callback != nil || !watchers.isEmpty }
  }

  init(of user: User.ID, in workspace: Workspace) { (self.user, self.workspace) = (user, workspace) }

  /// A client for one query, with a list of its own that is never loaded.
  private var client: Client { workspace.client(user: user) }

  deinit {
    state.withLock { state in
      state.following?.cancel()
      for watcher in state.watchers.values { watcher.finish() }
    }
  }

  var shown: [DraftItem] { state.withLock { $0.shown } }
  var failure: ReadError? { state.withLock { $0.failure } }
  var hasLoadedAll: Bool { state.withLock { $0.isLoaded && $0.next == nil } }

  // MARK: Loading

  /// Starts a list with its first page.
  func load(_ query: DraftListQuery) async throws(ReadError) -> [DraftItem] {
    try await inTurn { list in await list.begin(query) }
  }

  /// Returns the next page of the list, or the first of a new one; an empty array once all are loaded.
  func loadMore() async throws(ReadError) -> [DraftItem] {
    try await inTurn { list in await list.goOn() }
  }

  /// Runs a load after all earlier ones have finished.
  private func inTurn(
    _ load: @escaping @Sendable (DraftList) async -> Result<[DraftItem], ReadError>
  ) async throws(ReadError) -> [DraftItem] {
    let task = state.withLock { state in
      let before = state.last
      let task = Task {
        await before?.value
        return await load(self)
      }
      state.last = Task { _ = await task.value }
      return task
    }
    return try await task.value.get()
  }

  private func begin(_ query: DraftListQuery) async -> Result<[DraftItem], ReadError> {
    do throws(ReadError) {
      let found = try await client.drafts(query, after: nil)
      state.withLock { state in
        (state.query, state.isLoaded, state.failure) = (query, true, nil)
        state.generation += 1
        (state.loadedCount, state.shown) = (found.page.drafts.count, found.page.drafts)
        (state.next, state.earlier) = (found.page.next, found.earlier)
      }
      follow()
      return .success(found.page.drafts)
    } catch {
      return .failure(error)
    }
  }

  private func goOn() async -> Result<[DraftItem], ReadError> {
    let (query, isLoaded, next, earlier) = state.withLock { ($0.query, $0.isLoaded, $0.next, $0.earlier) }
    guard isLoaded else { return await begin(query) }
    guard let next else { return .success([]) }
    do throws(ReadError) {
      let found = try await client.drafts(query, after: next, earlier)
      state.withLock { state in
        state.generation += 1
        state.loadedCount += found.page.drafts.count
        state.shown += found.page.drafts
        (state.next, state.earlier) = (found.page.next, found.earlier)
      }
      follow()
      return .success(found.page.drafts)
    } catch {
      return .failure(error)
    }
  }

  // MARK: Following

  var callback: (@Sendable ([DraftItem]) -> Void)? {
    get { state.withLock { $0.callback } }
    set {
      state.withLock { $0.callback = newValue }
      follow()
    }
  }

  func watch() -> AsyncStream<[DraftItem]> {
    let (stream, watcher) = AsyncStream<[DraftItem]>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let number = state.withLock { state in
      state.lastWatcher += 1
      state.watchers[state.lastWatcher] = watcher
      return state.lastWatcher
    }
    watcher.onTermination = { [weak self] _ in self?.removeWatcher(number) }
    follow()
    return stream
  }

  private func removeWatcher(_ number: Int) {
    let isLast = state.withLock { state in
      state.watchers[number] = nil
      return !state.isWatched
    }
    if isLast { follow() }
  }

  /// Whether changes are being followed, for tests.
  var isFollowing: Bool { state.withLock { $0.following.map { !$0.isCancelled } ?? false } }

  /// Delivers the list to observers when it changes, as long as there are any.
  private func follow() {
    state.withLock { state in
      let before = state.following
      before?.cancel()
      guard state.isLoaded, state.isWatched else { return }
      let limit = state.next == nil ? Int.max : max(state.loadedCount, state.query.pagination.pageSize)
      let question = LiveQuery.drafts(of: user, state.query, limit: limit)
      let (answers, generation) = (LiveQueryResults(to: question, by: client), state.generation)
      state.following = Task { [weak self] in
        // Deliveries are serial.
        await before?.value
        var answers = answers
        do throws(ReadError) {
          while let answer = try await answers.next() {
            guard let self, !Task.isCancelled else { return }
            self.show(answer.map(\.drafts).mapError { .refused($0) }, generation)
          }
        } catch {
          if !Task.isCancelled { self?.end(error) }
        }
      }
    }
  }

  private func show(_ answer: Result<[DraftItem], ReadError>, _ generation: Int) {
    let notification = state.withLock { state -> (list: [DraftItem], callback: (@Sendable ([DraftItem]) -> Void)?)? in
      guard generation == state.generation else { return nil }
      switch answer {
      case .failure(let error):
        state.failure = error
        return nil
      case .success(let list):
        state.failure = nil
        if list == state.shown { return nil }
        state.shown = list
        for watcher in state.watchers.values { watcher.yield(list) }
        return (list, state.callback)
      }
    }
    if let notification { notification.callback?(notification.list) }
  }

  /// Ends the delivery: the drafts cannot be read.
  private func end(_ error: ReadError) {
    let watchers = state.withLock { state in
      state.failure = error
      return Array(state.watchers.values)
    }
    for watcher in watchers { watcher.finish() }
  }
}
