// Threat: a list of drafts repeats or omits some, mixes positions, or misses a change.
import ChildProcess
import Foundation
import Locks
import SeededRandom
import Testing

@testable import Verbatim

@Suite struct `A list of drafts` {
  private let folder = WorkspaceFolder()

  /// Sort orders by each key in each direction, and by several keys.
  private static let sortings: [[DraftSort]] =
    DraftSort.Key.allCases.flatMap { key in [true, false].map { [DraftSort(key: key, isAscending: $0)] } } + [
      [], [DraftSort(key: .channel, isAscending: false), DraftSort(key: .updatedAt, isAscending: true)],
      [
        DraftSort(key: .createdAt, isAscending: true), DraftSort(key: .channel, isAscending: false),
        DraftSort(key: .updatedAt, isAscending: false),
      ],
    ]

  @Test func `all pages show the drafts as of the first page, despite changes in between`()
    async throws
  {
    var random = SeededRandom.printingSeed()
    let drafts = try await Drafts(in: folder, count: Choice.isLong ? 10_000 : 300)
    let pageSize = Choice.isLong ? 500 : 25
    for sorting in Self.sortings {
      let expected = try await drafts.all(sorting)
      let query = DraftListQuery(pagination: Pagination(pageSize: pageSize), sorting: sorting)
      let me = drafts.newClient().me
      var (found, other) = (try await me.loadDraftMessages(query: query), try await me.drafts(query))
      var pageByPage = other.drafts
      while !me.hasLoadedAllDrafts {
        try await drafts.change(count: 20, &random)
        found += try await me.loadMoreDraftMessages()
        // The same in another client with only the stored cursor.
        let place = try #require(other.next.flatMap { DraftCursor("\($0)") })
        other = try await drafts.newClient().me.drafts(query, after: place)
        pageByPage += other.drafts
      }
      #expect(other.next == nil)
      #expect(found == expected, "\(sorting), seed \(random.seed)")
      #expect(pageByPage == expected, "\(sorting), seed \(random.seed)")
      #expect(try await drafts.all(sorting) != expected)
      #expect(try await me.loadMoreDraftMessages() == [])
    }
    await drafts.workspace.close()
  }

  @Test func `a list has the page size and the offset of its query`() async throws {
    let drafts = try await Drafts(in: folder, count: 60)
    let all = try await drafts.all(DraftListQuery().sorting)
    let me = drafts.client.me
    #expect(!me.hasLoadedAllDrafts && me.draftMessages == [])
    // Without a first page, loading more loads it.
    #expect(try await me.loadMoreDraftMessages() == Array(all[..<25]))
    #expect(try await me.loadMoreDraftMessages() == Array(all[25..<50]))
    #expect(!me.hasLoadedAllDrafts)
    #expect(try await me.loadMoreDraftMessages() == Array(all[50...]))
    #expect(me.hasLoadedAllDrafts && me.draftMessages == all)
    for (offset, size) in [(0, 60), (10, 7), (59, 7), (60, 7), (-3, 0), (1000, 1)] {
      let query = DraftListQuery(pagination: Pagination(pageSize: size, offset: offset))
      var found = try await me.loadDraftMessages(query: query)
      #expect(found.count == min(max(1, size), max(0, 60 - max(0, offset))))
      while !me.hasLoadedAllDrafts { found += try await me.loadMoreDraftMessages() }
      #expect(found == Array(all.dropFirst(max(0, offset))))
    }
    await drafts.workspace.close()
  }

  @Test func `concurrent loads return each page once`() async throws {
    let drafts = try await Drafts(in: folder, count: 100)
    let me = drafts.client.me
    let query = DraftListQuery(pagination: Pagination(pageSize: 10))
    try await me.loadDraftMessages(query: query)
    let pages = try await withThrowingTaskGroup(of: [DraftItem].self) { group in
      for _ in 0..<12 { group.addTask { try await me.loadMoreDraftMessages() } }
      return try await group.reduce(into: [[DraftItem]]()) { $0.append($1) }
    }
    #expect(pages.count { $0.isEmpty } == 3)
    #expect(Set(pages.joined().map(\.id)).count == 90)
    #expect(me.draftMessages == (try await drafts.all(query.sorting)))
    await drafts.workspace.close()
  }

