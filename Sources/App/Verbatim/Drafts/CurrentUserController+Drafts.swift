// The current user's drafts: loading, observing and deleting them.
public import Chat
public import ChatProjections

extension CurrentUserController {
  /// Loads the first page of the user's drafts and forgets the pages loaded before.
  @discardableResult
  public func loadDraftMessages(
    query: DraftListQuery = DraftListQuery()
  ) async throws(ReadError) -> [DraftItem] {
    try await client.draftList.load(query)
  }

  /// Loads the next page, as of the position of the first page, or the first page if none was loaded; returns an empty
  /// array once all are loaded.
  @discardableResult
  public func loadMoreDraftMessages() async throws(ReadError) -> [DraftItem] {
    try await client.draftList.loadMore()
  }

  /// Whether all drafts are loaded.
  public var hasLoadedAllDrafts: Bool { client.draftList.hasLoadedAll }

  /// The loaded drafts, with all changes delivered since.
  public var draftMessages: [DraftItem] { client.draftList.shown }

  /// A callback that receives the list whenever it differs from the last loaded or delivered one: as many drafts as
  /// were loaded, in their present state; all of them once all were loaded.
  ///
  /// A client has one callback. Calls are serial, on no particular thread, as long as a copy of the client exists,
  /// which a callback that refers to the client prolongs.
  public var didChangeDraftMessages: (@Sendable ([DraftItem]) -> Void)? {
    get { client.draftList.callback }
    nonmutating set { client.draftList.callback = newValue }
  }

  /// The lists that ``didChangeDraftMessages`` receives from now on; a slow consumer gets the newest only.
  ///
  /// It ends with the last copy of the client, or when the drafts cannot be read any more, for the reason in
  /// ``draftFailure``.
  public var draftMessageChanges: AsyncStream<[DraftItem]> { client.draftList.watch() }

  /// The error that prevents the delivery of changes; nil if there is none. After a refusal, delivery resumes once
  /// access is granted; after any other failure, load the list again.
  public var draftFailure: ReadError? { client.draftList.failure }

  /// Returns the page of the user's drafts after a cursor, which may come from another process: as of the position of
  /// the first page. It does not affect the loaded list.
  public func drafts(
    _ query: DraftListQuery = DraftListQuery(), after cursor: DraftCursor? = nil
  ) async throws(ReadError) -> DraftPage {
    try await client.drafts(query, after: cursor).page
  }

  /// Deletes a draft; a version saved by another device since the last read stays.
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
