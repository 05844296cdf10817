// The generated writing: messages, replies, edits, drafts; character by character where requested.
internal import Chat
internal import RandomNumbers
internal import Verbatim

/// A user who is writing.
struct Writer: Sendable {
  let person: Int
  let room: Int
  let device: Device.ID
  let composer: Composer.Key
  let goal: Goal
  /// The content in the end.
  let content: Message.Content
  /// The remaining events of the composer.
  var strokes: ArraySlice<Stroke>
  /// The instant of the next stroke, or of the end, where keystrokes are recorded.
  var due: Timestamp
  /// The pause before the end.
  let endPause: Microseconds
  /// The remaining seconds of writing where keystrokes are not recorded.
  var secondsLeft: Int
  /// Whether events of the composer were recorded.
  var hasBegun = false
  /// Whether the text continues a draft.
  let wasDraft: Bool

  /// The purpose of the writing.
  enum Goal: Sendable, Equatable {
    /// The text is sent as a message.
    case send
    /// The text replaces that of a sent message.
    case edit(Message.ID)
    /// The text is left as a draft.
    case leave
  }

  /// Returns whether the user has written everything and the pause before the end has passed.
  func isDone(at now: Timestamp) -> Bool { strokes.isEmpty && secondsLeft <= 0 && due <= now }

  /// Returns whether a message must not be deleted while the user writes.
  func needs(_ message: Message.ID) -> Bool {
    goal == .edit(message) || content.parent == message || content.quoted == message
  }
}

extension ConversationGenerator {
  /// The maximum number of concurrent writers.
  private var writersMax: Int { isLive ? 3 : min(48, people.count / (size.keystrokes ? 2 : 3) + 1) }

  /// Lets users begin to write.
  mutating func beginWriting() {
    for _ in 0..<2 where writers.count < writersMax { begin() }
  }

  /// Returns what the writers do now.
  mutating func write() -> [Submission] {
    var wanted: [Submission] = []
    var rest: [Writer] = []
    for writer in writers {
      var writer = writer
      if let stroke = advance(&writer) { wanted.append(stroke) }
      if writer.isDone(at: now) { wanted.append(finish(writer)) } else { rest.append(writer) }
    }
    writers = rest
    return wanted
  }

  /// Advances a writer to now; returns the next stroke if it is due.
  private func advance(_ writer: inout Writer) -> Submission? {
    guard size.keystrokes else {
      writer.secondsLeft -= 1
      return nil
    }
    guard writer.due <= now, let stroke = writer.strokes.popFirst() else { return nil }
    writer.hasBegun = true
    writer.due = now + (writer.strokes.first?.pause ?? writer.endPause)
    return record([stroke.event], writer)
  }

  /// Returns the rhythm of a person; it draws nothing from the conversation's own numbers.
  private mutating func rhythm(of person: Int) -> Rhythm {
    textCount += 1
    return Rhythm(keysPerSecond: people[person].pace, seed: seed ^ textCount)
  }

  func record(_ events: [Composer.Event], _ writer: Writer) -> Submission {
    wish([.composer(writer.composer, .record(events))], of: writer.person, on: writer.device)
  }

  // MARK: Start

  private mutating func begin() {
    let room = random.happens(400) ? 0 : random.below(rooms.count)
    guard let person = somebody(in: room), !people[person].isWriting else { return }
    if let index = drafts.firstIndex(where: { $0.person == person && $0.room == room }), random.happens(500) {
      return resume(drafts.remove(at: index))
    }
    let own = rooms[room].said.last { $0.author == person && !$0.isDeleted }
    if let own, random.happens(60) { return beginEdit(of: own, person, in: room) }
    let leaves = random.happens(40)
    guard leaves || begunCount < size.messages else { return }
    beginMessage(person, in: room, leaves ? .leave : .send)
  }

  private mutating func beginMessage(_ person: Int, in room: Int, _ goal: Writer.Goal) {
    let others = rooms[room].said.filter { !$0.isDeleted }
    var content = Message.Content()
    var strokes = Strokes(rhythm(of: person))
    strokes.add(.opened)
    if !others.isEmpty, random.happens(150) {
      let said = random.one(of: others)
      if !said.isReply { content.parent = said.id }
    }
    if !others.isEmpty, goal == .send, random.happens(60) {
      let quoted = random.one(of: others).id
      content.quoted = quoted
      strokes.add(.quoted(quoted))
    }
    var text = ""
    if goal == .send, random.happens(70) {
      let named = people[random.one(of: rooms[room].members)]
      text = "@\(named.name) "
      let end = UTF16Offset(rawValue: named.name.utf16.count + 1)
      content.mentions = [Mention(named.id, at: .start..<end)]
      strokes.mention(named.id, named: named.name)
    }
    let words = random.message(people[person].phrases)
    strokes.type(words, &random)
    text += words
    content.text = UserText(text)
    if goal == .send, random.happens(50) { attach(to: &content, &strokes) }
    start(person, room, goal, content, strokes, wasDraft: false)
  }

