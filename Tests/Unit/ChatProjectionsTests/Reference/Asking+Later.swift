// Queries for joining, blocks, reviews, saved and scheduled messages, threads and votes.
import Chat
import ChatProjections
import Projections
import SeededRandom
import Testing

extension Asking {
  mutating func askForJoining(_ chat: borrowing ChatReading) throws(ProjectionError) {
    for user in users {
      for withDeclined in [false, true] {
        expect(
          try chat.invitations(of: user, withDeclined: withDeclined).map(\.id),
          reference.invitations(of: user, withDeclined: withDeclined), "invitations of \(user)")
      }
      for name in [nil, "gen", ""] as [UserText?] {
        let limit = 1 + random.below(2)
        var (found, next): ([ChannelPreview], Channel.ID?) = ([], nil)
        var pages = 0
        repeat {
          let page = try chat.publicChannels(for: user, matching: name, after: next, limit: limit)
          (found, next) = (found + page.channels, page.next)
        } while leads(to: next, &pages)
        let expected = reference.publicChannels(matching: name)
        expect(found.map(\.id), expected.map(\.id), "public channels")
        let memberships = expected.map { reference.member(Member.Key($0.id, user)) != nil }
        expect(found.map(\.isMember), memberships, "memberships of \(user)")
      }
      expect(try chat.blockedUsers(by: user), reference.blockedUsers(by: user), "users blocked by \(user)")
    }
  }

  mutating func askForReviews(_ chat: borrowing ChatReading) throws(ProjectionError) {
    for channel in channels.map({ Optional($0) }) + [nil] {
      let limit = 1 + random.below(2)
      var (found, next): ([ReviewItem], ReviewCursor?) = ([], nil)
      var pages = 0
      repeat {
        let page = try chat.openReviews(in: channel, after: next, limit: limit)
        (found, next) = (found + page.items, page.next)
      } while leads(to: next, &pages)
      expect(found.map(\.review), reference.openReviews(in: channel), "reviews in \(channel?.text ?? "users")")
      for item in found {
        expect(item.openFlags.count, Int(item.review.flagCount), "open flags of \(item.review.target)")
      }
    }
  }

  mutating func askForSaved(_ chat: borrowing ChatReading) throws(ProjectionError) {
    for user in users {
      let limit = 1 + random.below(3)
      var (found, next): ([SavedItem], SavedCursor?) = ([], nil)
      var pages = 0
      repeat {
        let page = try chat.savedMessages(of: user, after: next, limit: limit)
        (found, next) = (found + page.items, page.next)
      } while leads(to: next, &pages)
      expect(found.map(\.saved), reference.saved(by: user), "messages saved by \(user)")
      expect(
        try chat.scheduledMessages(of: user), reference.scheduled(by: user), "messages scheduled by \(user)")
    }
    for instant in someInstants() {
      let expected = reference.dues.filter { $0 <= instant }
      expect(try chat.dues(through: instant).map(\.instant), expected, "what is due at \(instant)")
    }
    for poll in reference.messages where poll.poll != nil {
      let votes = reference.votes.filter { $0.key.message == poll.key }.sorted { $0.key.user < $1.key.user }
      let isThere = votes.filter { vote in vote.options.contains("o0") }
      expect(try chat.votes(in: poll.key, limit: 100).votes, votes, "votes in \(poll.key)")
      expect(try chat.votes(in: poll.key, for: "o0", limit: 100).votes, isThere, "votes for o0 in \(poll.key)")
      for option in poll.poll?.options ?? [] {
        let count = votes.filter { $0.options.contains(option.id) }.count
        expect(Int(option.votes), count, "the number of votes for \(option.id) in \(poll.key)")
      }
    }
  }
}

extension Due {
  /// The time at which it is due.
  fileprivate var instant: Timestamp {
    switch self {
    case .reminder(_, let at), .message(_, let at): at
    }
  }
}

extension Reference {
  func invitations(of user: User.ID, withDeclined: Bool) -> [Channel.ID] {
    members.filter { member in
      guard member.key.user == user, let invitation = member.invitation else { return false }
      return channel(member.key.channel) != nil && (withDeclined || invitation.declined == nil)
    }.map(\.key.channel).sorted()
  }

  func publicChannels(matching name: UserText?) -> [Channel] {
    channels.filter { channel in
      channel.config.isPublic && channel.deleted == nil && (name.map { begins(channel.profile.name, with: $0) } ?? true)
    }.sorted { $0.id < $1.id }
  }

  func blockedUsers(by user: User.ID) -> [User.ID] {
    blocks.filter { $0.key.user == user }.map(\.key.blocked).sorted()
  }

  func openReviews(in channel: Channel.ID?) -> [Review] {
    let open = reviews.filter { review in
      guard review.flagCount > 0 else { return false }
      switch review.target {
      case .message(let key): return key.channel == channel && self.channel(key.channel) != nil
      case .user: return channel == nil
      }
    }
    return open.sorted { ($0.opened, $0.name) < ($1.opened, $1.name) }
  }

  func saved(by user: User.ID) -> [SavedMessage] {
    savedMessages.filter { $0.key.user == user }.sorted { a, b in
      let (first, second) = (a.key.message, b.key.message)
      return (b.saved, first.channel, first.id) < (a.saved, second.channel, second.id)
    }
  }

  func scheduled(by author: User.ID) -> [ScheduledMessage] {
    scheduledMessages.filter { $0.key.author == author }.sorted { a, b in
      (a.key.message.channel, a.key.message.id) < (b.key.message.channel, b.key.message.id)
    }
  }

  /// The times of reminders that are ahead and of scheduled messages, in order.
  var dues: [Timestamp] {
    let reminders = savedMessages.filter { $0.reminded == nil }.compactMap(\.remindAt)
    return (reminders + scheduledMessages.filter { $0.failure == nil }.map(\.at)).sorted()
  }
}

extension Review {
  fileprivate var name: String {
    switch target {
    case .message(let key): key.id.text
    case .user(let id): id.text
    }
  }
}
