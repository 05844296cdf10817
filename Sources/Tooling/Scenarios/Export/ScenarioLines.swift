// The lines of a scenario that is being written.
internal import Chat
internal import JSONLines

/// The lines of a scenario after the first, each with the target that it needs.
struct ScenarioLines {
  /// The time after which the next line sets the clock.
  private static let pause = Microseconds(rawValue: 3_000_000)

  private(set) var all: [[JSON.Member]] = []
  private let channel: Channel.ID
  /// The clock of the scenario.
  private var now: Timestamp?
  // The target, as a player has it.
  private var user: User.ID?
  private var device: Device.ID = "phone"
  private var thread: Message.ID?
  /// The composer of the last line, if that line typed text.
  private var typing: Composer.Key?

  init(in channel: Channel.ID) { self.channel = channel }

  /// Sets the time at which the scenario begins.
  mutating func begin(at instant: Timestamp) { now = instant }

  /// Sets the clock, if much time has passed.
  mutating func pass(to instant: Timestamp) {
    if let now, instant < now + Self.pause { return }
    if now != nil { add("clock", .string(instant.description)) }
    now = instant
  }

  /// Adds a line of a user; of the app without one.
  mutating func add(
    _ verb: String, _ value: JSON, _ others: [(String, JSON)] = [], by user: User.ID?, thread: Message.ID? = nil
  ) {
    add(verb, value, others, target: target(user ?? self.user, device, thread))
  }

  /// Adds a line in a composer.
  mutating func add(_ verb: String, _ value: JSON, _ others: [(String, JSON)] = [], at key: Composer.Key) {
    add(verb, value, others, target: target(key.user, key.device, key.thread))
    if verb == "type" { typing = key }
  }

  /// Adds a line without a target.
  mutating func add(
    _ verb: String, _ value: JSON, _ others: [(String, JSON)] = [], target: [JSON.Member] = []
  ) {
    typing = nil
    all.append(target + ([(verb, value)] + others).map { JSON.Member(key: $0.0, value: $0.1) })
  }

  /// Adds an expectation of what a user sees in the channel.
  mutating func expect(_ name: String, _ value: JSON, by user: User.ID) {
    add("expect", .object([JSON.Member(key: name, value: value)]), by: user)
  }

  /// Adds an expectation of a composer.
  mutating func expect(_ name: String, _ value: JSON, at key: Composer.Key) {
    add("expect", .object([JSON.Member(key: name, value: value)]), at: key)
  }

  mutating func extendTyped(_ text: String, at key: Composer.Key) -> Bool {
    guard typing == key, let last = all.last, case .string(let before)? = last.last?.value else { return false }
    all[all.count - 1] = last.dropLast() + [JSON.Member(key: "type", value: .string(before + text))]
    return true
  }

  /// Returns the keys that change the target to a place, and changes it.
  private mutating func target(_ user: User.ID?, _ device: Device.ID, _ thread: Message.ID?) -> [JSON.Member] {
    var keys: [JSON.Member] = []
    func key(_ name: String, _ text: String) -> JSON.Member { JSON.Member(key: name, value: .string(text)) }
    if let user, user != self.user {
      keys.append(key("as", user.text))
      (self.user, self.device) = (user, "phone")
    }
    if device != self.device {
      keys.append(key("device", device.text))
      self.device = device
    }
    if thread != self.thread {
      // A channel resets the thread.
      keys.append(thread.map { key("thread", $0.text) } ?? key("in", channel.text))
      self.thread = thread
    }
    return keys
  }
}
