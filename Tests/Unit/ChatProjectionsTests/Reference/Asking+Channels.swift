// Queries for the channels of users.
import Chat
import ChatSamples
import ChatProjections
import SeededRandom
import Testing
import Projections

extension Asking {
  mutating func askForChannels(_ chat: borrowing ChatReading) throws(ProjectionError) {
    for user in users {
      for instant in someInstants() + someTypedInstants(inThreads: false) {
        countChannels(of: user, at: instant)
        for filter in [ChannelFilter(), ChannelFilter(isHidden: nil), filter()] {
          let order = random.pick([.lastActivity, .unreadFirst, .name] as [ChannelOrder])
          let limit = 1 + random.below(3)
          var (found, next): ([ChannelItem], ChannelCursor?) = ([], nil)
          var pages = 0
          repeat {
            let page = try chat.channels(of: user, where: filter, by: order, at: instant, after: next, limit: limit)
            expect(page.channels.count <= limit, true, "\(limit) channels of \(user)")
            (found, next) = (found + page.channels, page.next)
          } while leads(to: next, &pages)
          expect(
            found, reference.channels(of: user, where: filter, by: order, at: instant),
            "channels of \(user) at \(instant) by \(order), \(filter)")
          countOrder(order, found)
          countFilter(filter)
        }
      }
    }
  }

  private mutating func filter() -> ChannelFilter {
    let names = reference.channels.map(\.profile.name) + ["gen", "GENERAL", "x", ""]
    let name = random.pick(names)
    let prefix = UserText(String(name.string.prefix(random.below(6))))
    return ChannelFilter(
      kinds: random.pick([nil, nil, nil, ["team"], ["other"]]), isHidden: random.pick([nil, nil, false, true]),
      isArchived: random.pick([nil, false, true]), isPinned: random.pick([nil, nil, false, true]),
      isMuted: random.pick([nil, nil, false, true]), isFrozen: random.pick([nil, nil, nil, false, true]),
      unreadOnly: random.once(in: 3), mentionedOnly: random.once(in: 6),
      name: random.pick([nil, nil, name, prefix]))
  }
}
