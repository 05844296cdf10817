// Finds the best of many people who match what was typed, without looking at all of them.
internal import Chat
internal import TextFolding
internal import Tables
internal import Projections

/// Whom to suggest.
struct UserSuggester {
  let query: NameQuery
  /// Where it counts who was active.
  let channel: Channel.ID?
  /// How many members the channel has; nil when not only they are wanted.
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

  /// Whether keys tell all of what was typed.
  var isInKeys: Bool { query.folded.bytes.count < NameKey.byteCountMax }

  /// The grades in which there can be somebody.
  var grades: [NameGrade] { query.isEmpty ? [.name] : NameGrade.allCases }

  /// Where those lie who match so well, or better.
  func ranges(_ grade: NameGrade) -> [KeyPrefix] {
    switch grade {
    case .exact: [KeyPrefix(.name, equalTo: query.folded.bytes), KeyPrefix(.id, equalTo: query.folded.bytes)]
    case .name: [KeyPrefix(.name, beginningWith: query.folded.bytes)]
    case .word: [KeyPrefix(.word, beginningWith: query.folded.bytes)]
    case .id: [KeyPrefix(.id, beginningWith: query.folded.bytes)]
    }
  }
}

/// Somebody who can be suggested.
private struct Candidate {
  let user: User.ID
  /// When they sent their last message to the channel.
  let sent: Instant?
  /// Their name, folded and cut.
  let order: [UInt8]

  /// Whether one comes first, as far as is known.
  static func precedes(_ a: Candidate, _ b: Candidate) -> Bool {
    if a.sent != b.sent { return a.sent.comesBefore(b.sent) }
    return a.order.lexicographicallyPrecedes(b.order)
  }
}

/// Somebody who is suggested.
private struct Found {
  let user: User
  let sent: Instant?
  let folded: FoldedText

  /// Whether one comes first.
  static func precedes(_ a: Found, _ b: Found) -> Bool {
    if a.sent != b.sent { return a.sent.comesBefore(b.sent) }
    if a.folded != b.folded { return a.folded < b.folded }
    let (name, other) = (a.user.profile.name, b.user.profile.name)
    return name == other ? a.user.id < b.user.id : name < other
  }
}

extension Instant? {
  /// Whether the other is earlier, or none.
  fileprivate func comesBefore(_ other: Instant?) -> Bool {
    guard let self else { return false }
    return other.map { self > $0 } ?? true
  }
}

// MARK: All grades

extension ChatReading {
  /// The best of those who match.
  ///
  /// They are found grade by grade. Those of a better grade are all taken before the next grade is looked at, or it is
  /// not: so whoever is not taken and matches at all belongs to the grade, or to a worse one.
  func suggestions(_ wanted: UserSuggester) throws(ProjectionError) -> [User] {
    guard wanted.limit > 0 else { return [] }
    guard wanted.isInKeys else { return try suggestionsFromAll(wanted) }
    var taken: [User] = []
    for grade in wanted.grades where taken.count < wanted.limit {
      var found = try fewNames(wanted, grade, taken, max: wanted.bounds.names)
      if found == nil {
        if let count = wanted.memberCount, count <= wanted.bounds.members { return try suggestionsFromAll(wanted) }
        found = try inOrder(wanted, grade, taken)
      }
      if found == nil { found = try fewNames(wanted, grade, taken, max: wanted.memberCount ?? .max) }
      guard let found else { return try suggestionsFromAll(wanted) }
      taken += found
    }
    return taken
  }

  /// The best of all members, or of all users: each is looked at.
  private func suggestionsFromAll(_ wanted: UserSuggester) throws(ProjectionError) -> [User] {
    var graded: [NameGrade: [Candidate]] = [:]
    var users: [User.ID: User] = [:]
    func look(_ user: User, _ sent: Instant?) {
      guard user.id != wanted.except, let grade = wanted.query.grade(of: user) else { return }
      users[user.id] = user
      let order = NameKey.cut(FoldedText(user.profile.name).bytes)
      graded[grade, default: []].append(Candidate(user: user.id, sent: sent, order: order))
    }
    if let channel = wanted.channel, wanted.memberCount != nil {
      try forEach(in: ChatState.members, under: KeyPrefix(channel)) { member throws(ProjectionError) in
        if member.isMember, let user = try user(member.key.user) { look(user, member.lastSent) }
        return true
      }
    } else {
      try reading.forEachRow(of: ChatState.users) { (_, user: User) throws(ProjectionError) in
        if let standing = try standing(of: user.id, wanted) { look(user, standing.sent) }
        return true
      }
    }
    var taken: [User] = []
    for grade in wanted.grades where taken.count < wanted.limit {
      taken += try best(of: graded[grade] ?? [], wanted.limit - taken.count, known: users)
    }
    return taken
  }
}

// MARK: One grade

