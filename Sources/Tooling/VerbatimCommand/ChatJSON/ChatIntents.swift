// Reads intents from JSON: the key of a row under its kind, and the intent under its name.
internal import Chat
internal import JSONLines

/// The values that an intent in JSON may leave out.
struct IntentDefaults {
  /// The user of a key without `user`; nil for the app, which must name one.
  let user: User.ID?
  /// Returns the id of a sent message without `id`.
  let message: () -> Message.ID
  /// Returns the instant of the change of a draft without `editedAt`; nil where it is required.
  let editedAt: () -> Timestamp?
}

extension ChatIntent {
  /// The kinds of rows that an intent can change.
  private static let kinds = NamedIntent.names.map(\.kind)

  /// Reads an intent from an object: `{"message":{"channel":"general"},"send":{"text":"Hello"}}`.
  init(json: JSON, of what: String, _ defaults: IntentDefaults) throws(InputDefect) {
    guard case .object(let members) = json else { throw json.mismatch(what, "an object") }
    try self.init(members, of: what, defaults)
  }

  /// Reads an intent from the members of an object: a kind with a key, and a name with values.
  init(_ members: [JSON.Member], of what: String, _ defaults: IntentDefaults) throws(InputDefect) {
    if members.contains(where: { $0.key == "composer" }) {
      throw InputDefect("“composer” of \(what) cannot be submitted: use “draft”, or `verbatim compose`.")
    }
    let kinds = members.filter { Self.kinds.contains($0.key) }
    let actions = members.filter { !Self.kinds.contains($0.key) }
    guard let kind = kinds.first else {
      let advice = actions.compactMap { nearest(to: $0.key, among: Self.kinds) }.first.map { "did you mean “\($0)”?" }
      throw InputDefect("\(what.sentenceStart) has no row: \(advice ?? "add one of \(Self.kinds.words).")")
    }
    guard kinds.count == 1, actions.count == 1, let action = actions.first else {
      let keys = members.map { "“\($0.key)”" }.joined(separator: ", ")
      throw InputDefect(
        "\(what.sentenceStart) must have one row and one intent and has \(keys): write each intent in an object.")
    }
    var named = NamedIntent(kind.key, try ObjectReader(action.value, what: "“\(action.key)”"), action.key, defaults)
    self = try named.intent(on: kind.value)
    try named.values.finish()
  }
}

extension [String] {
  fileprivate var words: String { map { "“\($0)”" }.joined(separator: ", ") }
}

extension String {
  /// The text with its first letter in upper case.
  fileprivate var sentenceStart: String { prefix(1).uppercased() + dropFirst() }
}

/// The name and the values of an intent, read one by one.
private struct NamedIntent {
  /// The kinds of rows, each with the names of its intents.
  static let names: [(kind: String, intents: [String])] = [
    ("user", ["create", "change", "changeRole", "deactivate", "reactivate"]), ("device", ["add", "remove"]),
    ("mute", ["begin", "end"]), ("ban", ["impose", "lift"]), ("flag", ["raise"]),
    ("channel", ["create", "change", "configure", "setSlowMode", "freeze", "unfreeze", "truncate", "delete"]),
    ("member", ["add", "remove", "leave", "changeRole", "read", "receive", "markUnread", "hide", "show"] + joining),
    (
      "message",
      [
        "send", "edit", "delete", "restore", "pin", "unpin", "acknowledge", "fail", "retry", "sendEphemeral",
        "shuffleEphemeral", "cancelEphemeral", "forward", "openPoll", "addPollOption", "closePoll",
      ]
    ),
    ("reaction", ["add", "remove"]), ("draft", ["update", "delete"]), ("app", ["record"]),
    ("consumer", ["begin", "advance", "skip", "end"]), ("block", ["begin", "end"]),
    ("review", ["claim", "release", "resolve"]), ("savedMessage", ["save", "remove", "remind"]),
    ("scheduledMessage", ["schedule", "cancel", "deliver"]), ("thread", ["read", "markUnread"]), ("vote", ["cast"]),
  ]

  private static let joining = ["invite", "join", "decline", "pin", "unpin", "archive", "unarchive"]

  let kind: String
  var values: ObjectReader
  let name: String
  let defaults: IntentDefaults

  init(_ kind: String, _ values: ObjectReader, _ name: String, _ defaults: IntentDefaults) {
    (self.kind, self.values, self.name, self.defaults) = (kind, values, name, defaults)
  }

