// The search for the best of many users who match typed text, without looking at all of them.
internal import Bytes
internal import Chat
internal import ChatCodec
internal import TextFolding
internal import Tables
internal import Projections

/// A suggestion query.
struct UserSuggester {
  let query: NameQuery
  /// The channel whose activity sorts the users.
  let channel: Channel.ID?
  /// The number of members of the channel; nil when users who are not members match too.
  let memberCount: Int?
  let limit: Int
  let except: User.ID?
  let bounds: SuggestionBounds

  init(
    _ query: NameQuery, in channel: Channel.ID?, memberCount: Int?, limit: Int, except: User.ID?,
    within bounds: SuggestionBounds
  ) {
    (self.query, self.channel, self.memberCount) = (query, channel, memberCount)
    (self.limit, self.except, self.bounds) = (limit, except, bounds)
  }

  /// Whether the truncated keys hold all of the typed text.
  var isInKeys: Bool { query.folded.bytes.count < NameKey.byteCountMax }

  /// The grades that can have matches.
  var grades: [NameGrade] { query.isEmpty ? [.name] : NameGrade.allCases }

  /// Returns the key prefixes of the users who match with a grade, or with a better one.
  func ranges(_ grade: NameGrade) -> [KeyPrefix] {
    switch grade {
    case .exact: [KeyPrefix(.name, equalTo: query.folded.bytes), KeyPrefix(.id, equalTo: query.folded.bytes)]
    case .name: [KeyPrefix(.name, beginningWith: query.folded.bytes)]
    case .word: [KeyPrefix(.word, beginningWith: query.folded.bytes)]
    case .id: [KeyPrefix(.id, beginningWith: query.folded.bytes)]
    }
  }
}

/// A user who can be suggested.
private struct Candidate {
  let user: User.ID
  /// The instant of their last message to the channel.
  let sent: Timestamp?
  /// Their name, folded and truncated.
  let order: [UInt8]

  /// Returns whether one sorts first, as far as is known without the user's row.
  static func precedes(_ a: Candidate, _ b: Candidate) -> Bool {
    if a.sent != b.sent { return a.sent.comesBefore(b.sent) }
    return a.order.lexicographicallyPrecedes(b.order)
  }
}

/// A user who is suggested.
private struct Found {
  let user: User
  let sent: Timestamp?
  let folded: FoldedText

  /// Returns whether one sorts first.
  static func precedes(_ a: Found, _ b: Found) -> Bool {
    if a.sent != b.sent { return a.sent.comesBefore(b.sent) }
    if a.folded != b.folded { return a.folded < b.folded }
    let (name, other) = (a.user.profile.name, b.user.profile.name)
    return name == other ? a.user.id < b.user.id : name < other
  }
}

extension Timestamp? {
  /// Returns whether the other is earlier, or nil.
  fileprivate func comesBefore(_ other: Timestamp?) -> Bool {
    guard let self else { return false }
    return other.map { self > $0 } ?? true
  }
}

// MARK: All match grades

extension ChatReading {
  /// Returns the best matches.
  ///
  /// They are found grade by grade. All matches of a better grade are taken before the next grade is searched, if at
  /// all: so a user who matches and is not taken has that grade or a worse one.
  func suggestions(_ suggester: UserSuggester) throws(ProjectionError) -> [User] {
    guard suggester.limit > 0 else { return [] }
    guard suggester.isInKeys else { return try suggestionsFromAll(suggester) }
    var taken: [User] = []
    for grade in suggester.grades where taken.count < suggester.limit {
      let count = try nameCount(suggester, grade, max: suggester.bounds.names)
      var found: [User]?
      if count <= suggester.bounds.names {
        // Where none has sent anything, the first by name are found at once.
        if count > suggester.bounds.names / 16 {
          found = try inOrder(suggester, grade, taken, steps: suggester.bounds.steps / 128)
        }
        if found == nil { found = try fewNames(suggester, grade, taken) }
      } else {
        if let count = suggester.memberCount, count <= suggester.bounds.members {
          return try suggestionsFromAll(suggester)
        }
        found = try inOrder(suggester, grade, taken, steps: suggester.bounds.steps)
        let most = suggester.memberCount ?? .max
        if found == nil, try nameCount(suggester, grade, max: most) <= most {
          found = try fewNames(suggester, grade, taken)
        }
      }
      guard let found else { return try suggestionsFromAll(suggester) }
      taken += found
    }
    return taken
  }

