// The search through texts, newest first, until enough messages are found.
package import Chat
internal import TextFolding
internal import Tables
internal import Projections

/// A search query and its filters.
package struct SearchRequest {
  let query: WordQuery
  /// The maximum number of messages to return.
  package var limit: Int
  /// The only channel to search; nil for all.
  package var channel: Channel.ID?
  /// The only author whose messages match; nil for any.
  package var author: User.ID?
  /// The user who searches.
  package var viewer: User.ID?
  /// The viewer whose channels alone are searched; nil for all channels.
  package var reader: Viewer?
  /// The cursor to continue after.
  package var cursor: SearchCursor?

  /// Creates a query for words.
  package init(_ query: String, limit: Int) { (self.query, self.limit) = (WordQuery(query), limit) }

  /// Returns a channel that is not deleted and is to be searched.
  fileprivate func channel(_ id: Channel.ID, in chat: borrowing ChatReading) throws(ProjectionError) -> Channel? {
    if let reader, try !reader.sees(id, as: chat.member(Member.Key(id, reader.user.id))) { return nil }
    return try chat.channel(id)
  }
}

/// A search through the texts, from the newest to the oldest.
struct MessageSearch<Owner: SearchProjection> {
  private(set) var page = SearchPage()
  private let question: SearchRequest
  /// The query's words as prefixes, cut to the kept length; the longest, which is the rarest, first.
  private let beginnings: [[UInt8]]
  /// The conditions on a text of a run: for each, it has a word or label that begins with one of these prefixes.
  private var conditions: [[[UInt8]]]
  private var channels: [Channel.ID: Channel?] = [:]
  private var lastFound: UInt64 = 0

  init(_ question: SearchRequest) {
    self.question = question
    beginnings = question.query.words.map { Array($0.prefix(keptWordByteCount)) }.sorted { $0.count > $1.count }
    var conditions = beginnings.map { [$0] }
    if let channel = question.channel { conditions.append([TextLabel(channel).bytes]) }
    // The author of an edit need not be the author of the message.
    if let author = question.author { conditions.append([TextLabel(author).bytes, TextLabel(nil).bytes]) }
    self.conditions = conditions
  }

  /// Searches until the limit is reached, and for one more message, which shows that there is a next page.
  mutating func run(in chat: borrowing ChatReading) throws(ProjectionError) {
    let count = try chat.words.row(of: SearchFold.countsKey, in: Owner.counts)?.rawValue ?? 0
    let end = min(count, question.cursor.map { $0.number - 1 } ?? .max)
    var run = count / Owner.cut.texts
    try lookThroughOpen(from: run * Owner.cut.texts, to: end, in: chat)
    while run > 0, page.next == nil {
      run -= 1
      let start = run * Owner.cut.texts
      if start < end { try lookThrough(run, below: Int(min(end - start, Owner.cut.texts)), in: chat) }
    }
  }

  // MARK: Texts

  private mutating func lookThroughOpen(
    from start: UInt64, to end: UInt64, in chat: borrowing ChatReading
  ) throws(ProjectionError) {
    if end <= start { return }
    let key = SlotKey(Int(end - start))
    try chat.words.forEachRow(of: Owner.open, from: key, .downwards) { key, text throws(ProjectionError) in
      if let slot = SlotKey(key)?.slot, isPossible(text.place), text.hasWords(startingWith: beginnings) {
        try look(at: start + UInt64(slot) + 1, text.place, in: chat)
      }
      return page.next == nil
    }
  }

  private mutating func lookThrough(
    _ run: UInt64, below limit: Int, in chat: borrowing ChatReading
  ) throws(ProjectionError) {
    let fitting = try slots(in: run, chat)
    var chunk: (row: Int, sources: SourceChunk?) = (-1, nil)
    var end = limit
    while page.next == nil, let slot = fitting.slot(below: end) {
      end = slot
      let (row, number) = slot.quotientAndRemainder(dividingBy: Owner.cut.sources)
      if chunk.row != row { chunk = (row, try chat.words.row(of: RunKey(run, row: row), in: Owner.sources)) }
      guard let source = chunk.sources?.source(at: number) else { continue }
      try look(at: run * Owner.cut.texts + UInt64(slot) + 1, source, in: chat)
    }
  }

  /// Returns whether a text can be in the requested channel and by the requested author.
  private func isPossible(_ source: TextSource) -> Bool {
    if let channel = question.channel, source.key.channel != channel { return false }
    guard let author = question.author, let writer = source.author else { return true }
    return writer == author
  }

  /// Returns the texts of a run that have a word for every prefix and match the requested channel and author.
  private mutating func slots(in run: UInt64, _ chat: borrowing ChatReading) throws(ProjectionError) -> SlotSet {
    var fitting: SlotSet?
    for (number, alternatives) in conditions.enumerated() {
      var slots = SlotSet(count: Owner.cut.texts)
      for beginning in alternatives { try insertSlots(of: beginning, in: run, into: &slots, chat) }
      fitting?.formIntersection(slots)
      fitting = fitting ?? slots
      guard fitting?.isEmpty == true else { continue }
      // A prefix missing in this run is likely to be missing in the next one, too.
      conditions.swapAt(0, number)
      break
    }
    return fitting ?? SlotSet(count: 0)
  }

  private func insertSlots(
    of beginning: [UInt8], in run: UInt64, into slots: inout SlotSet, _ chat: borrowing ChatReading
  ) throws(ProjectionError) {
    let key = RunKey(run, lastWord: beginning)
    try chat.words.forEachRow(of: Owner.words, from: key) { key, chunk throws(ProjectionError) in
      RunKey.belongs(key, to: run) ? chunk.insertSlots(ofWordsStartingWith: beginning, into: &slots) : false
    }
  }

  // MARK: Messages

  /// Adds the message of a text, if it matches in its present form, and by this text. The channel is tested first, once
  /// in a search: no message of another channel is read.
  private mutating func look(
    at number: UInt64, _ source: TextSource, in chat: borrowing ChatReading
  ) throws(ProjectionError) {
    guard
      let channel = try channels.remembering(
        source.key.channel,
        { [question] () throws(ProjectionError) in try question.channel(source.key.channel, in: chat) }),
      channel.config.has(.search),
      let message = try chat.reading.row(of: source.key, in: ChatState.messages), message.number > channel.truncated,
      isMeant(message), try isNewest(number, source, of: message, in: chat)
    else { return }
    if page.messages.count == question.limit {
      page.next = SearchCursor(number: lastFound)
    } else {
      page.messages.append(message)
      lastFound = number
    }
  }

  private func isMeant(_ message: Message) -> Bool {
    if let author = question.author, message.author != author { return false }
    return message.presence == .present && message.isVisible(to: question.viewer)
      && question.query.matches(message.content.text.string)
  }

  /// Returns whether a text is the newest of its message.
  private func isNewest(
    _ number: UInt64, _ source: TextSource, of message: Message, in chat: borrowing ChatReading
  ) throws(ProjectionError) -> Bool {
    guard message.editCount > 0, let newest = try chat.words.row(of: source.key, in: Owner.edited) else {
      return !source.isEdit
    }
    return newest.rawValue == number
  }
}
