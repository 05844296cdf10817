// Threat: with less recording, more is recorded than was promised, or content, drafts, undo and typing do not work.
import Chat
import ChatSamples
import SeededRandom
import Testing

@testable import ChatComposer

@MainActor
struct `The recording of unsent content` {
  private func room(_ recording: ComposerRecording, drafts: Bool = true) async throws -> Room {
    try await Room {
      $0.recording = recording
      $0.draftMessagesEnabled = drafts
    }
  }

  /// The text of each recorded change of a text.
  private func texts(_ room: Room) -> [String] {
    room.done.compactMap { event in
      switch event {
      case .typed(let splice, _), .replaced(let splice, _, _, _), .mentionPicked(_, let splice, _): splice.text.string
      default: nil
      }
    }
  }

  private func stored(_ room: Room) -> Composer? { room.chat.state[room.composer.key] }

  @Test func `of keystrokes has each letter at once`() async throws {
    let room = try await room(.keystrokes)
    try room.type("abc")
    try room.composer.perform(.backspace)
    #expect(texts(room) == ["a", "b", "c", ""])
  }

  // What broke: events that could not be recorded during an append were lost with the composer.
  @Test func `has the last events of a composer that is released`() async throws {
    let room = try await room(.keystrokes)
    var composer: LiveComposer? = try await room.afterKill()
    composer?.recording.retain([.typed(Splice(.start ..< .start, to: "late"))])
    composer = nil
    await until { stored(room)?.content.text == "late" }
  }

  @Test func `of pauses has the text when typing pauses, and nothing that was deleted before`() async throws {
    let room = try await room(.pauses)
    try room.type("secret")
    for _ in 0..<6 { try room.composer.perform(.backspace) }
    try room.type("hello")
    #expect(texts(room).joined().isEmpty)
    room.chat.pass(.seconds(1))
    try room.type("!")
    room.chat.pass(.seconds(1))
    await everybodyElse()
    #expect(texts(room).joined().isEmpty, "it waits since the last change")
    room.chat.pass(.seconds(1))
    await until { texts(room).joined() == "hello!" }
    #expect(stored(room)?.content.text == "hello!")
    #expect(stored(room)?.selection == room.composer.composer.selection)
  }

