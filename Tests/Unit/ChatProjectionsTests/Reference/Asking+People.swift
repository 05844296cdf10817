// Queries for members, their markers, mutes and bans.
import Chat
import ChatSamples
import ChatProjections
import SeededRandom
import Testing
import Projections

extension Asking {
  mutating func askAboutMembers(_ chat: borrowing ChatReading) throws(ProjectionError) {
    for channel in channels {
      for roles in [nil, [], [.member], [.member, .owner, "listener"]] as [Set<Role>?] {
        let expected = reference.members(of: channel).filter { roles?.contains($0.role) ?? true }
        let limit = 1 + random.below(4)
        var (found, next): ([Member], User.ID?) = ([], nil)
        var pages = 0
        repeat {
          let page = try chat.members(of: channel, in: roles, after: next, limit: limit)
          expect(page.members.count <= limit, true, "\(limit) members of \(channel)")
          (found, next) = (found + page.members, page.next)
        } while leads(to: next, &pages)
        expect(found, expected, "members of \(channel) in \(String(describing: roles))")
        countMembers(of: channel, in: roles)
        if roles == nil {
          expect(Int(try chat.channel(channel)?.memberCount ?? 0), found.count, "how many members \(channel) has")
        }
      }
      let limit = 1 + random.below(4)
      var (found, next): ([Marker], User.ID?) = ([], nil)
      var pages = 0
      repeat {
        let page = try chat.markers(in: channel, after: next, limit: limit)
        (found, next) = (found + page.markers, page.next)
      } while leads(to: next, &pages)
      expect(found, reference.markers(in: channel), "markers in \(channel)")
      countMarkers(in: channel)
    }
    for message in reference.messages {
      let limit = 1 + random.below(4)
      var (found, next): ([User.ID], User.ID?) = ([], nil)
      var pages = 0
      repeat {
        let page = try chat.readers(of: message.key, after: next, limit: limit)
        (found, next) = (found + page.markers.map(\.user), page.next)
      } while leads(to: next, &pages)
      expect(found, reference.readers(of: message), "readers of \(message.key)")
      (found, pages) = ([], 0)
      repeat {
        let page = try chat.receivers(of: message.key, after: next, limit: limit)
        (found, next) = (found + page.markers.map(\.user), page.next)
      } while leads(to: next, &pages)
      expect(found, reference.receivers(of: message), "receivers of \(message.key)")
      countReaders(of: message)
    }
  }

  mutating func askWhatIsForbidden(_ chat: borrowing ChatReading) throws(ProjectionError) {
    for instant in someInstants() {
      for scope in channels.map({ Ban.Scope.channel($0) }) + [.everywhere] {
        let limit = 1 + random.below(2)
        var (found, next): ([Ban], User.ID?) = ([], nil)
        var pages = 0
        repeat {
          let page = try chat.bans(from: scope, at: instant, after: next, limit: limit)
          (found, next) = (found + page.bans, page.next)
        } while leads(to: next, &pages)
        expect(found, reference.bans(from: scope, at: instant), "bans from \(scope) at \(instant)")
        countBans(from: scope, at: instant)
      }
      for user in users {
        let muted = reference.mutes(of: user, at: instant)
        expect(try chat.mutes(of: user, at: instant), muted, "mutes of \(user) at \(instant)")
        countMutes(of: user, at: instant)
        for target in channels.map({ Mute.Target.channel($0) }) + users.map({ .user($0) }) {
          expect(
            try chat.mute(of: target, by: user, at: instant), muted.first { $0.key.target == target },
            "mute of \(target) by \(user) at \(instant)")
        }
        for channel in channels {
          expect(
            try chat.ban(of: user, in: channel, at: instant), reference.ban(of: user, in: channel, at: instant),
            "ban of \(user) in \(channel) at \(instant)")
        }
      }
    }
  }
}
