// Measures an action in a composer: deciding and folding it, suggesting, and storing it.
import Chat
import ChatCodec
import ChatComposer
import ChatProjections
import EventLog
import Projections

/// The benchmarks of a composer, beside the same changes made to a bare array of UTF-16 units.
struct ComposerBench {
  let options: Options
  let disk: Disk

  func run() throws -> [Grid] { [try actions(), try suggestions(), try bytes()] }

  // MARK: Actions

  /// A typed script, and its distance from the end of the text.
  private struct Typing {
    let name: String
    let text: String
    let parts: [String]
    let isInMiddle: Bool
  }

  private static let typings = [
    Typing(name: "letters, at the end", text: "The quick brown fox. ", parts: ["a", "b", " "], isInMiddle: false),
    Typing(name: "letters, in the middle", text: "The quick brown fox. ", parts: ["a", "b", " "], isInMiddle: true),
    Typing(name: "Arabic, in the middle", text: "السلام عليكم ", parts: ["ا", "ل", " "], isInMiddle: true),
    Typing(name: "families, in the middle", text: "👨‍👩‍👧‍👦🇩🇪👍🏽", parts: ["👨‍👩‍👧‍👦", "🇩🇪"], isInMiddle: true),
  ]

  private func actions() throws -> Grid {
    let lengths = [200, 20_000]
    let columns = try lengths.map { length -> (name: String, figures: [String: Figure]) in
      var samples: [String: [Double]] = [:]
      for _ in 0..<options.rounds {
        for typing in Self.typings {
          for (name, time) in try measure(typing, length) { samples[name, default: []].append(time) }
        }
      }
      return ("\(length) units", samples.mapValues { Figure(unit: .microseconds, samples: $0) })
    }
    let kinds = ["typed", "taken back", "moved", "shown", "array alone"]
    return Grid(
      "composer", "An action decided and folded, half of them at most, µs", columns: columns,
      rows: Self.typings.flatMap { typing in kinds.map { "\(typing.name): \($0)" } })
  }

  /// Returns the median duration of actions, by kind.
  private func measure(_ typing: Typing, _ length: Int) throws -> [(String, Double)] {
    var text: [UInt16] = []
    while text.count < length { text += Array(typing.text.utf16) }
    let key = Composer.Key(of: "ada", on: "phone", in: "general")
    var composing = ComposerReducer(Composer(key))
    let start = Timestamp(rawValue: 0)
    keep(try composing.act(.setText(String(decoding: text, as: UTF16.self)), at: start))
    let place = composing.content.text.clusterStart(
      at: UTF16Offset(rawValue: typing.isInMiddle ? text.count / 2 : text.count))
    keep(try composing.act(.moveSelection(place.rawValue..<place.rawValue), at: start))
    var array = text
    var times: [String: [Double]] = [:]
    for number in 0..<(options.isQuick ? 200 : 2000) {
      let part = typing.parts[number % typing.parts.count]
      times["typed", default: []].append(try time { try composing.act(.type(part), at: start) })
      times["shown", default: []].append(time { composing.presentation(at: start) })
      times["array alone", default: []].append(
        time { array.replaceSubrange(place.rawValue..<place.rawValue, with: part.utf16) })
      times["taken back", default: []].append(try time { try composing.act(.backspace, at: start) })
      array.removeSubrange(place.rawValue..<place.rawValue + part.utf16.count)
      let here = composing.composer.selection.upperBound
      let there = UTF16Offset(rawValue: max(0, here.rawValue - 9))
      times["moved", default: []].append(
        try time { try composing.act(.moveSelection(there.rawValue..<there.rawValue), at: start) })
      keep(try composing.act(.moveSelection(here.rawValue..<here.rawValue), at: start))
    }
    keep(array)
    return times.map { ("\(typing.name): \($0.key)", $0.value.sorted()[$0.value.count / 2]) }
  }

  private func time<R>(_ body: () throws -> R) rethrows -> Double {
    let begin = ContinuousClock.now
    let result = try body()
    let end = ContinuousClock.now
    keep(result)
    let (seconds, attoseconds) = begin.duration(to: end).components
    return Double(seconds) * 1_000_000 + Double(attoseconds) / 1_000_000_000_000
  }

  // MARK: Suggestions

  private func suggestions() throws -> Grid {
    let workload = PeopleWorkload(memberCount: options.isQuick ? 10_000 : 100_000)
    let store = try workload.fill()
    let projections = try ProjectionStore(of: store, [ChatState.self], at: try disk.makeDirectory() + "/projections")
    defer { projections.close() }
    _ = try projections.checkpoint()
    var samples: [String: [Double]] = [:]
    for _ in 0..<options.rounds {
      var times = try typeNames(workload, projections)
      times.sort()
      samples["p50", default: []].append(times[times.count / 2])
      samples["p99", default: []].append(times[times.count * 99 / 100])
    }
    return Grid(
      "mentions", "A keystroke of a name among \(workload.memberCount) members, suggested for, µs",
      columns: [("", samples.mapValues { Figure(unit: .microseconds, samples: $0) })], rows: ["p50", "p99"])
  }

  /// Returns the duration of each keystroke including its suggestions.
  private func typeNames(_ workload: PeopleWorkload, _ projections: ProjectionStore) throws -> [Double] {
    let start = Timestamp(rawValue: 0)
    var times: [Double] = []
    for number in 0..<(options.isQuick ? 20 : 200) {
      var composing = ComposerReducer(Composer(Composer.Key(of: "user-100000", on: "phone", in: "lively")))
      for letter in "Hello @" + workload.name(number).prefix(6) {
        let action = Composer.Action.type(String(letter))
        times.append(
          try time {
            keep(try composing.act(action, at: start))
            guard let query = composing.suggestionQuery else { return [User]() }
            return try projections.read { reading throws(ProjectionError) in
              try reading.chat.members(of: "lively", matching: query.typing.text, limit: 10, except: "user-100000")
            }
          })
      }
    }
    return times
  }

  // MARK: Bytes

  private func bytes() throws -> Grid {
    let samples = try [1, 10, 20].map { perBlock in
      Figure(unit: .bytes, samples: [try byteCount(perBlock)])
    }
    return Grid(
      "typed", "Bytes that a typed character takes in the log, so many in a block",
      columns: [("", Dictionary(uniqueKeysWithValues: zip(["1", "10", "20"], samples)))], rows: ["1", "10", "20"])
  }

  /// Returns the stored bytes of each of 10,000 typed characters, including its share of its block.
  private func byteCount(_ perBlock: Int) throws -> Double {
    let store = EventStore.inMemory()
    let key = Composer.Key(of: "user-100000", on: "phone-of-mine", in: "general-chat")
    var composing = ComposerReducer(Composer(key))
    let stamp = EventOrigin(by: .user(key.user, on: key.device), at: Timestamp(rawValue: 1_700_000_000_000_000))
    var waiting: [ProposedEvent] = []
    for number in 0..<10_000 {
      let letter = String("The quick brown fox. ".dropFirst(number % 21).first ?? "a")
      for event in try composing.act(.type(letter), at: stamp.at) {
        waiting.append(encode(ChatEvent(.composer(key, event), stamp)))
      }
      guard waiting.count >= perBlock else { continue }
      _ = try store.appendBlocking(waiting)
      waiting = []
    }
    var count = 0
    try store.log.blocks(from: Position(rawValue: 1), .forward, checks: .none) { block in
      count += block.bytes.byteCount
      return .next
    }
    return Double(count) / 10_000
  }
}
