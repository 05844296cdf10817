// Queries for suggestions, with bounds so small that each search strategy is used.
import Chat
import ChatSamples
import ChatProjections
import SeededRandom
import Testing
import Projections

extension Asking {
  mutating func askWhomToSuggest(_ chat: borrowing ChatReading) throws(ProjectionError) {
    for channel in channels.map({ Optional($0) }) + [nil] {
      for typed in typedNames() {
        let limit = random.pick([0, 1, 2, 3, 5, 10])
        let except = random.maybe { [users] random in random.pick(users) }
        let question = "\(limit) of \(channel?.text ?? "all") for \(typed), without \(except?.text ?? "nobody")"
        let users = reference.suggestions(typed, in: channel, membersOnly: false, limit: limit, except: except)
        let members = reference.suggestions(typed, in: channel, membersOnly: true, limit: limit, except: except)
        countSuggestions(typed, in: channel, users, limit: limit, except: except)
        for bounds in someBounds() {
          expect(
            try chat.users(matching: typed, in: channel, limit: limit, except: except, within: bounds).map(\.id),
            users.map(\.id), "users, \(question), \(bounds)")
          guard let channel else { continue }
          expect(
            try chat.members(of: channel, matching: typed, limit: limit, except: except, within: bounds),
            members, "members, \(question), \(bounds)")
        }
      }
    }
  }

  private mutating func someBounds() -> [SuggestionBounds] {
    [
      SuggestionBounds(), SuggestionBounds(names: 0, members: 100, steps: 100),
      SuggestionBounds(names: 0, members: 0, steps: 100), SuggestionBounds(names: 0, members: 0, steps: 0),
      SuggestionBounds(names: random.below(6), members: random.below(8), steps: random.below(12)),
    ]
  }

  /// Returns typed texts: an empty one, prefixes of names, words and ids, and one that matches no user.
  private mutating func typedNames() -> [UserText] {
    var names: [UserText] = ["", "b", "BO", "bo ", "q"]
    if let user = reference.users.isEmpty ? nil : random.pick(reference.users) {
      let name = user.profile.name
      let word = name.string.split(separator: " ").last.map { UserText(String($0)) } ?? "z"
      for text in [name, UserText(user.id.text), word] {
        names += [text, UserText(String(text.string.prefix(1 + random.below(70))))]
      }
    }
    return names
  }
}