  @Test func `a changed list is delivered up to the loaded length, and completely once all is loaded`() async throws {
    let drafts = try await Drafts(in: folder, count: 12)
    let me = drafts.client.me
    let (told, heard) = (Told(), Told())
    me.didChangeDraftMessages = { told.add($0) }
    let lists = me.draftMessageChanges
    let listening = Task { for await list in lists { heard.add(list) } }
    let sorting = [DraftSort(key: .updatedAt, isAscending: false)]
    let first = try await me.loadDraftMessages(
      query: DraftListQuery(pagination: Pagination(pageSize: 5), sorting: sorting))
    let before = try await drafts.all(sorting)
    #expect(first == Array(before[..<5]))
    try await drafts.save(0, "changed")
    await until { heard.count == 1 }
    #expect(heard.last == Array(try await drafts.all(sorting)[..<5]))
    #expect(me.draftMessages.first?.content.text == "changed")
    // A page loaded later is as of the first page; then the whole list is delivered as of now.
    #expect(try await me.loadMoreDraftMessages() == Array(before[5..<10]))
    await until { heard.count == 2 }
    #expect(heard.last == Array(try await drafts.all(sorting)[..<10]))
    try await me.loadMoreDraftMessages()
    #expect(me.hasLoadedAllDrafts)
    await until { me.draftMessages == (try? await drafts.all(sorting)) }
    try await drafts.save(50, "a new one")
    await until { me.draftMessages.count == 13 }
    try await drafts.discard(7)
    await until { me.draftMessages.count == 12 }
    #expect(me.draftMessages == (try await drafts.all(sorting)))
    // The callback is called after the list was changed.
    await until { told.last == me.draftMessages }
    // A change outside the list is not delivered.
    let count = told.count
    me.didChangeDraftMessages = nil
    try await drafts.save(7, "nobody is called")
    await until { heard.last?.count == 13 }
    #expect(told.count == count)
    listening.cancel()
    await drafts.workspace.close()
  }

  @Test func `loading more is not delivered as a change`() async throws {
    let drafts = try await Drafts(in: folder, count: 60)
    let sorting = DraftListQuery().sorting
    for _ in 0..<10 {
      let (me, told) = (drafts.newClient().me, Told())
      me.didChangeDraftMessages = { told.add($0) }
      try await me.loadDraftMessages(query: DraftListQuery(pagination: Pagination(pageSize: 5), sorting: sorting))
      while !me.hasLoadedAllDrafts { try await me.loadMoreDraftMessages() }
      #expect(told.count == 0)
      try await drafts.discard(0)
      try await drafts.save(0, "something else at last")
      let all = try await drafts.all(sorting)
      await until { told.last == all }
      #expect(me.draftMessages == all)
    }
    await drafts.workspace.close()
  }

  @Test func `an unchanged list is not delivered, and a change of a parent message is`() async throws {
    let drafts = try await Drafts(in: folder, count: 3)
    let me = drafts.client.me
    let told = Told()
    me.didChangeDraftMessages = { told.add($0) }
    try await me.loadDraftMessages()
    let other = drafts.workspace.client(user: "ben", device: "desk")
    try await other.channel(drafts.place(0).channel).send("something else")
    try await other.submit(
      .draft(
        Draft.Key(by: "ben", in: drafts.place(0).channel), .update(Composition("ben's"), editedAt: drafts.workspace.now)
      ))
    let parent = try #require(drafts.place(1).thread)
    try await other.channel(drafts.place(1).channel).edit(parent, to: "another question")
    await until { told.count > 0 }
    #expect(told.count == 1)
    #expect(told.last?.compactMap(\.parent).map(\.content.text.string).contains("another question") == true)
    await drafts.workspace.close()
  }

