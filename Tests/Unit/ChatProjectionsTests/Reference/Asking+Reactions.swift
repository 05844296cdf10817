// Queries for reactions to a message, and the results of the reference.
import Chat
import ChatSamples
import ChatProjections
import SeededRandom
import Testing
import Projections

extension Asking {
  mutating func askForReactions(_ chat: borrowing ChatReading) throws(ProjectionError) {
    for message in reference.messages {
      for kind in Set([nil, "like"] + message.reactions.map(\.kind)).sorted(by: { ($0?.text ?? "") < ($1?.text ?? "") })
      {
        let limit = 1 + random.below(3)
        var (found, next): ([Reaction], User.ID?) = ([], nil)
        var pages = 0
        repeat {
          let page = try chat.reactions(to: message.key, as: kind, after: next, limit: limit)
          expect(page.reactions.count <= limit, true, "\(limit) reactions to \(message.key)")
          (found, next) = (found + page.reactions, page.next)
        } while leads(to: next, &pages)
        expect(found, reference.reactions(to: message, as: kind), "reactions to \(message.key)")
      }
    }
  }
}

extension Reference {
  func reactions(to message: Message, as kind: Reaction.Kind?) -> [Reaction] {
    guard let channel = channel(message.key.channel), message.number > channel.truncated, message.presence != .gone
    else { return [] }
    return reactions.filter { reaction in
      reaction.key.message == message.key && (kind == nil || reaction.scores.contains { $0.kind == kind })
    }.sorted { $0.key.user < $1.key.user }
  }
}
