// `verbatim query recipients` and `presence`: queries of the app itself, which no user may run.
internal import Chat
internal import ChatProjections
internal import JSONLines
internal import Projections
internal import Terminal
internal import Verbatim

/// The query for the users who are to be notified of a message.
struct RecipientsCommand: Command {
  static let name = "recipients"
  static let summary = "Shows the users who are to be notified of a message, with the reason and their devices."
  static let details = """
    It has no --as: it is a query of the app, as recipients(of:) of a workspace, and names users who mute or
    read nothing. The reason is mention, group, quote, thread or channel; of several, the first of these.

    --json: recipients, each with user, reason, devices (key, info, added).
    """
  static let examples = ["verbatim query recipients chat general m1"]

  static var parameters: [Parameter<Self>] {
    [
      .positional("DIR", "The directory of the workspace, or its address on a server.", \.path),
      .positional("CHANNEL", "The channel.", \.channel),
      .positional("MESSAGE", "The message.", \.message),
      .flag("json", "Shows the result as one line of JSON.", \.isJSON),
    ]
  }

  var path = ""
  var channel: Channel.ID = "general"
  var message: Message.ID = "m1"
  var isJSON = false

  func run(in context: Context) throws(Failure) -> ExitCode {
    let key = Message.Key(channel, message)
    let found = try asked(path, in: context) { workspace throws(ProjectionError) in
      try await workspace.recipients(of: key)
    }
    let rows = found.map { [$0.user.text, $0.reason.words, $0.devices.map(\.key.id.text).joined(separator: ", ")] }
    let table = TextTable([.init("user", style: .bold), .init("reason"), .init("devices", isCut: true)], rows)
    return try context.show(table, found, as: "recipients", nothing: "Nobody is to be notified.", isJSON: isJSON)
  }
}

/// The query for the presence of users.
struct PresenceCommand: Command {
  static let name = "presence"
  static let summary = "Shows who is online, and when users were last seen."
  static let details = """
    It has no --as: it is a query of the app, which also shows the presence of users to those whom they block.

    --json: presence, each with user, isOnline, lastSeen (absent for a user who was never online).
    """
  static let examples = ["verbatim query presence chat", "verbatim query presence chat ada ben --json"]

  static var parameters: [Parameter<Self>] {
    [
      .positional("DIR", "The directory of the workspace, or its address on a server.", \.path),
      .positionals("USER", "A user; default all users who were ever online.", \.users).optional,
      .option("time-zone", "ZONE", "The time zone of shown times, as Europe/Berlin; default this machine's.", \.zone),
      .flag("json", "Shows the result as one line of JSON.", \.isJSON),
    ]
  }

  var path = ""
  var users: [User.ID] = []
  var zone: Zone?
  var isJSON = false

  func run(in context: Context) throws(Failure) -> ExitCode {
    let users = users
    let found = try asked(path, in: context) { workspace throws(ProjectionError) in
      if !users.isEmpty { return await workspace.presences(of: users) }
      return await workspace.presences(of: try await workspace.userIDs()).filter { $0.lastSeen != nil }
    }
    let times = Times(zone)
    let rows = found.map { presence in
      [presence.user.text, presence.isOnline ? "online" : "", presence.lastSeen.map { times($0) } ?? "never"]
    }
    let table = TextTable([.init("user", style: .bold), .init(""), .init("last seen")], rows)
    return try context.show(table, found, as: "presence", nothing: "Nobody was ever online.", isJSON: isJSON)
  }
}

/// The presence of one user.
private struct UserPresence: Sendable {
  let user: User.ID
  let isOnline: Bool
  let lastSeen: Timestamp?
}

extension Workspace {
  /// Returns the ids of all users, in their order.
  fileprivate func userIDs() async throws(ProjectionError) -> [User.ID] {
    do {
      return try await read { reading in try reading.chat.users(matching: "", limit: .max) }.map(\.id).sorted()
    } catch let error as ProjectionError {
      throw error
    } catch {
      preconditionFailure("reading threw \(error)")
    }
  }

  /// Returns the presence of users, in the given order.
  fileprivate func presences(of users: [User.ID]) async -> [UserPresence] {
    let presences = await presence(of: users)
    return users.map { user in
      let presence = presences[user] ?? .unknown
      return UserPresence(user: user, isOnline: presence.isOnline, lastSeen: presence.lastSeen)
    }
  }
}

/// Opens an existing workspace, runs a query of the app, and closes the workspace.
private func asked<R: Sendable>(
  _ path: String, in context: Context, _ query: @escaping @Sendable (Workspace) async throws(ProjectionError) -> R
) throws(Failure) -> R {
  var configuration = context.readingConfiguration
  configuration.searchesMessages = false
  let workspace = try openWorkspace(path, configuration, in: context)
  defer { workspace.closeBlocking() }
  return try waited { () async throws(Failure) in
    do throws(ProjectionError) { return try await query(workspace) } catch {
      throw Failure(.unable, error.description)
    }
  }
}

extension Context {
  /// Prints a table, or its items as one line of JSON.
  fileprivate func show<Item>(
    _ table: TextTable, _ items: [Item], as key: String, nothing: String, isJSON: Bool
  ) throws(Failure) -> ExitCode {
    var output = Output(self.output)
    if isJSON {
      var writer = JSONWriter()
      writer.object { writer in writer.member(key, JSON.array(items.map { JSON(of: $0) })) }
      try output.write(writer.text + "\n")
    } else {
      let lines = items.isEmpty ? [nothing] : Answer.Text.table(table).lines(for: self.output)
      try output.write(styled: lines.map { $0 + "\n" }.joined())
    }
    try output.flush()
    return .done
  }
}

extension Recipient.Reason {
  /// The reason in one word; for a mentioned group, its mention.
  fileprivate var words: String {
    switch self {
    case .mention: "mention"
    case .group(.channel): "@channel"
    case .group(.here): "@here"
    case .group(.role(let role)): "@role:\(role)"
    case .quote: "quote"
    case .thread: "thread"
    case .channel: "channel"
    }
  }
}