  mutating func intent(on key: JSON) throws(InputDefect) -> ChatIntent {
    guard Self.names.contains(where: { $0.kind == kind && $0.intents.contains(name) }) else { throw unknown }
    if kind == "user" { return .user(try User.ID(json: key, of: "“user”"), try user()) }
    if kind == "channel" { return .channel(try Channel.ID(json: key, of: "“channel”"), try channel()) }
    if kind == "consumer" { return .consumer(try Consumer.ID(json: key, of: "“consumer”"), try consumer()) }
    var key = KeyReader(try ObjectReader(key, what: "“\(kind)”"), defaults, isSent: isSending)
    let intent: ChatIntent =
      switch kind {
      case "device": .device(try key.device(), try device())
      case "mute": .mute(try key.mute(), try mute())
      case "ban": .ban(try key.ban(), try ban())
      case "flag": .flag(try key.flag(), try flag())
      case "member": .member(try key.member(), try member())
      case "message": .message(try key.message(), try message())
      case "reaction": .reaction(try key.reaction(), try reaction())
      case "draft": .draft(try key.draft(), try draft())
      case "block": .block(try key.block(), name == "begin" ? .begin : .end)
      case "review": .review(try key.review(), try review())
      case "savedMessage": .saved(try key.saved(), try saved())
      case "scheduledMessage": .scheduled(try key.scheduled(), try scheduled())
      case "thread": .thread(try key.thread(), try thread())
      case "vote": .vote(try key.vote(), .cast(try values.forms("options") ?? []))
      default: .app(try key.subject(), try app())
      }
    try key.members.finish()
    return intent
  }

  /// Whether the intent sends a message, whose id may be left out.
  private var isSending: Bool {
    kind == "message" && ["send", "forward"].contains(name) || kind == "scheduledMessage" && name == "schedule"
  }

  private var unknown: InputDefect {
    let known = Self.names.first { $0.kind == kind }?.intents ?? []
    let advice = nearest(to: name, among: known).map { "did you mean “\($0)”?" }
    return InputDefect("“\(name)” is not an intent on “\(kind)”: \(advice ?? "use \(known.joined(separator: ", ")).")")
  }

  private mutating func expiry() throws(InputDefect) -> Expiry { Expiry(until: try values.form("until")) }

  private mutating func consumer() throws(InputDefect) -> Consumer.Intent {
    switch name {
    case "begin": .begin(after: try values.needed("after"))
    case "advance": .advance(through: try values.needed("through"))
    case "skip": .skip(through: try values.needed("through"))
    case "end": .end
    default: throw unknown
    }
  }

  // MARK: People

  private mutating func user() throws(InputDefect) -> User.Intent {
    switch name {
    case "create": .create(try User.Profile(takenFrom: &values))
    case "change": .change(try User.Profile(takenFrom: &values))
    case "changeRole": .changeRole(try values.needed("role"))
    case "deactivate": .deactivate
    case "reactivate": .reactivate
    default: throw unknown
    }
  }

  private mutating func device() throws(InputDefect) -> Device.Intent {
    switch name {
    case "add": .add(try Device.Info(takenFrom: &values))
    case "remove": .remove
    default: throw unknown
    }
  }

  private mutating func mute() throws(InputDefect) -> Mute.Intent {
    switch name {
    case "begin": .begin(try expiry())
    case "end": .end
    default: throw unknown
    }
  }

  private mutating func ban() throws(InputDefect) -> Ban.Intent {
    switch name {
    case "impose": .impose(try expiry(), reason: try values.form("reason"))
    case "lift": .lift
    default: throw unknown
    }
  }

  private mutating func flag() throws(InputDefect) -> Flag.Intent {
    .raise(reason: try values.form("reason"))
  }

  // MARK: Channels

  private mutating func channel() throws(InputDefect) -> Channel.Intent {
    switch name {
    case "create":
      .create(
        try values.form("kind") ?? "team", try Channel.Profile(takenFrom: &values),
        try values.form("config") ?? ChannelConfig(), members: try values.forms("members") ?? [])
    case "change": .change(try Channel.Profile(takenFrom: &values))
    case "configure": .configure(try ChannelConfig(takenFrom: &values))
    case "setSlowMode": .setSlowMode(try values.needed("seconds"))
    case "freeze": .freeze
    case "unfreeze": .unfreeze
    case "truncate": .truncate(through: try values.form("through"))
    case "delete": .delete
    default: throw unknown
    }
  }

