// Users who write on two devices each, with drafts on: a draft left on one is continued on any of them.
import ChatSamples
import SeededRandom
import Testing
import Verbatim
import VerbatimUI

/// A workspace in which users write concurrently.
@MainActor
final class DraftTown {
  let workspace: Workspace
  /// The number of messages sent from restored drafts, as known to the users.
  fileprivate(set) var sends = 0
  /// The number of times when nothing was left to send.
  fileprivate(set) var vain = 0
  fileprivate let people: [User.ID] = (0..<20).map { ID(stringLiteral: "p\($0)") }
  fileprivate let channels: [Channel.ID] = (0..<5).map { ID(stringLiteral: "c\($0)") }
  private let folder = WorkspaceFolder()

  init() throws {
    workspace = try folder.open {
      $0.draftMessagesEnabled = true
      $0.searchesMessages = false
      $0.snapshotDistance = 500
    }
  }

  /// Adds all users to all channels, each of which has a thread.
  func populate() async throws {
    var intents = people.map { ChatIntent.user($0, .create(User.Profile(name: "Somebody"))) }
    for id in channels {
      intents.append(.channel(id, .create("team", Channel.Profile(), ChannelConfig(), members: [])))
      intents += people.map { .member(Member.Key(id, $0), .add(.member)) }
    }
    try await workspace.submit(intents, by: .system)
    for id in channels {
      let parent = Message.Key(id, "parent")
      try await workspace.submit(.message(parent, .send(Message.Content("parent"))), by: .user(people[0]))
    }
  }

  /// Lets all users write until `count` messages were sent from drafts, or every user has stopped.
  func live(until count: Int, _ random: inout SeededRandom) async throws {
    let lives = people.map { user in
      let person = Person(user, in: self, SeededRandom(seed: random.next()))
      return Task { try await person.live(until: count) }
    }
    for life in lives { try await life.value }
  }
}

/// A user of the town.
@MainActor
private struct Person {
  private let user: User.ID
  private let town: DraftTown
  private var random: SeededRandom
  private var number = 0
  private var sent: [Message.Key] = []
  /// The user's present channel, thread and device.
  private var place: (channel: Channel.ID, thread: Message.ID?) = ("c0", nil)
  private var device: Device.ID = "desk"

  init(_ user: User.ID, in town: DraftTown, _ random: SeededRandom) {
    (self.user, self.town, self.random) = (user, town, random)
  }

  func live(until count: Int) async throws {
    var person = self
    for _ in 0..<count where town.sends < count { try await person.doSomething() }
  }

  /// Goes to a random composer, and does a random step there.
  private mutating func doSomething() async throws {
    place = (town.channels[random.below(town.channels.count)], random.below(2) == 0 ? nil : "parent")
    device = random.below(2) == 0 ? "desk" : "phone"
    let composer = try await composer()
    if composer.composer.isTouched {
      // It was not left the last time.
      let sends = composer.canSend && random.below(2) == 0
      sends ? try await send(composer, isFilled: false) : try await composer.leave()
    } else if composer.composer.content.hasContent {
      try await goOn(composer)
    } else {
      try await begin(composer)
    }
  }

  private func composer(other: Bool = false) async throws -> LiveComposer {
    let device: Device.ID = (device == "desk") == other ? "phone" : "desk"
    return try await town.workspace.client(user: user, device: device).channel(place.channel)
      .composer(thread: place.thread)
  }

  /// Types a unique text.
  private mutating func type(in composer: LiveComposer) throws {
    number += 1
    try composer.perform(.type("\(user) \(number). "))
  }

  private mutating func send(_ composer: LiveComposer, isFilled: Bool) async throws(ComposerError) {
    do throws(ComposerError) {
      guard case .message(let id) = try await composer.send() else { return }
      sent.append(Message.Key(place.channel, id))
      if isFilled { town.sends += 1 }
    } catch .notSent(.empty) {
      // The draft was being deleted on the other device, which cleared the restored text.
      town.vain += 1
    }
  }

  private mutating func begin(_ composer: LiveComposer) async throws {
    try type(in: composer)
    if random.once(in: 10) { try composer.perform(.quote("parent")) }
    switch random.below(20) {
    case 0: try await send(composer, isFilled: false)
    case 1: try composer.perform(.clear)
    case 2: break
    default: try await composer.leave()
    }
  }

  /// Continues with a restored draft.
  private mutating func goOn(_ composer: LiveComposer) async throws {
    // A quote alone is a draft, but no message.
    if !composer.canSend { try type(in: composer) }
    switch random.below(40) {
    case 0..<18: try await send(composer, isFilled: true)
    case 18..<23:
      try type(in: composer)
      try await send(composer, isFilled: true)
    case 23..<26:
      try type(in: composer)
      try await composer.leave()
    case 26:
      try composer.perform(.clear)
      if random.below(2) == 0 { try await composer.leave() }
    case 27: try composer.perform(.setText(""))
    case 28..<30:
      try composer.perform(.quote("parent"))
      random.below(2) == 0 ? try await composer.leave() : try await send(composer, isFilled: true)
    case 30..<33: try await edit(composer)
    case 33..<35: try await mute(composer)
    case 35..<37: try await discard(composer)
    default: try await writeOnBoth(composer)
    }
  }

  /// Begins to edit a message, with the restored text set aside.
  private mutating func edit(_ composer: LiveComposer) async throws {
    guard let key = sent.last(where: { $0.channel == place.channel }),
      let message = try await town.workspace.read({ try $0.chat.message(key) })
    else { return }
    try composer.perform(.beginEdit(message))
    try type(in: composer)
    switch random.below(4) {
    case 0: try await composer.send()
    case 1: try composer.perform(.cancelEdit)
    default: return try await composer.leave()
    }
    try await send(composer, isFilled: true)
  }

  /// Executes a command instead of sending a message.
  private mutating func mute(_ composer: LiveComposer) async throws {
    let other = town.people.filter { $0 != user }[random.below(town.people.count - 1)]
    try composer.perform(.activate("mute"))
    try composer.perform(.target(other))
    try composer.perform(.setText("1h"))
    try await composer.send()
  }

  /// Deletes the draft in the list of drafts, with or without further text in the composer.
  private mutating func discard(_ composer: LiveComposer) async throws {
    if random.below(2) == 0 { try type(in: composer) }
    let delete = Draft.Intent.delete(.discarded, editedAt: town.workspace.now)
    try await town.workspace.submit(.draft(composer.key.draft, delete), by: .user(user, on: device))
    if random.below(2) == 0 { try await composer.leave() }
  }

  /// Sends on one device while the restored text is left on the other, with or without further text.
  private mutating func writeOnBoth(_ composer: LiveComposer) async throws {
    let other = try await self.composer(other: true)
    if random.below(2) == 0 { try type(in: other) }
    async let left: Void = other.leave()
    for _ in 0..<random.below(8) { await Task.yield() }
    try await send(composer, isFilled: true)
    try await left
  }
}
