// What a user does in a tab: numbered actions, each handled once.
internal import Chat
internal import ChatComposer
internal import ChatMessageList
internal import ChatProjections
internal import ChatRendering
internal import JSONLines
internal import Projections
internal import Verbatim
internal import VerbatimUI

/// An action of a page, as it is sent.
struct TabAction: Sendable {
  /// The kind of an action, with its values.
  enum Kind: Sendable {
    case edit(Range<Int>, String, isPasted: Bool, seen: UInt64)
    case select(Range<Int>, seen: UInt64)
    case set(String, editing: Message.ID?)
    case undo
    case redo
    case send(Message.ID, clears: Bool, editing: Message.ID?, seen: UInt64?)
    case press(String)
    case react(Message.ID, String)
    case read
    case side(SideList.Request)
    case jump(Message.ID)
    case date(Timestamp)
    case newest
  }

  let number: UInt64
  /// The kind with its values, or the defect of an action that cannot be read.
  let kind: Result<Kind, Failure>

  init(json: JSON) throws(InputDefect) {
    var reader = try ObjectReader(json, what: "an action")
    number = try reader.required("n", reader.integer("n"))
    do throws(InputDefect) {
      kind = .success(try Self.kind(&reader))
    } catch {
      kind = .failure(Failure(.misused, error.description))
    }
  }

  private static func kind(_ reader: inout ObjectReader) throws(InputDefect) -> Kind {
    let kind: Kind
    let name = try reader.required("kind", reader.text("kind"))
    switch name {
    case "edit":
      let range = try Self.range(&reader)
      let text = try reader.required("text", reader.text("text"))
      let isPasted = try reader.text("how") == "pasted"
      kind = .edit(range, text, isPasted: isPasted, seen: try reader.integer("seen") ?? 0)
    case "select":
      let range = try Self.range(&reader)
      kind = .select(range, seen: try reader.integer("seen") ?? 0)
    case "set":
      kind = .set(try reader.required("text", reader.text("text")), editing: try Self.editing(&reader))
    case "undo": kind = .undo
    case "redo": kind = .redo
    case "send":
      let id = try Self.message("id", &reader)
      let clears = reader.value("clears") == .bool(true)
      kind = .send(id, clears: clears, editing: try Self.editing(&reader), seen: try reader.integer("seen"))
    case "press": kind = .press(try reader.required("action", reader.text("action")))
    case "react":
      kind = .react(try Self.message("message", &reader), try reader.required("reaction", reader.text("reaction")))
    case "read": kind = .read
    case "side":
      let list = try reader.required("list", reader.text("list"))
      kind = .side(
        try SideList.Request(
          named: list, query: reader.text("query") ?? "", isEverywhere: reader.value("everywhere") == .bool(true)))
    case "jump": kind = .jump(try Self.message("message", &reader))
    case "date":
      let milliseconds = try reader.required("instant", reader.integer("instant"))
      // Larger than 2^53 is no exact number of JavaScript.
      kind = .date(Timestamp(rawValue: Int64(min(milliseconds, 1 << 53)) * 1000))
    case "newest": kind = .newest
    default: throw InputDefect("“\(name.inOneLine)” is no kind of action: reload the page.")
    }
    try reader.finish()
    return kind
  }

  private static func range(_ reader: inout ObjectReader) throws(InputDefect) -> Range<Int> {
    let numbers = try reader.required("range", reader.array("range")).map { json in
      if case .number(let text) = json { Int(text) } else { nil as Int? }
    }
    guard numbers.count == 2, let start = numbers[0], let end = numbers[1], 0 <= start, start <= end else {
      throw InputDefect("“range” of an action must be two numbers in order: reload the page.")
    }
    return start..<end
  }

  /// Returns the message whose edit the page shows; nil for none.
  private static func editing(_ reader: inout ObjectReader) throws(InputDefect) -> Message.ID? {
    guard let text = try reader.text("editing") else { return nil }
    return try message(text, "editing")
  }