extension ChatReading {
  /// The best of a grade, where so many names are all that match; nil where there are more.
  private func fewNames(
    _ wanted: UserSuggester, _ grade: NameGrade, _ taken: [User], max: Int
  ) throws(ProjectionError) -> [User]? {
    var names: [NameEntry] = []
    for range in wanted.ranges(grade) {
      try forEach(in: ChatState.names, under: range) { name in
        names.append(name)
        return names.count <= max
      }
      if names.count > max { return nil }
    }
    // A name that goes on with a zero lies beside those that are equal.
    if grade == .exact { names.removeAll { $0.key.text != wanted.query.folded.bytes } }
    var known = Set(taken.map(\.id))
    var candidates: [Candidate] = []
    for name in names {
      let user = name.key.user
      // Nobody has two names or ids, but words and what is equal can be found twice.
      let isNew = grade == .name || grade == .id ? !known.contains(user) : known.insert(user).inserted
      guard isNew, let standing = try standing(of: user, wanted) else { continue }
      candidates.append(Candidate(user: user, sent: standing.sent, order: name.order))
    }
    return try best(of: candidates, wanted.limit - taken.count)
  }

  /// The best of a grade, where many match: first who was active, from the last on, then the others by name; nil where
  /// too few of so many match.
  private func inOrder(
    _ wanted: UserSuggester, _ grade: NameGrade, _ taken: [User]
  ) throws(ProjectionError) -> [User]? {
    let missing = wanted.limit - taken.count
    var search = Search(steps: wanted.bounds.steps, taken: Set(taken.map(\.id)))
    if let channel = wanted.channel {
      try forEach(in: ChatState.activity, under: KeyPrefix(channel)) { entry throws(ProjectionError) in
        let key = entry.key
        if search.candidates.count >= missing, search.candidates.last?.sent != key.sent { return false }
        guard search.goesOn() else { return false }
        guard key.user != wanted.except, !search.taken.contains(key.user),
          let user = try user(key.user), wanted.query.isMatched(grade, by: user)
        else { return true }
        search.take(Candidate(user: key.user, sent: key.sent, order: NameKey.cut(FoldedText(user.profile.name).bytes)))
        return true
      }
    }
    if search.candidates.count < missing { try addSilent(wanted, grade, missing, to: &search) }
    return search.isOver ? nil : try best(of: search.candidates, missing)
  }

  /// Those of a grade who have sent nothing, in the order of their names.
  private func addSilent(
    _ wanted: UserSuggester, _ grade: NameGrade, _ missing: Int, to search: inout Search
  ) throws(ProjectionError) {
    let range = grade == .name ? wanted.ranges(.name)[0] : KeyPrefix(.name, beginningWith: [])
    try forEach(in: ChatState.names, under: range) { name throws(ProjectionError) in
      let id = name.key.user
      if search.candidates.count >= missing, search.candidates.last?.order != name.order { return false }
      guard search.goesOn() else { return false }
      guard !search.taken.contains(id), try isOf(grade, id, wanted), let standing = try standing(of: id, wanted),
        standing.sent == nil
      else { return true }
      search.take(Candidate(user: id, sent: nil, order: name.order))
      return true
    }
  }

  /// Whether somebody matches so well; who is not taken and whose name begins so does.
  private func isOf(_ grade: NameGrade, _ id: User.ID, _ wanted: UserSuggester) throws(ProjectionError) -> Bool {
    if grade == .name { return true }
    return try user(id).map { wanted.query.isMatched(grade, by: $0) } ?? false
  }

  /// How somebody stands in the channel; nil for who is not wanted.
  private func standing(of user: User.ID, _ wanted: UserSuggester) throws(ProjectionError) -> Standing? {
    if user == wanted.except { return nil }
    guard let channel = wanted.channel else { return Standing(sent: nil) }
    if let member = try member(Member.Key(channel, user)) { return Standing(sent: member.lastSent) }
    return wanted.memberCount == nil ? Standing(sent: nil) : nil
  }

  /// The best of some candidates of a grade.
  ///
  /// Those who are beyond the limit as far as is known without their rows are left out first.
  private func best(
    of candidates: [Candidate], _ limit: Int, known: [User.ID: User] = [:]
  ) throws(ProjectionError) -> [User] {
    let sorted = candidates.sorted(by: Candidate.precedes)
    var found: [Found] = []
    for (place, candidate) in sorted.enumerated() {
      if place >= limit, Candidate.precedes(sorted[limit - 1], candidate) { break }
      var row = known[candidate.user]
      if row == nil { row = try user(candidate.user) }
      if let row { found.append(Found(user: row, sent: candidate.sent, folded: FoldedText(row.profile.name))) }
    }
    return found.sorted(by: Found.precedes).prefix(limit).map(\.user)
  }
}

/// How somebody stands in a channel.
private struct Standing {
  /// When they sent their last message; nil when they have sent none.
  let sent: Instant?
}

/// How a search in the order of a table stands.
private struct Search {
  private(set) var steps: Int
  private(set) var candidates: [Candidate] = []
  /// Whom it does not look for, or has found.
  private(set) var taken: Set<User.ID>

  init(steps: Int, taken: Set<User.ID>) { (self.steps, self.taken) = (steps, taken) }

  /// Whether it was given up.
  var isOver: Bool { steps < 0 }

  /// Counts a step; answers whether it may be made.
  mutating func goesOn() -> Bool {
    steps -= 1
    return !isOver
  }

  mutating func take(_ candidate: Candidate) {
    candidates.append(candidate)
    taken.insert(candidate.user)
  }
}