  @Test(arguments: ComposerRecording.allCases)
  func `shows that a user is typing, without the text`(recording: ComposerRecording) async throws {
    let room = try await room(recording)
    try room.type("a")
    let first = room.chat.now
    #expect(stored(room)?.typed == first)
    for _ in 0..<4 {
      room.chat.pass(.seconds(1))
      try room.type("b")
    }
    #expect(try #require(stored(room)?.typed) >= first + .seconds(3))
    if recording != .keystrokes { #expect(texts(room).joined().isEmpty) }
    // Without typing events in the channel there is nothing to show.
    var config = ChannelConfig()
    config.off = [.typingEvents]
    let quiet = try await Room(config) { $0.recording = recording }
    try quiet.type("a")
    if recording != .keystrokes { #expect(quiet.chat.state[quiet.composer.key]?.typed == nil) }
  }

  @Test(arguments: ComposerRecording.allCases)
  func `does not change what is sent, edited and undone`(recording: ComposerRecording) async throws {
    let room = try await room(recording)
    try room.type("one two")
    try room.composer.perform(.undo)
    try room.composer.perform(.redo)
    #expect(room.text == "one two")
    try await room.composer.send()
    let said = try #require(room.sent.last)
    try room.composer.perform(.beginEdit(#require(room.chat.state[said])))
    try room.type(" three")
    try await room.composer.send()
    #expect(room.chat.state[said]?.content.text == "one two three")
    #expect(room.text.isEmpty)
    #expect(stored(room)?.content.text == "")
  }

  @Test func `of pauses loses what was typed since the last pause with the process`() async throws {
    let room = try await room(.pauses)
    try room.type("kept")
    try await room.composer.flush()
    try room.type(" lost")
    let next = try await room.afterKill()
    #expect(next.text == "kept")
  }

  @Test func `of drafts has no content, and a draft when typing pauses`() async throws {
    let room = try await room(.drafts)
    try room.type("my words")
    try room.composer.perform(.setSilent(true))
    try room.composer.perform(.attach(Attachment("a1", .file, at: .url("https://example.org/x"), title: "words.txt")))
    #expect(room.draft == nil)
    room.chat.pass(ComposerRecording.pause)
    await until { room.draft == "my words" }
    #expect(room.chat.state[room.composer.key.draft]?.content == room.content)
    #expect(!"\(room.done)".contains("word"))
    #expect(stored(room)?.content == Composition())
    #expect(stored(room)?.isTouched == false)
    // After a kill it is filled from the draft.
    try room.type(" and more")
    let next = try await room.afterKill()
    #expect(next.text == "my words")
    #expect(next.composer.content.attachments.count == 1)
  }

  // What broke: leaving and flushing returned, and the content was in no file.
  @Test func `of drafts reports a draft that is refused, and keeps the content`() async throws {
    let room = try await room(.drafts)
    try room.type("my words")
    try room.chat.submit([.channel("general", .delete)], by: .user("ada"))
    let refused = SendRefusal.refused(.channelDeleted("general"))
    let saves: [@MainActor (LiveComposer) async throws -> Void] = [{ try await $0.flush() }, { try await $0.leave() }]
    for save in saves {
      await #expect { try await save(room.composer) } throws: { error in
        if case .notSent(refused)? = error as? ComposerError { true } else { false }
      }
      #expect(room.text == "my words" && room.composer.composer.isOpen)
      #expect(room.composer.notice == .notSent(refused))
    }
    // There is nothing to lose once it is empty.
    try room.composer.perform(.clear)
    try await room.composer.leave()
    #expect(!room.composer.composer.isOpen)
  }

  @Test func `of drafts with drafts disabled has nothing`() async throws {
    let room = try await room(.drafts, drafts: false)
    try room.type("my words")
    try await room.composer.flush()
    try await room.composer.leave()
    #expect(room.draft == nil)
    #expect(!"\(room.chat.events)".contains("words"))
  }

  @Test(arguments: ComposerRecording.allCases)
  func `saves the draft on leaving, and deletes it when the composer is emptied`(
    recording: ComposerRecording
  ) async throws {
    let room = try await room(recording)
    try room.type("later")
    try await room.composer.leave()
    #expect(room.draft == "later")
    try await room.composer.open()
    #expect(room.text == "later")
    try room.composer.perform(.clear)
    try await room.composer.flush()
    #expect(room.draft == nil)
    #expect(try await room.afterKill().text.isEmpty)
  }

  @Test(arguments: ["", "!"])
  func `of pauses has mentions, also where the text is the same without one`(end: String) async throws {
    let room = try await room(.pauses)
    try room.type("hi @bo")
    try await room.pick()
    try await room.composer.flush()
    #expect(stored(room)?.content == room.content)
    #expect(room.content.mentions.map(\.user) == ["bo"])
    let text = room.text
    try room.composer.perform(.setText(""))
    try room.composer.perform(.type(text + end))
    #expect(room.content.mentions.isEmpty)
    try await room.composer.flush()
    #expect(stored(room)?.content == room.content)
  }

  @Test func `of pauses folds to the composer, whatever was done`() async throws {
    var random = SeededRandom.printingSeed()
    for _ in 0..<40 {
      let room = try await room(.pauses, drafts: false)
      let said = try room.say(Message.Content("said before"))
      for _ in 0..<60 {
        try? act(&random, on: room, said)
        if random.once(in: 8) {
          try await room.composer.flush()
          let live = room.composer.composer
          let stored = try #require(self.stored(room))
          #expect(stored.content == live.content)
          #expect(stored.selection == live.selection)
          #expect(stored.state == live.state && stored.editing == live.editing && stored.aside == live.aside)
        }
        room.chat.pass(.milliseconds(random.below(1500)))
      }
      try await room.composer.leave()
    }
  }

  private func act(_ random: inout SeededRandom, on room: Room, _ said: Message) throws {
    let composer = room.composer
    let end = composer.text.utf16.count
    let (from, to) = (random.below(end + 1), random.below(end + 1))
    let range = min(from, to)..<max(from, to)
    switch random.below(16) {
    case 0: try composer.perform(.moveSelection(range))
    case 1, 2: try composer.perform(.backspace)
    case 3: try composer.perform(.replace(range, with: random.pick(["", "x", "👍🏽", "two words", "e\u{301}"])))
    case 4: try composer.perform(.undo)
    case 5: try composer.perform(.redo)
    case 6: try composer.perform(.quote(said.key.id))
    case 7: try composer.perform(random.bool() ? .beginEdit(said) : .cancelEdit)
    case 8: try composer.perform(.setSilent(random.bool()))
    case 9: try composer.perform(.clear)
    case 10: try composer.perform(.showCommands(random.bool()))
    default:
      for letter in random.pick(["a", "hello ", "@", "🇩🇪", "z"]) { try composer.perform(.type(String(letter))) }
    }
  }
}

extension Microseconds {
  fileprivate static func milliseconds(_ count: Int) -> Microseconds { Microseconds(rawValue: Int64(count) * 1000) }
}

extension Room {
  fileprivate var draft: String? { chat.state[composer.key.draft]?.content?.text.userText.string }
}