  private static func message(_ key: String, _ reader: inout ObjectReader) throws(InputDefect) -> Message.ID {
    try message(try reader.required(key, reader.text(key)), key)
  }

  private static func message(_ text: String, _ key: String) throws(InputDefect) -> Message.ID {
    guard let id = Message.ID(rawValue: text) else {
      throw InputDefect("“\(key)” of an action must be the id of a message: reload the page.")
    }
    return id
  }
}

/// The part of an action that is left to the page.
struct TabOutcome: Sendable {
  let number: UInt64
  /// The member that names the outcome, and its value.
  let members: [JSON.Member]

  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("n", number)
      for member in members { writer.member(member.key, member.value) }
    }
  }
}

extension ChatTab {
  /// The number of the last handled action, what is left to the page, and whether all actions were handled.
  typealias Handled = (handled: UInt64, outcomes: [TabOutcome], isWhole: Bool)

  /// Handles actions in order, each once, after those of earlier requests; none while the page is not connected, which
  /// sends them again when it is.
  func handle(_ actions: [TabAction]) async -> Handled {
    let earlier = working
    let task = Task { @MainActor in
      await earlier?.value
      var outcomes: [TabOutcome] = []
      for action in actions where action.number > handled {
        guard isBegun, action.number == handled + 1 else { return (handled, outcomes, false) }
        if let outcome = await handle(action) { outcomes.append(outcome) }
      }
      return (handled, outcomes, true)
    }
    working = Task { _ = await task.value }
    return await task.value
  }

  /// Waits until all received actions are handled.
  func finish() async {
    var last: Task<Void, Never>?
    while last != working {
      last = working
      await last?.value
    }
  }

  /// Handles an action; nil when nothing is left to the page.
  private func handle(_ action: TabAction) async -> TabOutcome? {
    defer {
      handled = action.number
      // What was drawn during the action does not have its number.
      redrawComposer()
    }
    do {
      let members = try await perform(action.kind.get())
      return members.isEmpty ? nil : TabOutcome(number: action.number, members: members)
    } catch {
      let sentence = (error as? Failure)?.message ?? "\(error)"
      return TabOutcome(number: action.number, members: [Self.member("error", sentence)])
    }
  }

  private static func member(_ key: String, _ text: String) -> JSON.Member {
    JSON.Member(key: key, value: .string(text))
  }

  private func perform(_ kind: TabAction.Kind) async throws -> [JSON.Member] {
    switch kind {
    case .press(let value): return try await press(value)
    case .side(let list): side.show(list)
    case .newest: try await model.jumpToNewest()
    case .jump(let message): return try await scroll(to: message)
    case .date(let instant):
      guard let message = try await model.jump(to: instant) else { return [] }
      return [Self.member("scroll", message.text)]
    default: return try await write(kind)
    }
    return []
  }

  private func scroll(to message: Message.ID) async throws -> [JSON.Member] {
    try await model.jump(to: message)
    return [Self.member("scroll", message.text)]
  }

  private func write(_ kind: TabAction.Kind) async throws -> [JSON.Member] {
    if isReadOnly { throw Self.readOnly }
    if case .read = kind {
      if let newestMessage, place.thread == nil { try await model.controller.markRead(through: newestMessage) }
      return []
    }
    guard let composer else { throw Failure(.refused, "Nothing can be written here.") }
    switch kind {
    case .edit(let range, let text, let isPasted, let seen):
      guard let found = page.edit(range, text, seen: seen, in: composer.text) else {
        throw Failure(.refused, "The text has no range \(range): reload the page.")
      }
      try edit(composer, found, text, isPasted: isPasted)
    case .select(let range, let seen):
      if let found = page.find(range, seen: seen, in: composer.text) { try composer.perform(.moveSelection(found)) }
    case .set(let text, let editing):
      try await resume(editing, in: composer)
      page.set(text)
      try composer.perform(.setText(FieldText(composer.text).original(afterSetting: text)))
    case .undo: try composer.perform(.undo)
    case .redo: try composer.perform(.redo)
    case .send(let id, let clears, let editing, let seen):
      if clears { page.clear() }
      if page.hasUnseenText(seen: seen) {
        throw Failure(
          .refused, "The composer had a text that the page had not shown: nothing was sent. Read it and send again.")
      }
      if let editing, composer.composer.editing != editing {
        throw Failure(.refused, "The message \(editing) can no longer be edited: its text was not changed.")
      }
      return try await send(composer, as: id)
    case .react(let message, let reaction):
      try await model.controller.react(to: message, try Reaction.Kind(reaction))
    case .read, .press, .side, .jump, .date, .newest: break
    }
    return []
  }

