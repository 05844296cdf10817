// `verbatim export-person`: writes what a workspace holds of a person, for people and for programs.
internal import Chat
internal import ChatProjections
internal import Errors
internal import EventLog
internal import Files
internal import JSONLines
internal import Projections
internal import Verbatim

/// The command that writes what a workspace holds of a person.
struct ExportPersonCommand: Command {
  static let name = "export-person"
  static let summary = "Writes what a workspace holds of a person, with attachments, into a new directory."
  static let details = """
    index.html shows the person's messages, by channel. person.json has the present state: user,
    memberships, messages, drafts, unsent (contents of composers), saved, scheduled, mutes, blocked. events.jsonl
    has every event that the person caused or that is about them, as `verbatim events --json` shows it, also
    of messages that were edited or deleted since. attachments/ has the contents of the attached files, by
    the id in their address.

    Words and attachments of others are left out, and ids stay: what the person forwarded, which is its
    author's; messages of others that the person edited or opened for editing, and what was typed
    meanwhile; profiles and devices of others; options that others added to a poll. The event has the
    owner's id as contentOf. What others wrote about the person stays: reasons of bans and flags, notes of
    reviews. The exit code is 1 if an attachment is missing or damaged; the others are written.
    """
  static let examples = ["verbatim export-person chat ada ada-2026"]

  static var parameters: [Parameter<Self>] {
    [
      .positional("DIR", "The directory of the workspace, or its address on a server.", \.path),
      .positional("USER", "The person's user id.", \.user),
      .positional("TO", "The directory to create.", \.directory),
      .option("time-zone", "ZONE", "The time zone of shown times, as Europe/Berlin; default this machine's.", \.zone),
      .flag("json", "Reports one line of JSON.", \.isJSON),
    ]
  }

  var path = ""
  var user: User.ID = "ada"
  var directory = ""
  var zone: Zone?
  var isJSON = false

  func run(in context: Context) throws(Failure) -> ExitCode {
    var configuration = context.readingConfiguration
    configuration.searchesMessages = false
    let workspace = try openWorkspace(path, configuration, in: context)
    defer { workspace.closeBlocking() }
    let (user, zone, words) = (user, zone, context.words)
    var export = PersonExport(of: user)
    let position = try asked { () throws(LogError) in try workspace.store.head().position }
    let directory = try NewDirectory(at: directory)
    var events = try NewFile(at: directory.path + "/events.jsonl")
    var linesContext = context
    linesContext.output = events.descriptor
    var lines = try DecodedOutput(workspace.store, nil, true, in: linesContext)
    try forEachEvent(of: workspace.store.log, through: position, "events surveyed", in: context) { event in
      export.survey(event)
    }
    try forEachEvent(of: workspace.store.log, through: position, "events", in: context) { event throws(Failure) in
      if let added = export.add(event) { try lines.write(added.event, without: added.omitted) }
    }
    try lines.flush()
    let found = export
    let state = try waited { () async throws(Failure) in
      do {
        return try await workspace.read { try PersonState(of: found, $0.chat, at: workspace.now) }
      } catch {
        throw Failure(.unable, "\(error)")
      }
    }
    guard let state else {
      throw Failure(.refused, "There is no user \(user) in \(path): name a user who was created.")
    }
    try directory.write(state.json + "\n", to: "person.json")
    let (names, failures) = try copyAttachments(of: found, state, workspace, to: directory)
    try directory.write(state.page(words, zone, attachments: names), to: "index.html")
    try events.finish()
    try directory.finish()
    return try report(found, state, names.count, failures, in: context)
  }

  private func forEachEvent(
    of log: any Log, through position: Position, _ what: String, in context: Context,
    _ body: (RecordedEvent) throws(Failure) -> Void
  ) throws(Failure) {
    let progress = ProgressLine(what, in: context)
    defer { progress.end() }
    var chunks = try EventChunks(log, from: .first, to: position)
    while let chunk = try chunks.next() {
      for event in chunk { try body(event) }
      if let last = chunk.last { progress.reach(last.position.rawValue, of: position.rawValue) }
    }
  }

  /// Copies the contents of attachments; returns their file names by address, and the reasons for missing ones.
  private func copyAttachments(
    of export: PersonExport, _ state: PersonState, _ workspace: Workspace, to directory: borrowing NewDirectory
  ) throws(Failure) -> (names: [String: String], failures: [String]) {
    var (names, failures) = ([String: String](), [String]())
    if export.blobs.isEmpty { return (names, failures) }
    let path = directory.path
    try directory.makeDirectory("attachments")
    for id in export.blobs.sorted(by: { $0.text < $1.text }) {
      let name = "attachments/" + id.text + (state.fileExtensions[id] ?? "")
      switch try waited({ () async throws(Failure) in await workspace.copy(id, toFileAt: path + "/" + name) }) {
      case nil: names[id.url.string] = name
      case .notCopied(_, let reason):
        throw Failure(.unable, "\(path)/\(name) cannot be written (\(reason)): free space, or write it elsewhere.")
      case let error?: failures.append(error.description)
      }
    }
    return (names, failures)
  }

  private func report(
    _ export: PersonExport, _ state: PersonState, _ attachments: Int, _ failures: [String], in context: Context
  ) throws(Failure) -> ExitCode {
    if isJSON {
      var writer = JSONWriter()
      writer.object { writer in
        writer.member("events", export.count)
        writer.member("messages", state.messages.count)
        writer.members(attachments: attachments, missing: failures)
      }
      writer.endLine()
      try context.report(writer.text, ofCheck: true)
    } else {
      let counts = [
        counted(export.count, "event"), counted(state.messages.count, "message"), counted(attachments, "attachment"),
      ]
      let lines = ["\(directory) has what \(path) holds of \(user): \(counts.joined(separator: ", "))."] + failures
      try context.report(lines.map { $0 + "\n" }.joined(), ofCheck: true)
    }
    return failures.isEmpty ? .done : .refused
  }
}

extension Workspace {
  /// Copies a blob to a new file; returns the error that it meets.
  fileprivate func copy(_ id: Blob.ID, toFileAt path: String) async -> BlobError? {
    do throws(BlobError) { try await blobs.copy(id, toFileAt: path) } catch { return error }
    return nil
  }
}
