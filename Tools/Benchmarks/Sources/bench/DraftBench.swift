// Measures draft lists: a first page in each order, all pages while drafts change, and a page far from the start.
import EventLogLMDB
import Foundation
import Verbatim

/// The benchmarks of draft lists of a user with many drafts.
struct DraftBench {
  private static let pageSize = 25
  let options: Options
  let disk: Disk

  func run() throws -> [Grid] {
    let count = options.isQuick ? 500 : 10_000
    let directory = try disk.makeDirectory()
    let drafts = try DraftWorkload(count: count, at: directory + "/workspace")
    defer { drafts.workspace.closeBlocking() }
    return [
      try firstPages("first pages", drafts, by: Order.single),
      try firstPages("first pages by several", drafts, by: Order.several), try allPages(drafts),
      try farBehind(drafts),
    ]
  }

  // MARK: Orders

  /// A sort order of drafts with its name.
  private struct Order: Sendable {
    let sorting: [DraftSort]

    var name: String {
      sorting.map {
        "\($0.key == .createdAt ? "created" : $0.key == .updatedAt ? "updated" : "channel") "
          + ($0.isAscending ? "up" : "down")
      }.joined(separator: ", ")
    }

    var query: DraftListQuery { DraftListQuery(pagination: Pagination(pageSize: 100), sorting: sorting) }

    static func by(_ key: DraftSort.Key, up: Bool) -> DraftSort { DraftSort(key: key, isAscending: up) }

    static let single = DraftSort.Key.allCases.flatMap { key in
      [true, false].map { Order(sorting: [by(key, up: $0)]) }
    }

    static let several = [
      Order(sorting: [by(.channel, up: true), by(.updatedAt, up: false)]),
      Order(sorting: [by(.updatedAt, up: false), by(.channel, up: true), by(.createdAt, up: true)]),
    ]

    /// Whether one draft is ordered before another; an independent reimplementation that uses no table.
    func puts(_ one: Draft, before other: Draft) -> Bool {
      for sort in sorting {
        let (a, b) = sort.isAscending ? (one, other) : (other, one)
        switch sort.key {
        case .createdAt where a.created != b.created: return a.created < b.created
        case .updatedAt where a.updated != b.updated: return a.updated < b.updated
        case .channel where a.key.channel != b.key.channel: return a.key.channel < b.key.channel
        default: continue
        }
      }
      if one.key.channel != other.key.channel { return one.key.channel < other.key.channel }
      guard let thread = other.key.thread else { return false }
      return one.key.thread.map { $0 < thread } ?? true
    }
  }

  // MARK: First pages

  private func firstPages(_ name: String, _ drafts: DraftWorkload, by orders: [Order]) throws -> Grid {
    Grid(
      name,
      "The first \(Self.pageSize) of \(drafts.stored.count) drafts, beside as many rows read one by one, and beside "
        + "all read and sorted, half at most, µs",
      columns: try orders.map { ($0.name, try firstPage($0, drafts)) },
      rows: ["page", "page, as an app asks", "rows", "all sorted"],
      ratios: [Ratio("page", to: "rows"), Ratio("all sorted", to: "page")])
  }

  private func firstPage(_ order: Order, _ drafts: DraftWorkload) throws -> [String: Figure] {
    try check(order, drafts)
    let places = drafts.stored
    let (many, few) = options.isQuick ? (50, 2) : (1000, 10)
    let contestants: [Contestant] = [
      { ["page": try half(many, drafts) { chat, _ in try Self.page(order, chat).count }] },
      { ["page, as an app asks": try asked(order, many, drafts)] },
      { ["rows": try half(many, drafts) { chat, number in try rows(chat, places, number) }] },
      { ["all sorted": try half(few, drafts) { chat, _ in try naive(order, chat, places).count }] },
    ]
    return try inTurn(contestants, rounds: options.rounds, unit: .microseconds)
  }

  /// Returns the median microseconds of page queries.
  private func half(
    _ count: Int, _ drafts: DraftWorkload, _ ask: (borrowing ChatReading, Int) throws -> Int
  ) throws -> Double {
    try drafts.workspace.readBlocking { reading in
      var times: [Double] = []
      for number in 0..<count {
        var found = 0
        times.append(try seconds { found = try ask(reading.chat, number) } * 1e6)
        guard found == Self.pageSize else { throw Usage(message: "a page has \(found) drafts") }
      }
      return times.sorted()[count / 2]
    }
  }

  /// Like ``half(_:_:_:)``, but through a controller, including the switch to another thread and back.
  private func asked(_ order: Order, _ count: Int, _ drafts: DraftWorkload) throws -> Double {
    let (me, query) = (drafts.client.me, DraftListQuery(sorting: order.sorting))
    var times: [Double] = []
    for _ in 0..<count {
      times.append(try microseconds { keep(try waiting { try await me.loadDraftMessages(query: query) }) })
    }
    return times.sorted()[count / 2]
  }

  private static func page(_ order: Order, _ chat: borrowing ChatReading) throws -> [DraftItem] {
    try chat.drafts(of: DraftWorkload.user, sorting: order.sorting, limit: pageSize).drafts
  }

