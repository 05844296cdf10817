// Goes through the texts from the newest on, until enough messages are found.
package import Chat
internal import TextFolding
internal import Tables
internal import Projections

/// What somebody looks for, and where.
package struct SearchQuestion {
  let query: WordQuery
  /// How many messages are enough.
  package var limit: Int
  /// In which channel alone.
  package var channel: Channel.ID?
  /// Whose messages alone.
  package var author: User.ID?
  /// Who asks.
  package var viewer: User.ID?
  /// In whose channels alone.
  package var reader: Viewer?
  /// Behind which text it goes on.
  package var cursor: SearchCursor?

  /// A question for some words.
  package init(_ query: String, limit: Int) { (self.query, self.limit) = (WordQuery(query), limit) }

  /// A channel that is there, and in which is looked.
  fileprivate func channel(_ id: Channel.ID, in chat: borrowing ChatReading) throws(ProjectionError) -> Channel? {
    if let reader, try !reader.sees(id, as: chat.member(Member.Key(id, reader.user.id))) { return nil }
    return try chat.channel(id)
  }
}

/// A search that goes on through the texts, from the newest to the oldest.
struct MessageSearch<Owner: SearchView> {
  private(set) var page = SearchPage()
  private let question: SearchQuestion
  /// What the words of a text have to start with, as far as words are kept; the longest, which is the rarest, first.
  private let beginnings: [[UInt8]]
  /// What a text of a run must have: of each, one that starts with one of these.
  private var wanted: [[[UInt8]]]
  private var channels: [Channel.ID: Channel?] = [:]
  private var lastFound: UInt64 = 0

  init(_ question: SearchQuestion) {
    self.question = question
    beginnings = question.query.words.map { Array($0.prefix(keptWordByteCount)) }.sorted { $0.count > $1.count }
    var wanted = beginnings.map { [$0] }
    if let channel = question.channel { wanted.append([TextLabel(channel).bytes]) }
    // Who edited a text need not be its author.
    if let author = question.author { wanted.append([TextLabel(author).bytes, TextLabel(nil).bytes]) }
    self.wanted = wanted
  }

  /// Looks until there are as many as were asked for, and one more, which shows that there is a next page.
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
    var chunk: (row: Int, places: SourceChunk?) = (-1, nil)
    var end = limit
    while page.next == nil, let slot = fitting.slot(below: end) {
      end = slot
      let (row, number) = slot.quotientAndRemainder(dividingBy: Owner.cut.places)
      if chunk.row != row { chunk = (row, try chat.words.row(of: RunKey(run, row: row), in: Owner.places)) }
      guard let place = chunk.places?.place(number) else { continue }
      try look(at: run * Owner.cut.texts + UInt64(slot) + 1, place, in: chat)
    }
  }

  /// Whether a text can be in the channel and by the author that are asked for.
  private func isPossible(_ place: TextSource) -> Bool {
    if let channel = question.channel, place.key.channel != channel { return false }
    guard let author = question.author, let writer = place.author else { return true }
    return writer == author
  }

  /// The texts of a run that have a word for every beginning, and are where and by whom they are asked for.
  private mutating func slots(in run: UInt64, _ chat: borrowing ChatReading) throws(ProjectionError) -> SlotSet {
    var fitting: SlotSet?
    for (number, alternatives) in wanted.enumerated() {
      var slots = SlotSet(count: Owner.cut.texts)
      for beginning in alternatives { try insertSlots(of: beginning, in: run, into: &slots, chat) }
      fitting?.formIntersection(slots)
      fitting = fitting ?? slots
      guard fitting?.isEmpty == true else { continue }
      // What is missing here is likely to be missing in the next run, too.
      wanted.swapAt(0, number)
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

  /// Adds the message of a text, if it is found as it is now, and by this text.
  private mutating func look(
    at number: UInt64, _ place: TextSource, in chat: borrowing ChatReading
  ) throws(ProjectionError) {
    guard let message = try chat.reading.row(of: place.key, in: ChatState.messages), isMeant(message),
      try isNewest(number, place, of: message, in: chat),
      let channel = try channels.remembering(
        place.key.channel,
        { [question] () throws(ProjectionError) in try question.channel(place.key.channel, in: chat) }),
      channel.config.has(.search), message.number > channel.truncated
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

  /// Whether a text is the newest of its message.
  private func isNewest(
    _ number: UInt64, _ place: TextSource, of message: Message, in chat: borrowing ChatReading
  ) throws(ProjectionError) -> Bool {
    guard message.editCount > 0, let newest = try chat.words.row(of: place.key, in: Owner.edited) else {
      return !place.isEdit
    }
    return newest.rawValue == number
  }
}