  /// Returns the best of all members, or of all users, looking at each.
  private func suggestionsFromAll(_ suggester: UserSuggester) throws(ProjectionError) -> [User] {
    var graded: [NameGrade: [Candidate]] = [:]
    var users: [User.ID: User] = [:]
    func look(_ user: User, _ sent: Timestamp?) {
      guard user.id != suggester.except, let grade = suggester.query.grade(of: user) else { return }
      users[user.id] = user
      let order = NameKey.cut(FoldedText(user.profile.name).bytes)
      graded[grade, default: []].append(Candidate(user: user.id, sent: sent, order: order))
    }
    if let channel = suggester.channel, suggester.memberCount != nil {
      try forEach(in: ChatState.members, under: KeyPrefix(channel)) { member throws(ProjectionError) in
        if member.isMember, let user = try user(member.key.user) { look(user, member.lastSent) }
        return true
      }
    } else {
      try reading.forEachRow(of: ChatState.users) { (_, user: User) throws(ProjectionError) in
        if let activity = try activity(of: user.id, suggester) { look(user, activity.sent) }
        return true
      }
    }
    var taken: [User] = []
    for grade in suggester.grades where taken.count < suggester.limit {
      taken += try best(of: graded[grade] ?? [], suggester.limit - taken.count, known: users)
    }
    return taken
  }
}

// MARK: One match grade

// Rows are read where they are stored, and of them only what decides: of a thousand candidates, ten are taken.

extension ChatReading {
  /// Returns the number of names that match with a grade, or with a better one; at most one more than a maximum.
  private func nameCount(
    _ suggester: UserSuggester, _ grade: NameGrade, max: Int
  ) throws(ProjectionError) -> Int {
    var count = 0
    try reading.withRows(of: ChatState.names, and: ChatState.members) { names, _ throws(TablesError) in
      for range in suggester.ranges(grade) {
        try names.forEach(under: range) { _ in
          count += 1
          return count <= max
        }
      }
    }
    return count
  }

  /// Returns the best of a grade from all matching names.
  private func fewNames(
    _ suggester: UserSuggester, _ grade: NameGrade, _ taken: [User]
  ) throws(ProjectionError) -> [User] {
    var search = Search(suggester, taken)
    try reading.withRows(of: ChatState.names, and: ChatState.members) { names, members throws(TablesError) in
      for range in suggester.ranges(grade) {
        try names.forEach(under: range) { name throws(TablesError) in
          guard let user = NameKey.user(in: name.key) else { throw name.malformed }
          // A name that continues with a zero is stored beside the equal ones.
          if grade == .exact, range.bytes.count + user.byteCount != name.key.byteCount { return true }
          if let activity = try suggester.activity(of: user, in: &members), search.admits(activity.sent) {
            guard let entry = NameEntry(decoding: name.value, of: name.key) else { throw name.malformed }
            search.take(Candidate(user: entry.key.user, sent: activity.sent, order: entry.order))
          }
          return true
        }
      }
    }
    return try best(of: search.candidates, search.limit)
  }