  private mutating func member() throws(InputDefect) -> Member.Intent {
    switch name {
    case "add": .add(try values.form("role") ?? .member)
    case "remove": .remove
    case "leave": .leave
    case "changeRole": .changeRole(try values.needed("role"))
    case "read": .read(through: try values.needed("through"))
    case "receive": .receive(through: try values.needed("through"))
    case "markUnread": .markUnread(from: try values.needed("from"))
    case "hide": .hide
    case "show": .show
    case "invite": .invite(try values.form("role") ?? .member)
    case "join": .join
    case "decline": .decline
    case "pin": .pin
    case "unpin": .unpin
    case "archive": .archive
    case "unarchive": .unarchive
    default: throw unknown
    }
  }

  // MARK: Messages

  private mutating func message() throws(InputDefect) -> Message.Intent {
    switch name {
    case "send": .send(try Message.Content(takenFrom: &values))
    case "edit": .edit(try Message.Edits(takenFrom: &values))
    case "delete": .delete(forGood: try values.form("forGood") ?? false)
    case "restore": .restore
    case "pin": .pin(try expiry())
    case "unpin": .unpin
    case "acknowledge": .acknowledge
    case "fail": .fail(reason: try values.needed("reason"))
    case "retry": .retry
    case "sendEphemeral": .sendEphemeral
    case "shuffleEphemeral": .shuffleEphemeral(try values.required("attachments", try values.forms("attachments")))
    case "cancelEphemeral": .cancelEphemeral
    case "forward": .forward(try values.needed("source"))
    case "openPoll":
      .openPoll(
        try values.required("options", try values.forms("options")), try Poll.Rules(takenFrom: &values))
    case "addPollOption": .addPollOption(try Poll.Option(takenFrom: &values))
    case "closePoll": .closePoll
    default: throw unknown
    }
  }

  private mutating func reaction() throws(InputDefect) -> Reaction.Intent {
    switch name {
    case "add": .add(try values.needed("kind"), score: try values.form("score") ?? 1)
    case "remove": .remove(try values.needed("kind"))
    default: throw unknown
    }
  }

  // MARK: Reviews, saved and scheduled messages

  private mutating func review() throws(InputDefect) -> Review.Intent {
    switch name {
    case "claim": .claim
    case "release": .release
    case "resolve": .resolve(try values.form("outcome") ?? .dismissed, note: try values.form("note"))
    default: throw unknown
    }
  }

  private mutating func saved() throws(InputDefect) -> SavedMessage.Intent {
    switch name {
    case "save": .save(note: try values.form("note"), remindAt: try values.form("remindAt"))
    case "remove": .remove
    case "remind": .remind
    default: throw unknown
    }
  }

  private mutating func scheduled() throws(InputDefect) -> ScheduledMessage.Intent {
    switch name {
    case "schedule": .schedule(try values.needed("content"), at: try values.needed("at"))
    case "cancel": .cancel
    case "deliver": .deliver
    default: throw unknown
    }
  }

  private mutating func thread() throws(InputDefect) -> ThreadMarker.Intent {
    switch name {
    case "read": .read(through: try values.needed("through"))
    case "markUnread": .markUnread(from: try values.needed("from"))
    default: throw unknown
    }
  }

  // MARK: Drafts and the app

  private mutating func draft() throws(InputDefect) -> Draft.Intent {
    let editedAt: Timestamp? = try values.form("editedAt")
    let at = try values.required("editedAt", editedAt ?? defaults.editedAt())
    switch name {
    case "update": return .update(try values.needed("content"), editedAt: at)
    case "delete":
      let reason: Draft.DeletionReason = try values.form("reason") ?? .discarded
      return .delete(reason, editedAt: at)
    default: throw unknown
    }
  }

  private mutating func app() throws(InputDefect) -> AppEvent {
    AppEvent(
      try values.needed("name"), version: try values.form("version") ?? 1, payload: try values.payloadBytes())
  }
}

extension Draft.DeletionReason: JSONForm {
  var json: JSON { .string("\(self)") }

  init(json: JSON, of what: String) throws(InputDefect) {
    let name = try json.string(of: what)
    guard let reason = Self.allCases.first(where: { "\($0)" == name }) else {
      throw JSON.unknown(name, what, Self.allCases.map { "\($0)" })
    }
    self = reason
  }
}