  @Test func `the sequence ends with its client, and a failure is reported`() async throws {
    let drafts = try await Drafts(in: folder, count: 3)
    var me: CurrentUserController? = drafts.newClient().me
    let lists = try #require(me?.draftMessageChanges)
    try await me?.loadDraftMessages()
    me = nil
    try await within("the end of the sequence") {
      for await _ in lists { Issue.record("nothing changed") }
    }
    let other = drafts.newClient().me
    other.didChangeDraftMessages = { _ in }
    try await other.loadDraftMessages()
    try await drafts.workspace.submit(.user("ada", .deactivate), by: .system)
    await until { other.draftFailure != nil }
    await #expect(throws: ReadError.self) { try await other.loadDraftMessages() }
    try await drafts.workspace.submit(.user("ada", .reactivate), by: .system)
    try await drafts.save(1, "again")
    await until { other.draftFailure == nil && other.draftMessages.contains { $0.content.text == "again" } }
    await drafts.workspace.close()
  }

  // `client.me` made a controller with a list of its own at each access, so drafts that were loaded through one access
  // were missing in the next. The list now belongs to the client.
  @Test func `all controllers of a client have the same list`() async throws {
    let drafts = try await Drafts(in: folder, count: 7)
    let (client, told) = (drafts.newClient(), Told())
    let copy = client
    try await client.me.loadDraftMessages(query: DraftListQuery(pagination: Pagination(pageSize: 5)))
    #expect(copy.me.draftMessages.count == 5 && !copy.me.hasLoadedAllDrafts)
    #expect(try await copy.channel("c1").client.me.loadMoreDraftMessages().count == 2)
    #expect(client.me.draftMessages.count == 7 && client.me.hasLoadedAllDrafts)
    client.me.didChangeDraftMessages = { told.add($0) }
    #expect(copy.me.didChangeDraftMessages != nil)
    try await drafts.discard(3)
    await until { told.last?.count == 6 }
    #expect(copy.me.draftMessages == told.last)
    #expect(drafts.newClient().me.draftMessages == [])
    await drafts.workspace.close()
  }

  @Test func `changes are followed only while they are observed, and not beyond the client`() async throws {
    let drafts = try await Drafts(in: folder, count: 3)
    var client: Client? = drafts.newClient()
    weak let list = client?.draftList
    try await client?.me.loadDraftMessages()
    #expect(list?.isFollowing == false)
    client?.me.didChangeDraftMessages = { _ in }
    #expect(list?.isFollowing == true)
    client?.me.didChangeDraftMessages = nil
    #expect(list?.isFollowing == false)
    let lists = try #require(client?.me.draftMessageChanges)
    let listening = Task { for await _ in lists {} }
    #expect(list?.isFollowing == true)
    listening.cancel()
    await until { list?.isFollowing == false }
    client?.me.didChangeDraftMessages = { _ in }
    client = nil
    await until { list == nil }
    await drafts.workspace.close()
  }

