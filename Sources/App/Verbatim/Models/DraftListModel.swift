// An observable model of a user's drafts.
internal import Chat
public import ChatProjections
public import Observation

/// The drafts of a user, updated while the model exists: for a view that observes it.
///
/// The list grows by pages and is always in its present state, unlike the pages of
/// ``CurrentUserController/loadMoreDraftMessages()``, which are as of the first. An item changes with its draft, with
/// the message that it replies to, and with the name of its channel. A property changes only when its value differs
/// from before.
@MainActor @Observable
public final class DraftListModel {
  /// The drafts, from the first of the query on.
  public private(set) var drafts: [DraftItem] = []
  /// Whether there are more drafts.
  public private(set) var hasMore = false
  /// Whether the drafts were read once.
  public private(set) var isLoaded = false
  /// The error that keeps the shown values out of date; nil if there is none. After a refusal, updates resume once
  /// access is granted; after any other failure, once the values can be read, which is tried every second.
  public private(set) var failure: ReadError?

  @ObservationIgnored private let client: Client
  @ObservationIgnored private let query: DraftListQuery
  @ObservationIgnored private var limit: Int
  @ObservationIgnored private var task: Task<Void, Never>?

  /// Creates a model of a user's drafts in an order, with the page size and the offset of the query.
  public init(of client: Client, _ query: DraftListQuery = DraftListQuery()) {
    (self.client, self.query, limit) = (client, query, query.pagination.pageSize)
    follow()
  }

  deinit { task?.cancel() }

  /// Extends the list by one page once it is read.
  public func loadMore() {
    guard hasMore else { return }
    limit = drafts.count + query.pagination.pageSize
    follow()
  }

  /// Reads the values at once, also after a failure.
  public func retry() {
    if failure != nil { failure = nil }
    follow()
  }

  /// Deletes a draft of the list; a version saved by another device since the last read stays.
  public func delete(_ draft: DraftItem) async throws(SubmitError) {
    try await client.submit(.draft(draft.key, .delete(.discarded, editedAt: draft.edit.at + Microseconds(rawValue: 1))))
  }

  private func follow() {
    task?.cancel()
    let question = LiveQuery.drafts(of: client.user, query, limit: limit)
    task = LiveQueryResults(to: question, by: client).show(in: self) { model, answer in
      switch answer {
      case .success(let shown): model.show(shown)
      case .failure(let error): model.failure = error
      }
    }
  }

  private func show(_ shown: LiveDrafts) {
    if failure != nil { failure = nil }
    if drafts != shown.drafts { drafts = shown.drafts }
    if hasMore != shown.hasMore { hasMore = shown.hasMore }
    if !isLoaded { isLoaded = true }
  }
}
