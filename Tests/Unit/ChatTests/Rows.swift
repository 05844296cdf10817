// The rows touched by a history, with consistency checks.
import Chat
import ChatSamples

/// The rows of a state that events have touched.
struct Rows {
  private let state: InMemoryChatState
  private var channels: Set<Channel.ID> = []
  private var members: Set<Member.Key> = []
  private var messages: Set<Message.Key> = []
  private var reactions: Set<Reaction.Key> = []
  private var drafts: Set<Draft.Key> = []
  private var composers: Set<Composer.Key> = []

  init(of history: History) {
    state = history.state
    for event in history.events { note(event.change) }
  }

  private mutating func note(_ change: ChatEvent.Change) {
    switch change {
    case .channel(let id, _): channels.insert(id)
    case .member(let key, _): members.insert(key)
    case .message(let key, _): messages.insert(key)
    case .reaction(let key, _): reactions.insert(key)
    case .draft(let key, _): drafts.insert(key)
    case .composer(let key, _): composers.insert(key)
    case .user, .device, .mute, .ban, .flag, .consumer, .block, .review, .saved, .scheduled, .thread, .vote, .app:
      return
    }
  }

  /// The violated invariants, in words.
  var defects: [String] {
    channelDefects + messageDefects + composers.compactMap { state[$0]?.defect } + draftDefects
  }

  private var channelDefects: [String] {
    let present = Dictionary(grouping: members.filter { state[$0]?.isMember == true }, by: \.channel)
    let newest = Dictionary(grouping: messages.compactMap { state[$0] }, by: \.key.channel)
    return channels.compactMap { state[$0] }.flatMap { channel in
      let count = present[channel.id]?.count ?? 0
      let number = newest[channel.id]?.map(\.number).max() ?? .zero
      return [
        channel.defect,
        channel.memberCount == count ? nil : "\(channel.id) counts \(channel.memberCount) members and has \(count)",
        channel.newest == number ? nil : "\(channel.id) says \(channel.newest), its last message is \(number)",
      ].compactMap { $0 }
    }
  }

  private var messageDefects: [String] {
    let rows = messages.compactMap { state[$0] }
    let replies = Dictionary(grouping: rows.filter { $0.presence == .present && $0.content.kind != .ephemeral }) {
      $0.content.parent.map { [$0] } ?? []
    }
    let given = Dictionary(grouping: reactions.compactMap { state[$0] }, by: \.key.message)
    return rows.flatMap { message in
      let count = replies[[message.key.id]]?.count { $0.key.channel == message.key.channel } ?? 0
      return [
        message.defect,
        message.replyCount == count ? nil : "\(message.key) counts \(message.replyCount) replies and has \(count)",
        totalDefect(of: message, given: given[message.key] ?? []), clientDefect(of: message),
      ].compactMap { $0 }
    }
  }

  /// Returns the mismatch of totals; an erased message has none, though its reactions stay stored.
  private func totalDefect(of message: Message, given: [Reaction]) -> String? {
    var totals: [Reaction.Kind: [UInt64]] = [:]
    if message.presence != .gone {
      for score in given.flatMap(\.scores) { totals[score.kind, default: []].append(UInt64(score.score)) }
    }
    let sums = totals.mapValues { [UInt64($0.count), $0.reduce(0, +)] }
    let counted = Dictionary(message.reactions.map { ($0.kind, [UInt64($0.count), $0.score]) }) { first, _ in first }
    guard sums != counted || counted.count != message.reactions.count else { return nil }
    return "\(message.key) totals \(message.reactions), and was given \(sums)"
  }

  private func clientDefect(of message: Message) -> String? {
    guard let author = message.author, let client = message.content.client else { return nil }
    let key = state[Message.ClientKey(author, client)]
    return key == message.key
      ? nil : "\(message.key) is \(client) of \(author), which leads to \(String(describing: key))"
  }

  private var draftDefects: [String] {
    drafts.compactMap { state[$0] }.compactMap { draft in
      guard let content = draft.content else { return nil }
      let isFit = content.mentions.allSatisfy { content.text.allows($0.range) }
      return isFit ? nil : "the draft \(draft.key) mentions somebody outside its text"
    }
  }
}