  private static let readOnly = Failure(.refused, "The studio is read-only: start it without --read-only.")

  /// Replaces a part of the text.
  private func edit(_ composer: LiveComposer, _ range: Range<Int>, _ text: String, isPasted: Bool) throws {
    if composer.selectedRange != range { try composer.perform(.moveSelection(range)) }
    if text.isEmpty, !range.isEmpty {
      try composer.perform(.replace(range, with: ""))
    } else {
      try composer.perform(isPasted ? .paste(text) : .type(text))
    }
  }

  /// Sends the content, unless a message with the id was sent before: a page that got no answer sends again.
  private func send(_ composer: LiveComposer, as id: Message.ID) async throws -> [JSON.Member] {
    let key = Message.Key(place.channel, id)
    // The search index, which takes its time, is not needed.
    let known = await client.workspace.offThread { workspace in
      Result { () throws(ProjectionError) in
        try workspace.projections.read { reading throws(ProjectionError) in try reading.chat.message(key) != nil }
      }
    }
    if try known.get() {
      try composer.perform(.clear)
    } else {
      _ = try await composer.send(as: id)
    }
    return [Self.member("sent", id.text)]
  }

  private func press(_ value: String) async throws -> [JSON.Member] {
    guard let (action, isOfSide) = action(value) else {
      throw Failure(.refused, "What was pressed is not shown any more: nothing was done.")
    }
    if isReadOnly, !action.onlyShows { throw Self.readOnly }
    switch try await isOfSide ? side.press(action) : model.press(action, in: composer) {
    case .done: return []
    case .custom: return []
    case .copy(let text): return [Self.member("copy", text)]
    case .chooseReaction(let message): return [Self.member("chooseReaction", message.text)]
    case .scroll(let message): return [Self.member("scroll", message.text)]
    case .open(let attachment):
      return attachment.address.flatMap { StudioFactory(context: RenderingContext()).localAddress(of: $0) }
        .map { [Self.member("open", $0)] } ?? []
    case .openChannel(let channel): return [Self.member("channel", channel.text)]
    case .openThread(let key): return [Self.member("channel", key.channel.text), Self.member("thread", key.id.text)]
    case .openMessage(let key): return [Self.member("channel", key.channel.text), Self.member("message", key.id.text)]
    case .openDraft(let draft):
      let thread = draft.thread.map { Self.member("thread", $0.text) }
      return [Self.member("channel", draft.channel.text)] + [thread].compactMap { $0 }
    }
  }
}

extension SlotAction {
  /// Whether the action changes nothing in the workspace.
  fileprivate var onlyShows: Bool {
    switch self {
    case .loadOlder, .loadNewer, .loadMore, .jump, .open, .openChannel, .openThread, .openDraft, .openMessage: true
    case .message(let action, _): action == .copy || action == .thread
    default: false
    }
  }
}

extension LiveComposer {
  /// The selected range in UTF-16 units.
  fileprivate var selectedRange: Range<Int> {
    composer.selection.lowerBound.rawValue..<composer.selection.upperBound.rawValue
  }
}