  /// Returns the best of a grade with many matches: first active members, the latest first, then the others by name;
  /// nil when too few were found within a number of steps.
  private func inOrder(
    _ suggester: UserSuggester, _ grade: NameGrade, _ taken: [User], steps: Int
  ) throws(ProjectionError) -> [User]? {
    var search = Search(suggester, taken, steps: steps)
    if let channel = suggester.channel {
      let prefix = KeyPrefix(channel)
      try reading.withRows(of: ChatState.activity, and: ChatState.users) { entries, users throws(TablesError) in
        try entries.forEach(under: prefix) { entry throws(TablesError) in
          var parts = KeyParts(entry.key, from: prefix.bytes.count)
          guard let sent = parts.instantLatestFirst() else { throw entry.malformed }
          guard search.admits(sent), search.goesOn() else { return false }
          let id = parts.rest
          guard let name = try users.foldedName(of: id), suggester.query.isMatched(grade, by: id, name) else {
            return true
          }
          guard let user = User.ID(spelledBy: id) else { throw entry.malformed }
          search.take(Candidate(user: user, sent: sent, order: NameKey.cut(name.bytes)))
          return true
        }
      }
    }
    if !search.isFull { try addSilent(suggester, grade, to: &search) }
    return search.isOver ? nil : try best(of: search.candidates, search.limit)
  }

  /// Adds the users of a grade who have sent nothing, in the order of their names.
  private func addSilent(
    _ suggester: UserSuggester, _ grade: NameGrade, to search: inout Search
  ) throws(ProjectionError) {
    let range = grade == .name ? suggester.ranges(.name)[0] : KeyPrefix(.name, beginningWith: [])
    try reading.withRows(of: ChatState.names, ChatState.members, ChatState.users) {
      names, members, users throws(TablesError) in
      try names.forEach(under: range) { name throws(TablesError) in
        guard let key = NameKey(spelledBy: name.key), let id = NameKey.user(in: name.key) else { throw name.malformed }
        guard search.admits(nil, key.text), search.goesOn() else { return false }
        if grade != .name {
          guard let folded = try users.foldedName(of: id), suggester.query.isMatched(grade, by: id, folded) else {
            return true
          }
        }
        if let activity = try suggester.activity(of: id, in: &members), activity.sent == nil {
          search.take(Candidate(user: key.user, sent: nil, order: key.text))
        }
        return true
      }
    }
  }

  /// Returns the activity of a user in the channel; nil for a user who is not wanted.
  private func activity(of user: User.ID, _ suggester: UserSuggester) throws(ProjectionError) -> MemberActivity? {
    if user == suggester.except { return nil }
    guard let channel = suggester.channel else { return MemberActivity(sent: nil) }
    if let member = try member(Member.Key(channel, user)) { return MemberActivity(sent: member.lastSent) }
    return suggester.memberCount == nil ? MemberActivity(sent: nil) : nil
  }

  /// Returns the best of some candidates of a grade.
  ///
  /// Those beyond the limit as far as is known without their rows are dropped first.
  private func best(
    of candidates: [Candidate], _ limit: Int, known: [User.ID: User] = [:]
  ) throws(ProjectionError) -> [User] {
    let sorted = candidates.sorted(by: Candidate.precedes)
    var found: [Found] = []
    for (index, candidate) in sorted.enumerated() {
      if index >= limit, Candidate.precedes(sorted[limit - 1], candidate) { break }
      var row = known[candidate.user]
      if row == nil { row = try user(candidate.user) }
      if let row { found.append(Found(user: row, sent: candidate.sent, folded: FoldedText(row.profile.name))) }
    }
    return found.sorted(by: Found.precedes).prefix(limit).map(\.user)
  }
}

/// The activity of a user in a channel.
private struct MemberActivity {
  /// The instant of their last message; nil when they have sent none.
  let sent: Timestamp?
}

