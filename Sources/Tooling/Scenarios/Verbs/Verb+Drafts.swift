// Verbs of drafts: saving, discarding, and loading by pages.
internal import Chat
internal import ChatProjections
internal import JSONLines
internal import Verbatim

extension Verb {
  static let drafts: [Verb] = [
    submitting(
      "saveDraft", "text", "Saves a draft, as a device does that was offline.",
      [Argument("editedAt", "when it was edited, by that device's clock; default now")]
    ) { reader throws(InputDefect) in
      let text = try reader.required("saveDraft", try reader.userText("saveDraft"))
      let at = try reader.instant("editedAt")
      return { place throws(InputDefect) in
        let edited = if let at { at } else { try place.instant() }
        return [.draft(try place.draft(), .update(Composition(TypedText(text)), editedAt: edited))]
      }
    },
    discarding,
    Verb(
      "loadDrafts", "true", "Loads the first page of drafts and follows their changes.",
      [
        Argument("pageSize", "the page size"), Argument("offset", "the number of skipped drafts"),
        Argument(
          "sort", "the sort keys: `created`, `updated` or `channel`, with the suffix `:desc` for descending order"),
      ]
    ) { reader throws(InputDefect) in
      try reader.truth("loadDrafts")
      let page = Pagination(pageSize: try reader.count("pageSize") ?? 25, offset: try reader.count("offset") ?? 0)
      var query = DraftListQuery(pagination: page)
      if let words = try reader.texts("sort") {
        query.sorting = try words.map { word throws(InputDefect) in try DraftSort(word) }
      }
      let wanted = query
      return { player in try await player.drafts.load(wanted) }
    },
    plain("loadMoreDrafts", "Loads the next page.") { player in try await player.drafts.loadMore() },
  ]

  /// Deletes the draft; in a scenario as a list of drafts does, whose clock may be behind the draft's last edit.
  private static var discarding: Verb {
    var verb = plain("discardDraft", "Deletes the draft, as a list of drafts does.") { player in
      try await player.client.me.deleteDraftMessage(in: player.target.channel, thread: player.thread)
    }
    verb.word = .none
    verb.intents = { reader throws(InputDefect) in
      try reader.truth("discardDraft")
      return { place throws(InputDefect) in
        [.draft(try place.draft(), .delete(.discarded, editedAt: try place.instant()))]
      }
    }
    return verb
  }
}

extension IntentPlace {
  /// Returns the key of the user's draft for the channel or the thread.
  fileprivate func draft() throws(InputDefect) -> Draft.Key {
    Draft.Key(by: try actingUser(), in: try targetChannel(), thread: try threadParent())
  }
}

extension DraftSort {
  fileprivate init(_ word: String) throws(InputDefect) {
    let parts = word.split(separator: ":", maxSplits: 1)
    let keys: [Substring: Key] = ["created": .createdAt, "updated": .updatedAt, "channel": .channel]
    guard let first = parts.first, let key = keys[first], parts.count == 1 || parts[1] == "desc" || parts[1] == "asc"
    else { throw InputDefect("“\(word)” is not a sort key of drafts: use created, updated or channel.") }
    self.init(key: key, isAscending: parts.count == 1 || parts[1] == "asc")
  }
}

/// A loader of a user's drafts, page by page.
@MainActor
final class DraftLoader {
  let controller: CurrentUserController
  /// The page that was loaded last.
  private(set) var page: [DraftItem] = []
  /// The list received last; nil before the first.
  private(set) var notified: [DraftItem]?
  private var following: Task<Void, Never>?

  init(_ client: Client) { controller = client.me }

  deinit { following?.cancel() }

  func load(_ query: DraftListQuery) async throws {
    notified = nil
    page = try await controller.loadDraftMessages(query: query)
    following?.cancel()
    let changes = controller.draftMessageChanges
    following = Task { [weak self] in for await list in changes { self?.notified = list } }
  }

  func loadMore() async throws { page = try await controller.loadMoreDraftMessages() }
}

extension Player {
  /// The draft loader of the current user.
  var drafts: DraftLoader {
    if let known = draftLoaders[target.user] { return known }
    let loader = DraftLoader(client)
    draftLoaders[target.user] = loader
    return loader
  }
}
