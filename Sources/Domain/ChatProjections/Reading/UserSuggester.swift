// The search for the best of many users who match typed text, without looking at all of them.
internal import Chat
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
      var found = try fewNames(suggester, grade, taken, max: suggester.bounds.names)
      if found == nil {
        if let count = suggester.memberCount, count <= suggester.bounds.members {
          return try suggestionsFromAll(suggester)
        }
        found = try inOrder(suggester, grade, taken)
      }
      if found == nil { found = try fewNames(suggester, grade, taken, max: suggester.memberCount ?? .max) }
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

extension ChatReading {
  /// Returns the best of a grade from all matching names; nil where there are more of them than the maximum.
  private func fewNames(
    _ suggester: UserSuggester, _ grade: NameGrade, _ taken: [User], max: Int
  ) throws(ProjectionError) -> [User]? {
    var names: [NameEntry] = []
    for range in suggester.ranges(grade) {
      try forEach(in: ChatState.names, under: range) { name in
        names.append(name)
        return names.count <= max
      }
      if names.count > max { return nil }
    }
    // A name that continues with a zero is stored beside the equal ones.
    if grade == .exact { names.removeAll { $0.key.text != suggester.query.folded.bytes } }
    var known = Set(taken.map(\.id))
    var candidates: [Candidate] = []
    for name in names {
      let user = name.key.user
      // A user has one name and one id, but words and equal names can be found twice.
      let isNew = grade == .name || grade == .id ? !known.contains(user) : known.insert(user).inserted
      guard isNew, let activity = try activity(of: user, suggester) else { continue }
      candidates.append(Candidate(user: user, sent: activity.sent, order: name.order))
    }
    return try best(of: candidates, suggester.limit - taken.count)
  }

  /// Returns the best of a grade with many matches: first active members, the latest first, then the others by name;
  /// nil when too few were found within the bounds.
  private func inOrder(
    _ suggester: UserSuggester, _ grade: NameGrade, _ taken: [User]
  ) throws(ProjectionError) -> [User]? {
    let missing = suggester.limit - taken.count
    var search = Search(steps: suggester.bounds.steps, taken: Set(taken.map(\.id)))
    if let channel = suggester.channel {
      try forEach(in: ChatState.activity, under: KeyPrefix(channel)) { entry throws(ProjectionError) in
        let key = entry.key
        if search.candidates.count >= missing, search.candidates.last?.sent != key.sent { return false }
        guard search.goesOn() else { return false }
        guard key.user != suggester.except, !search.taken.contains(key.user),
          let user = try user(key.user), suggester.query.isMatched(grade, by: user)
        else { return true }
        search.take(Candidate(user: key.user, sent: key.sent, order: NameKey.cut(FoldedText(user.profile.name).bytes)))
        return true
      }
    }
    if search.candidates.count < missing { try addSilent(suggester, grade, missing, to: &search) }
    return search.isOver ? nil : try best(of: search.candidates, missing)
  }

  /// Adds the users of a grade who have sent nothing, in the order of their names.
  private func addSilent(
    _ suggester: UserSuggester, _ grade: NameGrade, _ missing: Int, to search: inout Search
  ) throws(ProjectionError) {
    let range = grade == .name ? suggester.ranges(.name)[0] : KeyPrefix(.name, beginningWith: [])
    try forEach(in: ChatState.names, under: range) { name throws(ProjectionError) in
      let id = name.key.user
      if search.candidates.count >= missing, search.candidates.last?.order != name.order { return false }
      guard search.goesOn() else { return false }
      guard !search.taken.contains(id), try isOf(grade, id, suggester), let activity = try activity(of: id, suggester),
        activity.sent == nil
      else { return true }
      search.take(Candidate(user: id, sent: nil, order: name.order))
      return true
    }
  }

  /// Returns whether a user matches with a grade; true for a user not taken whose name begins with the text.
  private func isOf(_ grade: NameGrade, _ id: User.ID, _ suggester: UserSuggester) throws(ProjectionError) -> Bool {
    if grade == .name { return true }
    return try user(id).map { suggester.query.isMatched(grade, by: $0) } ?? false
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

/// The progress of a search in the order of a table.
private struct Search {
  private(set) var steps: Int
  private(set) var candidates: [Candidate] = []
  /// The users who are found already or excluded.
  private(set) var taken: Set<User.ID>

  init(steps: Int, taken: Set<User.ID>) { (self.steps, self.taken) = (steps, taken) }

  /// Whether the search was given up.
  var isOver: Bool { steps < 0 }

  /// Counts a step; returns whether it is within the bounds.
  mutating func goesOn() -> Bool {
    steps -= 1
    return !isOver
  }

  mutating func take(_ candidate: Candidate) {
    candidates.append(candidate)
    taken.insert(candidate.user)
  }
}