  /// Attaches a picture or a file from the device, which is then uploaded.
  private mutating func attach(to content: inout Message.Content, _ strokes: inout Strokes) {
    let isPicture = random.happens(700)
    let name = isPicture ? "photo-\(random.below(10_000)).jpg" : "report-\(random.below(100)).pdf"
    var attachment = Attachment("a1", isPicture ? .image : .file, at: .device(UserText("/photos/\(name)")))
    attachment.title = UserText(name)
    attachment.mimeType = isPicture ? "image/jpeg" : "application/pdf"
    attachment.byteCount = UInt64(random.number(20_000...4_000_000))
    if isPicture { attachment.size = Attachment.Size(width: 4032, height: 3024) }
    strokes.addFile(.attached(ComposedAttachment(attachment, .local)))
    for permille in [300, 800] as [UInt16] { strokes.addFile(.uploadProgressed("a1", permille: permille)) }
    let url = UserText("https://files.example.org/\(name)")
    strokes.addFile(.uploadFinished("a1", url: url))
    attachment.location = .url(url)
    content.attachments = [attachment]
  }

  private mutating func beginEdit(of said: Said, _ person: Int, in room: Int) {
    let addition = " " + random.one(of: people[person].phrases.sentences)
    var strokes = Strokes(rhythm(of: person), behind: said.text)
    strokes.add(.opened)
    strokes.add(.editBegan(said.id, Composition(TypedText(said.text))))
    strokes.type(addition, &random)
    let content = Message.Content(UserText(said.text + addition))
    start(person, room, .edit(said.id), content, strokes, wasDraft: false)
  }

  private mutating func resume(_ draft: LeftDraft) {
    guard begunCount < size.messages else { return }
    let content = Composition(TypedText(draft.text))
    var strokes = Strokes(rhythm(of: draft.person), behind: draft.text)
    strokes.add(.filled(content, selection: content.text.end..<content.text.end))
    let rest = " " + random.one(of: people[draft.person].phrases.sentences)
    strokes.type(rest, &random)
    let message = Message.Content(UserText(draft.text + rest), parent: draft.thread)
    start(draft.person, draft.room, .send, message, strokes, wasDraft: true)
  }

  private mutating func start(
    _ person: Int, _ room: Int, _ goal: Writer.Goal, _ content: Message.Content, _ strokes: Strokes,
    wasDraft: Bool
  ) {
    people[person].isWriting = true
    if goal == .send { begunCount += 1 }
    let device: Device.ID = random.happens(700) ? "phone" : "laptop"
    let key = Composer.Key(of: people[person].id, on: device, in: rooms[room].id, thread: content.parent)
    let seconds = 1 + content.text.string.utf16.count / people[person].pace
    writers.append(
      Writer(
        person: person, room: room, device: device, composer: key, goal: goal, content: content,
        strokes: size.keystrokes ? strokes.all[...] : [], due: now, endPause: strokes.endPause,
        secondsLeft: size.keystrokes ? 0 : seconds, wasDraft: wasDraft))
  }

  // MARK: End

  private mutating func finish(_ writer: Writer) -> Submission {
    people[writer.person].isWriting = false
    switch writer.goal {
    case .send: return send(writer)
    case .edit(let id): return save(id, writer)
    case .leave: return leave(writer)
    }
  }

  private mutating func send(_ writer: Writer) -> Submission {
    sentCount += 1
    let number = String(sentCount)
    let id: Message.ID = ID(stringLiteral: "m" + String(repeating: "0", count: max(0, 9 - number.count)) + number)
    rooms[writer.room].say(
      Said(
        id: id, author: writer.person, text: writer.content.text.string, isReply: writer.content.parent != nil))
    var intents: [ChatIntent] = [.message(Message.Key(rooms[writer.room].id, id), .send(writer.content))]
    if writer.wasDraft { intents.append(.draft(writer.composer.draft, .delete(.sent, editedAt: now))) }
    let goes: [Composer.Event] = random.happens(400) ? [.left(keepingContent: false)] : []
    return wish(intents + ending([.sent(id, keeping: nil)] + goes, writer), of: writer.person, on: writer.device)
  }

  private mutating func save(_ id: Message.ID, _ writer: Writer) -> Submission {
    if let index = rooms[writer.room].said.firstIndex(where: { $0.id == id }) {
      rooms[writer.room].said[index].text = writer.content.text.string
    }
    let edit = Message.Edits(text: writer.content.text)
    return wish(
      [.message(Message.Key(rooms[writer.room].id, id), .edit(edit))] + ending([.editEnded(.saved)], writer),
      of: writer.person, on: writer.device)
  }

  private mutating func leave(_ writer: Writer) -> Submission {
    drafts.append(
      LeftDraft(
        person: writer.person, room: writer.room, thread: writer.content.parent, text: writer.content.text.string))
    let content = Composition(TypedText(writer.content.text))
    return wish(
      [.draft(writer.composer.draft, .update(content, editedAt: now))]
        + ending([.left(keepingContent: false)], writer), of: writer.person, on: writer.device)
  }

  /// Returns the intent that records the composer's last events, where keystrokes are recorded.
  private func ending(_ events: [Composer.Event], _ writer: Writer) -> [ChatIntent] {
    size.keystrokes ? [.composer(writer.composer, .record(events))] : []
  }
}

extension GeneratedChannel {
  /// Remembers a message; only the latest ones are kept.
  mutating func say(_ message: Said) {
    said.append(message)
    if said.count > 64 { said.removeFirst(32) }
  }
}