  /// Reads drafts row by row by known keys.
  private func rows(_ chat: borrowing ChatReading, _ places: [Draft.Key], _ number: Int) throws -> Int {
    var count = 0
    for index in 0..<Self.pageSize {
      let place = places[(number * Self.pageSize + index) % places.count]
      if try chat.draft(place) != nil { count += 1 }
      if let thread = place.thread { keep(try chat.message(Message.Key(place.channel, thread))) }
    }
    return count
  }

  /// Returns the first page by reading and sorting all drafts.
  private func naive(_ order: Order, _ chat: borrowing ChatReading, _ places: [Draft.Key]) throws -> [Draft.Key] {
    var all: [Draft] = []
    for place in places { if let draft = try chat.draft(place) { all.append(draft) } }
    let first = all.sorted { order.puts($0, before: $1) }.prefix(Self.pageSize).map(\.key)
    for place in first {
      if let thread = place.thread { keep(try chat.message(Message.Key(place.channel, thread))) }
    }
    return first
  }

  private func check(_ order: Order, _ drafts: DraftWorkload) throws {
    try drafts.workspace.readBlocking { reading in
      guard try Self.page(order, reading.chat).map(\.key) == naive(order, reading.chat, drafts.stored) else {
        throw Usage(message: "the page by \(order.name) is not the first of all drafts in that order")
      }
    }
  }

  // MARK: All pages

  private func allPages(_ drafts: DraftWorkload) throws -> Grid {
    let orders = [Order.single[1], Order.single[2]] + Order.several
    let columns = try orders.map { order in
      (order.name, try inTurn([{ try pages(order, drafts) }], rounds: options.rounds, unit: .microseconds))
    }
    return Grid(
      "pages", "Pages of 100 to the end, 20 drafts changing between each two, as the first found them, µs",
      columns: columns,
      rows: ["loaded more, p50", "loaded more, most", "by its token, p50", "by its token, most"])
  }

  /// Reads all pages in two ways and returns their durations; throws where they differ from the initial list.
  private func pages(_ order: Order, _ drafts: DraftWorkload) throws -> [String: Double] {
    let (me, query) = (drafts.client.me, order.query)
    let expected = try drafts.workspace.readBlocking { reading in
      try reading.chat.drafts(of: DraftWorkload.user, sorting: order.sorting, limit: .max).drafts
    }
    var loaded = try waiting { try await me.loadDraftMessages(query: query) }
    var page = try waiting { try await me.drafts(query) }
    var byToken = page.drafts
    var times: [String: [Double]] = [:]
    while let next = page.next {
      try drafts.change(20)
      times["loaded more", default: []].append(
        try microseconds { loaded += try waiting { try await me.loadMoreDraftMessages() } })
      times["by its token", default: []].append(
        try microseconds { page = try waiting { try await me.drafts(query, after: next) } })
      byToken += page.drafts
    }
    guard loaded == expected, byToken == expected, me.hasLoadedAllDrafts else {
      throw Usage(message: "the pages by \(order.name) are not the drafts as they stood when the first was read")
    }
    return times.reduce(into: [:]) { all, way in
      let sorted = way.value.sorted()
      all[way.key + ", p50"] = sorted[sorted.count / 2]
      all[way.key + ", most"] = sorted[sorted.count - 1]
    }
  }

  // MARK: Far behind

  private func farBehind(_ drafts: DraftWorkload) throws -> Grid {
    let letterCount = options.isQuick ? 2_000 : 100_000
    let log = try EventStore.open(at: drafts.workspace.path)
    defer { log.close() }
    let figures = try inTurn(
      [{ try behind(drafts, log, by: letterCount) }], rounds: options.rounds, unit: .milliseconds)
    return Grid(
      "far behind", "A page of 100, \(letterCount) letters after the first was read, ms",
      columns: [("\(letterCount) letters", figures)],
      rows: ["at once", "behind", "the next, by the same list", "the events alone, read"],
      ratios: [Ratio("behind", to: "the events alone, read")])
  }

  private func behind(_ drafts: DraftWorkload, _ log: EventStore, by letterCount: Int) throws -> [String: Double] {
    let (me, query) = (drafts.client.me, Order.single[1].query)
    try waiting { _ = try await me.loadDraftMessages(query: query) }
    let first = try waiting { try await me.drafts(query) }
    guard let token = first.next else { throw Usage(message: "there is one page only") }
    let atOnce = try microseconds { keep(try waiting { try await me.drafts(query, after: token) }) }
    try drafts.type(letterCount)
    // The tables are caught up, as those of an observing client are.
    try drafts.workspace.readBlocking { _ in }
    let behind = try microseconds { keep(try waiting { try await me.drafts(query, after: token) }) }
    _ = try waiting { try await me.loadMoreDraftMessages() }
    let next = try microseconds { keep(try waiting { try await me.loadMoreDraftMessages() }) }
    var count = 0
    let alone = try microseconds {
      try log.read(from: token.position.next) { _ in
        count += 1
        return .next
      }
    }
    guard count >= letterCount else { throw Usage(message: "\(count) events are behind the first page") }
    return [
      "at once": atOnce / 1000, "behind": behind / 1000, "the next, by the same list": next / 1000,
      "the events alone, read": alone / 1000,
    ]
  }

  private func microseconds(_ body: () throws -> Void) rethrows -> Double { try seconds(body) * 1e6 }
}
