// Random messages and random changes.
import ChatMessageList
import Foundation
import SeededRandom

/// A randomly changing list of messages as plain values: the reference for a layout.
struct RandomList {
  var random: SeededRandom
  var messages: [String: Said] = [:]
  var options: LayoutOptions<Said>
  var unread: UnreadMark?
  var typing: [String] = []
  var hasOlder = false
  var hasNewer = false
  private var made = 0
  private let authors = ["ann", "ben", "me", "zoe"]
  private let day = 86400.0

  init(_ random: SeededRandom) {
    self.random = random
    options = .verbatim
    options = self.randomOptions()
    hasOlder = chance(3)
  }

  mutating func chance(_ n: Int) -> Bool { random.below(n) == 0 }

  /// Returns the number of messages that a change names, and the change.
  mutating func change() -> (count: Int, change: MessageChange<Said>) {
    switch random.below(10) {
    case 0...3: return insert()
    case 4, 5: return update()
    case 6: return delete()
    case 7: return prepend()
    case 8: return mark()
    default: return edges()
    }
  }

  /// Returns a layout of all messages from scratch.
  func fresh() -> MessageLayout<Said> {
    MessageLayout(
      messages.values.sorted { $0.messageID < $1.messageID }, options: options, unread: unread, typing: typing,
      hasOlder: hasOlder, hasNewer: hasNewer)
  }

  // MARK: Changes

  private mutating func insert() -> (Int, MessageChange<Said>) {
    let new = (0...random.below(3)).map { _ in message(at: time()) }
    for one in new { messages[one.messageID] = one }
    return (new.count, .put(new))
  }

  private mutating func update() -> (Int, MessageChange<Said>) {
    var changed: [Said] = []
    for _ in 0...random.below(3) {
      guard var one = any() else { continue }
      let client = one.clientID
      one = message(at: chance(3) ? time() : one.timestamp.timeIntervalSince1970, as: one.messageID)
      if let client, chance(2) {
        // An acknowledged message, to which the server can assign another id.
        one.clientID = client
      }
      // A client id belongs to one message.
      messages[one.messageID] = one
      changed.append(one)
    }
    // The last of several messages with one id is kept.
    var last: [String: Said] = [:]
    for one in changed { last[one.messageID] = one }
    return (last.count, .put(changed))
  }

  private mutating func delete() -> (Int, MessageChange<Said>) {
    let gone = (0...random.below(2)).compactMap { _ in any()?.messageID }
    for id in gone { messages[id] = nil }
    return (Set(gone).count, .remove(gone + ["unknown"]))
  }

  private mutating func prepend() -> (Int, MessageChange<Said>) {
    let first = messages.values.map(\.timestamp.timeIntervalSince1970).min() ?? 0
    let page = (0...random.below(12)).map { message(at: first - Double($0) * 400) }
    for one in page { messages[one.messageID] = one }
    hasOlder = !chance(3)
    return (page.count, .prepend(page, hasOlder: hasOlder))
  }

  private mutating func mark() -> (Int, MessageChange<Said>) {
    unread = chance(4) ? nil : any().map { UnreadMark(from: MessageSortKey($0), count: 1 + random.below(5)) }
    // The mark affects two messages: the one below its old position, and the one below its new position.
    return (2, .unread(unread))
  }

  private mutating func edges() -> (Int, MessageChange<Said>) {
    var change = MessageChange<Said>()
    typing = authors.filter { _ in chance(2) }
    change.typing = typing
    if chance(3) {
      hasNewer.toggle()
      change.hasNewer = hasNewer
    }
    if chance(3) {
      hasOlder.toggle()
      change.hasOlder = hasOlder
    }
    return (1, change)
  }

  // MARK: Draws

  private mutating func any() -> Said? {
    if messages.isEmpty { return nil }
    let ids = messages.keys.sorted()
    return messages[ids[random.below(ids.count)]]
  }

  private mutating func time() -> Double {
    let base = Double(random.below(4)) * day
    return base + [0, 1, 300, 301, 600, 3600][random.below(6)] * Double(random.below(8))
  }

  private mutating func message(at seconds: Double, as id: String? = nil) -> Said {
    made += 1
    let author = authors[random.below(4)]
    return Said(id ?? "\(random.below(100_000))-\(made)", by: author, at: seconds) { said in
      said.isSystem = chance(8)
      if chance(10) { said.customID = ["map", "poll"][random.below(2)] }
      if chance(5) { said.isDeleted = true }
      if chance(2) { said.number = UInt64(random.below(4)) }
      if chance(3) { said.clientID = "c\(made)" }
      if chance(4) { said.delivery = [.pending, .sent, .read(2), .failed(reason: "no")][random.below(4)] }
      if chance(6) { said.edited = Date(timeIntervalSince1970: seconds + 1) }
      if chance(6) { said.thread = MessageThread(replyCount: random.below(4)) }
    }
  }

  private mutating func randomOptions() -> LayoutOptions<Said> {
    var options: LayoutOptions<Said> = chance(3) ? .alluja : .verbatim
    if chance(2) { options.grouping = [.collapseTimestamps(.top), .collapseEnclosingViews] }
    options.mutedMessages = [.show, .collapse, .hide][random.below(3)]
    options.mutedAuthors = chance(2) ? ["ben"] : ["ben", "zoe"]
    if chance(4) { options.customRenderers = ["map"] }
    if chance(4) { options.systemEndsGroup.toggle() }
    if chance(4) { options.daySeparatorEndsGroup.toggle() }
    if chance(4) { options.showsDaySeparators = false }
    if chance(5) { options.messageEndsGroup = { $1.messageID.utf8.count % 2 == 0 || $0.isDeleted } }
    return options
  }
}
