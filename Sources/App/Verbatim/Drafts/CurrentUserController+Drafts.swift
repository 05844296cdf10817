// The drafts of the person: listed, told of when they change, thrown away.
public import Chat
public import ChatProjections

extension CurrentUserController {
  /// Loads the first page of the person's drafts; what was loaded before is forgotten.
  @discardableResult
  public func loadDraftMessages(
    query: DraftListQuery = DraftListQuery()
  ) async throws(ReadError) -> [DraftItem] {
    try await draftList.load(query)
  }

  /// Loads the next page, as it stood when the first was read, or the first where none was; answers nothing when all
  /// are loaded.
  @discardableResult
  public func loadMoreDraftMessages() async throws(ReadError) -> [DraftItem] { try await draftList.loadMore() }

  /// Whether there are no more to be loaded.
  public var hasLoadedAllDrafts: Bool { draftList.hasLoadedAll }

  /// The drafts that were loaded, or as they were told last.
  public var draftMessages: [DraftItem] { draftList.shown }

  /// Is called with the list whenever it is another than what was loaded or told: as many drafts as were loaded, as
  /// they stand now; all of them, once all were loaded.
  ///
  /// It is called one time after another, on no thread in particular, for as long as the controller is there.
  public var didChangeDraftMessages: (@Sendable ([DraftItem]) -> Void)? {
    get { draftList.callback }
    set { draftList.callback = newValue }
  }

  /// The lists that ``didChangeDraftMessages`` is called with, from now on; who is slow is told the newest.
  ///
  /// It ends with the controller, or where the drafts cannot be read any more, and ``draftFailure`` then tells why.
  public var draftMessageChanges: AsyncStream<[DraftItem]> { draftList.watch() }

  /// Why drafts are not told of as they stand; nil while all is well. What is refused comes again when it is granted;
  /// after any other failure the list is to be loaded again.
  public var draftFailure: ReadError? { draftList.failure }

  /// A page of the person's drafts behind a place, which may come from another process: as they stood when the first
  /// page was read. It changes nothing of what was loaded.
  public func drafts(
    _ query: DraftListQuery = DraftListQuery(), after cursor: DraftCursor? = nil
  ) async throws(ReadError) -> DraftPage {
    try await client.drafts(query, after: cursor).page
  }

  /// Throws a draft away; one that another device saved since it was last read stays.
  @discardableResult
  public func deleteDraftMessage(
    in channel: Channel.ID, thread: Message.ID? = nil
  ) async throws(SubmitError) -> Submitted {
    let key = Draft.Key(by: client.user, in: channel, thread: thread)
    let known = try? await client.ask { reading throws(ReadError) in try reading.draft(in: channel, thread: thread) }
    let now = client.workspace.now
    return try await client.submit(.draft(key, .delete(.discarded, editedAt: known?.changed(at: now) ?? now)))
  }
}