  @Test func `concurrent uses of one client share one list`() async throws {
    let drafts = try await Drafts(in: folder, count: 60)
    let client = drafts.newClient()
    let query = DraftListQuery(pagination: Pagination(pageSize: 10))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<40 {
        group.addTask {
          switch number % 4 {
          case 0: try await client.me.loadDraftMessages(query: query)
          case 1: try await client.me.loadMoreDraftMessages()
          case 2: client.me.didChangeDraftMessages = { _ in }
          default:
            client.me.didChangeDraftMessages = nil
            _ = client.me.draftMessageChanges
          }
        }
      }
      try await group.waitForAll()
    }
    try await client.me.loadDraftMessages(query: query)
    while !client.me.hasLoadedAllDrafts { try await client.me.loadMoreDraftMessages() }
    #expect(client.me.draftMessages == (try await drafts.all(query.sorting)))
    await drafts.workspace.close()
  }

  @Test func `loading more can fail, leaves the list, and can be repeated`() async throws {
    let drafts = try await Drafts(in: folder, count: 7)
    let me = drafts.newClient().me
    try await me.loadDraftMessages(query: DraftListQuery(pagination: Pagination(pageSize: 5)))
    try await drafts.workspace.submit(.user("ada", .deactivate), by: .system)
    await #expect(throws: ReadError.self) { try await me.loadMoreDraftMessages() }
    #expect(me.draftMessages.count == 5 && !me.hasLoadedAllDrafts)
    try await drafts.workspace.submit(.user("ada", .reactivate), by: .system)
    #expect(try await me.loadMoreDraftMessages().count == 2)
    #expect(me.draftMessages.count == 7 && me.hasLoadedAllDrafts)
    await drafts.workspace.close()
  }

  @Test func `deleting a draft removes it from its user's list only`() async throws {
    let drafts = try await Drafts(in: folder, count: 4)
    let (me, place) = (drafts.client.me, drafts.place(1))
    let start = try drafts.workspace.head().next
    try await me.deleteDraftMessage(in: place.channel, thread: place.thread)
    #expect(try await drafts.all([]).map(\.key).contains(place) == false)
    #expect(try await drafts.all([]).count == 3)
    // A second deletion is recorded for drafts that may arrive late.
    try await me.deleteDraftMessage(in: place.channel, thread: place.thread)
    let types = try drafts.workspace.store.events(from: start, limit: 10).map(\.type.text)
    #expect(types == ["draftDeleted.1", "draftSuperseded.1"])
    let changes = Elements(of: drafts.workspace.changes(from: start))
    let event = try #require(try await changes.next().flatMap { DraftDeletedEvent($0) })
    #expect(event.key == place && event.reason == .discarded && event.position == start)
    // A device whose clock is ahead does not prevent the deletion.
    let (other, ahead) = (drafts.place(2), drafts.workspace.now + .seconds(3600))
    try await drafts.client.submit(.draft(other, .update(Composition("ahead"), editedAt: ahead)))
    try await me.deleteDraftMessage(in: other.channel, thread: other.thread)
    #expect(try await drafts.all([]).count == 2)
    await drafts.workspace.close()
  }

  @Test func `a cursor of another chat is refused`() async throws {
    let drafts = try await Drafts(in: folder, count: 3)
    let query = DraftListQuery(pagination: Pagination(pageSize: 1))
    let cursor = try #require(try await drafts.client.me.drafts(query).next)
    let otherFolder = WorkspaceFolder()
    let other = try otherFolder.open()
    try await other.populate()
    await #expect {
      _ = try await other.client(user: "ada").me.drafts(query, after: cursor)
    } throws: {
      if case .projections(.beyondEnd) = $0 as? ReadError { true } else { false }
    }
    await other.close()
    await drafts.workspace.close()
  }

  @Test func `draft events are delivered to the user of the drafts only`() async throws {
    let drafts = try await Drafts(in: folder, count: 0)
    let (workspace, place) = (drafts.workspace, drafts.place(1))
    let (mine, all) = try (Elements(of: drafts.client.changes), Elements(of: workspace.changes))
    let others = try Elements(of: workspace.client(user: "ben").changes)
    try await drafts.save(1, "hello")
    try await drafts.discard(1)
    try await workspace.client(user: "ben").channel(place.channel).send("for all")
    for _ in 0..<2 {
      let updated = try DraftUpdatedEvent(#require(try await all.next()))
      #expect(updated?.key == place && updated?.draft.text == "hello")
      #expect(updated?.user == "ada" && updated?.channel == place.channel && updated?.thread == place.thread)
      let deleted = try DraftDeletedEvent(#require(try await all.next()))
      #expect(deleted?.key == place && deleted?.reason == .discarded)
      #expect(deleted?.user == "ada" && deleted?.channel == place.channel && deleted?.thread == place.thread)
      if let mine = try await mine.next() {
        #expect(DraftUpdatedEvent(mine) == updated && DraftDeletedEvent(mine) == nil)
      }
      if let mine = try await mine.next() {
        #expect(DraftDeletedEvent(mine) == deleted && DraftUpdatedEvent(mine) == nil)
      }
      break
    }
    let said = try await others.next()
    if case .message(_, .sent) = said?.event.change {} else { Issue.record("\(String(describing: said))") }
    await workspace.close()
  }
}

/// The lists that a callback received.
private final class Told: Sendable {
  private let lists = Locked<[[DraftItem]]>([])

  var count: Int { lists.withLock { $0.count } }
  var last: [DraftItem]? { lists.withLock { $0.last } }
  func add(_ list: [DraftItem]) { lists.withLock { $0.append(list) } }
}

/// A workspace in which Ada has many drafts: in channels, and in threads of them.
private struct Drafts: Sendable {
  let workspace: Workspace
  let client: Client
  private static let threads = 20

  init(in folder: WorkspaceFolder, count: Int) async throws {
    workspace = try folder.open()
    client = workspace.client(user: "ada", device: "phone")
    for channel in 0...count / Self.threads + 3 { try await populate(channel) }
    // Some are saved in one append, so that their times are equal.
    for start in stride(from: 0, to: count, by: 7) {
      let intents = (start..<min(count, start + 7)).map { number in
        ChatIntent.draft(
          place(number), .update(Composition(TypedText("draft \(number)")), editedAt: workspace.now))
      }
      try await client.submit(intents)
    }
  }

  /// Returns a client of the same user with a list of its own.
  func newClient() -> Client { workspace.client(user: "ada", device: "phone") }

  private func populate(_ number: Int) async throws {
    let channel = Channel.ID(stringLiteral: "c\(number)")
    guard number > 0 else { return try await workspace.populate(["ada", "ben"], channel) }
    var intents: [ChatIntent] = [
      .channel(channel, .create("team", Channel.Profile(), ChannelConfig(), members: ["ada", "ben"]))
    ]
    try await workspace.submit(intents, by: .system)
    intents = (0..<Self.threads).map { thread in
      .message(Message.Key(channel, ID(stringLiteral: "m\(thread)")), .send(Message.Content("question")))
    }
    try await workspace.submit(intents, by: .user("ben"))
  }

  /// Returns the key of a draft: the first of a channel is for the channel itself.
  func place(_ number: Int) -> Draft.Key {
    // The order differs from that of the ids.
    let (channel, thread) = (number / Self.threads + 1, number * 7 % Self.threads)
    let parent: Message.ID? = thread == 0 ? nil : ID(stringLiteral: "m\(thread)")
    return Draft.Key(by: "ada", in: ID(stringLiteral: "c\(channel)"), thread: parent)
  }

  /// Returns all drafts in an order.
  func all(_ sorting: [DraftSort]) async throws -> [DraftItem] {
    let drafts = try await client.read { try $0.drafts(sorting: [], limit: .max).drafts }
    return drafts.sorted { a, b in
      for sort in sorting {
        let (a, b) = sort.isAscending ? (a, b) : (b, a)
        switch sort.key {
        case .createdAt where a.created != b.created: return a.created < b.created
        case .updatedAt where a.updated != b.updated: return a.updated < b.updated
        case .channel where a.key.channel != b.key.channel: return a.key.channel < b.key.channel
        default: continue
        }
      }
      return a.key < b.key
    }
  }

  /// Saves a draft.
  func save(_ number: Int, _ text: String) async throws {
    let content = Composition(TypedText(text))
    try await client.submit(.draft(place(number), .update(content, editedAt: workspace.now)))
  }

  /// Deletes a draft.
  func discard(_ number: Int) async throws {
    try await client.submit(.draft(place(number), .delete(.discarded, editedAt: workspace.now)))
  }

  /// Saves, changes and deletes random drafts.
  func change(count: Int, _ random: inout SeededRandom) async throws {
    let places = try await client.read { try $0.drafts(sorting: [], limit: .max).drafts.map(\.key) }
    let intents = (0..<count).map { number -> ChatIntent in
      let place = random.below(3) == 0 ? place(random.below(places.count + 50)) : places[random.below(places.count)]
      if random.below(2) == 0 { return .draft(place, .delete(.discarded, editedAt: workspace.now)) }
      let content = Composition(TypedText("\(random.below(1 << 30))"))
      return .draft(place, .update(content, editedAt: workspace.now + Microseconds(rawValue: Int64(number))))
    }
    try await client.submit(intents)
  }
}
