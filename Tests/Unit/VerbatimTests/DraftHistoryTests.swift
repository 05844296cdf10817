// Threat: some position shows a sent message together with the draft that it was sent from.
import ChatCodec
import ChildProcess
import SeededRandom
import Testing
import Verbatim

@MainActor @Suite struct `A message and the draft it was sent from` {
  @Test func `no position of a random history shows both the message and its draft`() async throws {
    var random = SeededRandom.printingSeed()
    let town = try DraftTown()
    try await town.populate()
    // Some drafts may have been cleared by the other device just before.
    try await town.live(until: Choice.isLong ? 3000 : 1050, &random)
    await town.workspace.flush()
    let place: Comment = "seed \(random.seed)"

    var watch = try DraftWatch(over: town.workspace, place)
    let last = try town.workspace.head().rawValue
    let positions = Set((0..<(Choice.isLong ? 400 : 120)).map { _ in 1 + random.next() % last })
    var past: [DraftWatch.Moment] = []
    for _ in 0..<last {
      try watch.step()
      if positions.contains(watch.moment.position.rawValue) { past.append(watch.moment) }
    }
    try await look(back: past, in: town.workspace, place)
    print(
      "\(last) events; \(watch.sends) messages, \(watch.filledSends) of them from a stored draft; "
        + "\(watch.commands) commands; \(watch.late) sends while another device saved; back at \(past.count) positions."
    )
    #expect(watch.filledSends >= 1000 && watch.commands > 0, place)
    #expect(town.vain < 50, place)
    await town.workspace.close()
  }
}

/// Expects the same at past positions of the workspace.
private func look(back past: [DraftWatch.Moment], in workspace: Workspace, _ place: Comment) async throws {
  try await withThrowingTaskGroup(of: Void.self) { group in
    for task in 0..<2 {
      group.addTask {
        for moment in past[task...].enumerated().filter({ $0.offset % 2 == 0 }).map(\.element) {
          let then = try await workspace.at(moment.position)
          try await then.read { reading in
            for (key, gone) in moment.gone {
              let draft = try reading.chat.draft(key)
              #expect(gone.allows(draft), "\(place), back at \(moment.position): \(key)")
              guard let key = gone.message else { continue }
              let message = try reading.chat.message(key)
              #expect(message != nil, "\(place), back at \(moment.position): \(key)")
            }
          }
          then.close()
        }
      }
    }
    try await group.waitForAll()
  }
}

/// Folds a log event by event, and expects after each that no sent draft remains.
private struct DraftWatch {
  private(set) var moment = Moment()
  private(set) var (sends, filledSends, commands, late) = (0, 0, 0, 0)
  private let events: [(recorded: RecordedEvent, event: ChatEvent)]
  private let place: Comment
  private var state: InMemoryChatState
  /// The composer from which each message was sent.
  private var composers: [Message.Key: Composer.Key] = [:]
  /// The appends whose deletion came too late: the draft was saved on another device, and is not the sent one.
  private var tooLate: [AppendID: Set<Draft.Key>] = [:]
  /// The contents restored into composers and not removed since.
  private var filled: [Composer.Key: Composition] = [:]

  /// A position of the log.
  struct Moment: Sendable {
    var position = Position.zero
    /// The drafts that must not exist.
    var gone: [Draft.Key: Gone] = [:]
  }

  /// A draft that must not exist.
  struct Gone: Sendable {
    /// The sent message.
    var message: Message.Key?
    /// The draft's content; nil if no content may exist.
    var content: Composition?

    func allows(_ draft: Draft?) -> Bool {
      guard let found = draft?.content else { return true }
      return content.map { $0 != found } ?? false
    }
  }

  init(over workspace: Workspace, _ place: Comment) throws {
    events = try workspace.store.events(limit: .max).map { ($0, try decode($0)) }
    state = InMemoryChatState(rules: workspace.configuration.rules)
    self.place = place
    for (recorded, event) in events {
      switch event.change {
      case .composer(let key, .sent(let id, _)): composers[Message.Key(key.channel, id)] = key
      case .draft(let key, .superseded(nil, _)): tooLate[recorded.append, default: []].insert(key)
      default: continue
      }
    }
  }

  /// Folds the next event, and checks all drafts that must not exist.
  mutating func step() throws {
    let (recorded, event) = events[Int(moment.position.rawValue)]
    expectChange(event)
    fold(event, into: &state)
    moment.position = recorded.position
    note(event, in: recorded.append)
    for (key, gone) in moment.gone where !gone.allows(state[key]) {
      Issue.record("\(place): at \(moment.position) the draft \(key) is there, and \(gone) was sent")
      // It is reported once.
      moment.gone[key] = nil
    }
  }

  /// Expects that a deletion has a draft to delete, and that an update changes it.
  private func expectChange(_ event: ChatEvent) {
    guard case .draft(let key, let change) = event.change else { return }
    switch change {
    case .updated(let content, _): #expect(state[key]?.content != content, place)
    case .deleted: #expect(state[key]?.content != nil, place)
    case .superseded: return
    }
  }

  private mutating func note(_ event: ChatEvent, in append: AppendID) {
    switch event.change {
    case .draft(let key, .updated): moment.gone[key] = nil
    case .message(let message, .sent): if let key = composers[message] { sent(message, from: key, in: append) }
    case .composer(let key, .filled(let content, _)): filled[key] = content.hasContent ? content : nil
    case .composer(let key, .commandExecuted):
      commands += 1
      sent(nil, from: key, in: append)
      filled[key] = nil
    case .composer(let key, .sent), .composer(let key, .cleared), .composer(let key, .left): filled[key] = nil
    default: return
    }
  }

  private mutating func sent(_ message: Message.Key?, from composer: Composer.Key, in append: AppendID) {
    let isLate = tooLate[append]?.contains(composer.draft) ?? false
    if message != nil { (sends, filledSends) = (sends + 1, filledSends + (filled[composer] == nil ? 0 : 1)) }
    if isLate { late += 1 }
    let isFromNone = isLate && filled[composer] == nil
    moment.gone[composer.draft] = isFromNone ? nil : Gone(message: message, content: isLate ? filled[composer] : nil)
  }
}