extension UserSuggester {
  /// Returns the activity of a user in the channel; nil for a user who is not wanted.
  fileprivate func activity(
    of user: RawSpan, in members: inout RowCursor
  ) throws(TablesError) -> MemberActivity? {
    guard let channel else { return MemberActivity(sent: nil) }
    if try members.find(KeyPrefix(channel), user) {
      var fields = FieldReader(members.value)
      guard let member = try? Member.activity(from: &fields) else { throw members.malformed }
      if member.isMember { return MemberActivity(sent: member.sent) }
    }
    return memberCount == nil ? MemberActivity(sent: nil) : nil
  }
}

extension RowCursor {
  /// Calls the closure at each row under a key prefix, in the order of their keys, until it returns false.
  fileprivate mutating func forEach(
    under prefix: KeyPrefix, _ body: (borrowing RowCursor) throws(TablesError) -> Bool
  ) throws(TablesError) {
    let found = prefix.bytes.withKeyBytes { key in Result { () throws(TablesError) in try move(from: key, .upwards) } }
    var isThere = try found.get()
    while isThere, key.withUnsafeBytes({ prefix.begins($0) }), try body(self) { isThere = try moveOn(.upwards) }
  }

  /// Moves to the row with a key of a prefix and an id.
  fileprivate mutating func find(_ prefix: KeyPrefix, _ id: RawSpan) throws(TablesError) -> Bool {
    let found = withUnsafeTemporaryAllocation(byteCount: prefix.bytes.count + id.byteCount, alignment: 1) { key in
      key.copyBytes(from: prefix.bytes)
      id.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: key[prefix.bytes.count...]).copyMemory(from: $0) }
      return Result { () throws(TablesError) in try find(UnsafeRawBufferPointer(key)) }
    }
    return try found.get()
  }

  /// Returns the name of a user, folded, from their row; nil for one who is deactivated, or was never there.
  fileprivate mutating func foldedName(of user: RawSpan) throws(TablesError) -> FoldedText? {
    let found = user.withUnsafeBytes { key in Result { () throws(TablesError) in try find(key) } }
    guard try found.get() else { return nil }
    var fields = FieldReader(value)
    do throws(PayloadDefect) { return try User.foldedName(from: &fields) } catch { throw malformed }
  }
}

/// The best candidates so far of a grade, and the progress of a search for them in the order of a table.
private struct Search {
  let limit: Int
  /// The best in their order, up to the limit, and those that equal the last of them as far as is known.
  private(set) var candidates: [Candidate] = []
  /// The users who are found already or excluded.
  private var known: Set<User.ID>
  private var steps: Int

  init(_ suggester: UserSuggester, _ taken: [User], steps: Int = 0) {
    limit = suggester.limit - taken.count
    known = Set(taken.map(\.id))
    if let user = suggester.except { known.insert(user) }
    self.steps = steps
  }

  /// Whether there are as many candidates as are wanted.
  var isFull: Bool { candidates.count >= limit }

  /// Whether the search was given up.
  var isOver: Bool { steps < 0 }

  /// Counts a step; returns whether it is within the bounds.
  mutating func goesOn() -> Bool {
    steps -= 1
    return !isOver
  }

  /// Returns whether a candidate with an instant of their last message, and with a name, can be among the best.
  func admits(_ sent: Timestamp?, _ order: [UInt8] = []) -> Bool {
    guard isFull else { return true }
    let last = candidates[limit - 1]
    if last.sent != sent { return sent.comesBefore(last.sent) }
    return !last.order.lexicographicallyPrecedes(order)
  }

  /// Takes a candidate, unless the best are better.
  mutating func take(_ candidate: Candidate) {
    guard admits(candidate.sent, candidate.order), known.insert(candidate.user).inserted else { return }
    var (low, high) = (0, candidates.count)
    while low < high {
      let middle = (low + high) / 2
      if Candidate.precedes(candidate, candidates[middle]) { high = middle } else { low = middle + 1 }
    }
    candidates.insert(candidate, at: low)
    while candidates.count > limit, Candidate.precedes(candidates[limit - 1], candidates[candidates.count - 1]) {
      candidates.removeLast()
    }
  }
}
