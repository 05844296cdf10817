// Measures the layout of a message list: once in full, and after adding one message.
import Chat
import ChatMessageList
import Foundation
import Peers

/// The benchmarks of a list's layout, beside the same messages kept in order in a bare array.
struct ListBench {
  let options: Options

  func run() throws -> [Grid] {
    let messages = try makeMessages(options.isQuick ? 10_000 : 100_000)
    var samples: [String: [Double]] = [:]
    var small: [String: [Double]] = [:]
    for _ in 0..<options.rounds {
      let begin = ContinuousClock.now
      let layout = MessageLayout(messages)
      samples["laid out once", default: []].append(milliseconds(since: begin))
      keep(layout.rows.count)
      let plain = messages.map { PlainMessage($0) }
      let other = ContinuousClock.now
      keep(MessageLayout(plain, options: LayoutOptions.alluja).rows.count)
      samples["laid out once, an app's own messages", default: []].append(milliseconds(since: other))
      let shuffled = messages.shuffled()
      let third = ContinuousClock.now
      keep(shuffled.sorted { MessageSortKey($0) < MessageSortKey($1) }.count)
      samples["array alone, sorted", default: []].append(milliseconds(since: third))
      for (name, time) in try change(layout, messages) { small[name, default: []].append(time) }
    }
    let ratio = Ratio("laid out once", to: "array alone, sorted")
    return [
      Grid(
        "layout", "\(messages.count) messages laid out, ms",
        columns: [("", samples.mapValues { Figure(unit: .milliseconds, samples: $0) })],
        rows: ["laid out once", "laid out once, an app's own messages", "array alone, sorted"], ratios: [ratio]),
      Grid(
        "change", "One change of \(messages.count) messages, half of them at most and the slowest, µs",
        columns: [("", small.mapValues { Figure(unit: .microseconds, samples: $0) })], rows: small.keys.sorted()),
      Grid(
        "memory", "What \(messages.count) messages take, laid out, besides themselves, MiB",
        columns: [("", ["layout": Figure(unit: .mebibytes, samples: [memory(messages)])])], rows: ["layout"]),
    ]
  }

  // MARK: Changes

  private func change(_ layout: MessageLayout<ChatMessage>, _ messages: [ChatMessage]) throws -> [(String, Double)] {
    var layout = layout
    var array = messages
    var times: [String: [Double]] = [:]
    let last = messages[messages.count - 1].message.sent.rawValue
    let first = messages[0].message.sent.rawValue
    let count = options.isQuick ? 500 : 2000
    let fresh = try makeMessages(3 * count + 100 * 50, from: last + 1, named: "new")
    // The first change copies the caller's storage.
    layout.apply(.put([fresh[3 * count]]))
    for number in 0..<count {
      let end = fresh[number]
      time("at the end", &times) { layout.apply(.put([end])) }
      let somewhere = (last - first) / Int64(count) * Int64(number) + first + 1
      let middle = try makeMessages(1, from: somewhere, named: "middle\(number)")[0]
      time("in the middle", &times) { layout.apply(.put([middle])) }
      time("array alone, in the middle", &times) {
        var (low, high) = (0, array.count)
        while low < high {
          let half = (low + high) / 2
          if MessageSortKey(array[half]) < MessageSortKey(middle) { low = half + 1 } else { high = half }
        }
        array.insert(middle, at: low)
      }
      let message = messages[(number * 7919) % messages.count]
      var details = message.details
      details.isPinned = true
      let edited = ChatMessage(message.message, seenBy: message.viewer, details)
      time("updated", &times) { layout.apply(.put([edited])) }
      time("found", &times) { layout.index(ofMessage: edited.messageID) }
      time("typing", &times) { layout.apply(.typing(number % 2 == 0 ? ["user-1"] : [])) }
      time("deleted", &times) { layout.apply(.remove([middle.messageID])) }
    }
    for page in 0..<(options.isQuick ? 10 : 50) {
      let older = try makeMessages(50, from: first - Int64(page + 1) * 60_000_000_000, named: "older\(page)")
      time("a page of 50 above", &times) { layout.apply(.prepend(older, hasOlder: true)) }
    }
    return times.flatMap { name, times in
      let sorted = times.sorted()
      return [("\(name): half", sorted[sorted.count / 2]), ("\(name): 99 of 100", sorted[sorted.count * 99 / 100])]
    }
  }

  private func time<R>(_ name: String, _ times: inout [String: [Double]], _ body: () -> R) {
    let begin = ContinuousClock.now
    let result = body()
    let end = ContinuousClock.now
    keep(result)
    times[name, default: []].append(microseconds(begin.duration(to: end)))
  }

  private func microseconds(_ duration: Duration) -> Double {
    let (seconds, attoseconds) = duration.components
    return Double(seconds) * 1_000_000 + Double(attoseconds) / 1_000_000_000_000
  }

  private func milliseconds(since begin: ContinuousClock.Instant) -> Double {
    microseconds(begin.duration(to: .now)) / 1000
  }

  // MARK: Memory

  private func memory(_ messages: [ChatMessage]) -> Double {
    let before = Int(peer_allocated_bytes())
    let layout = MessageLayout(messages)
    let after = Int(peer_allocated_bytes())
    keep(layout.rows.count)
    return Double(after - before) / 1_048_576
  }
}

// MARK: Messages

/// Returns messages of ten users, a few seconds to some minutes apart.
private func makeMessages(_ count: Int, from start: Int64 = 1_700_000_000_000_000, named prefix: String = "m")
  throws -> [ChatMessage]
{
  var random = SplitMix(seed: 7)
  var speech = Speech(seed: 11)
  var state = InMemoryChatState()
  var instant = start
  for user in 0..<10 {
    let id = User.ID(stringLiteral: "user-\(user)")
    try want(.user(id, .create(User.Profile(name: "User \(user)"))), by: id, at: instant, &state)
  }
  let users = (1..<10).map { User.ID(stringLiteral: "user-\($0)") }
  let created = ChatIntent.channel("general", .create("team", Channel.Profile(), ChannelConfig(), members: users))
  try want(created, by: "user-0", at: instant, &state)
  var messages: [ChatMessage] = []
  messages.reserveCapacity(count)
  for number in 0..<count {
    instant += Int64(random.next() % 240_000_000) + 1
    let user = User.ID(stringLiteral: "user-\(random.next() % 10)")
    let key = Message.Key("general", Message.ID(stringLiteral: "\(prefix)-\(number)"))
    let content = Message.Content(
      UserText(speech.text()), client: Message.ClientID(stringLiteral: "\(prefix)-\(number)"))
    try want(.message(key, .send(content)), by: user, at: instant, &state)
    var details = ChatMessage.Details()
    details.sender = MessageSender(id: user.text, name: user.text)
    if user == "user-0" { details.delivery = .read(3) }
    messages.append(ChatMessage(state[key]!, seenBy: "user-0", details))
  }
  return messages
}

private func want(_ intent: ChatIntent, by user: User.ID, at instant: Int64, _ state: inout InMemoryChatState) throws {
  let instant = Timestamp(rawValue: instant)
  for event in try decide(intent, by: .user(user), at: instant, given: state) { fold(event, into: &state) }
}

/// A message type of an app, with a text and an alignment.
private struct PlainMessage: MessageType {
  let messageID: String
  let timestamp: Date
  let alignment: MessageAlignment
  let text: AttributedString

  init(_ message: ChatMessage) {
    (messageID, timestamp, alignment) = (message.messageID, message.timestamp, message.alignment)
    text = AttributedString(message.message.content.text.string)
  }

  var kind: MessageKind { .text(TextItem(text)) }
}
