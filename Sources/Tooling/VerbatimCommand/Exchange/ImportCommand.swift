// `verbatim import`: creates a log from the lines of an export.
internal import Chat
internal import ChatCodec
internal import ContentKeys
internal import EventLog
internal import EventLogLMDB
internal import EventLogPostgres
internal import Files
internal import JSONLines
internal import Verbatim

/// The command that recreates an exported log, block for block.
struct ImportCommand: Command {
  static let name = "import"
  static let summary = "Creates a workspace or a log from an export."
  static let details = """
    All lines are checked before the first event is written: positions, stream versions, times, causes,
    append ids, names and sizes; for a workspace also that this program can read each event. A defect is
    reported with its line number. Then the blocks are written as they were, with the same chain hash,
    which is compared with that of the last line.

    Changed, moved or omitted lines give another chain hash: the import is refused with both hashes,
    unless --changed is given. An export whose last line has no hash is refused, too. Until all lines
    are checked, the blocks are kept in a temporary file beside DIR.

    --resume continues an interrupted import, if the existing log is a prefix of the lines. Contents of
    attachments are not in an export: copy `blobs/`, and the files `keys` and `master-key` of an erasable
    workspace.

    With --erasable, the export of a workspace that was not erasable becomes one that is: the content of
    its events is encrypted with new keys, and its chain is another one. Attachments that the events name
    are encrypted, too, and get other URLs: --attachments gives the workspace that has them. The exit code
    is 1 if some are missing, damaged, or named where the URL cannot be replaced: they are named at the end.
    """

  static let examples = [
    "verbatim import copy chat.jsonl", "verbatim import copy chat.jsonl --resume",
    "verbatim import erasable chat.jsonl --erasable --attachments chat",
  ]

  static var parameters: [Parameter<Self>] {
    [
      .positional("DIR", "The directory of the log, or an address on a server; it must not exist yet.", \.path),
      .positional("FILE", "The file to read; default, or -, standard input.", \.file).optional,
      .flag("resume", "Continues an interrupted import.", \.resumes),
      .flag("changed", "Imports changed lines, as another chain.", \.takesChanged),
      .flag("erasable", "Encrypts what people wrote, so that it can be erased.", \.isErasable),
      .option("attachments", "FROM", "The workspace that has the attachments to encrypt.", \.attachments),
      .flag("json", "Reports one line of JSON.", \.isJSON),
    ]
  }

  var path = ""
  var file = "-"
  var resumes = false
  var takesChanged = false
  var isErasable = false
  var attachments: String?
  var isJSON = false

  func contradiction() -> String? {
    if attachments != nil, !isErasable {
      return "--attachments is for --erasable: without it, copy the directory `blobs`."
    }
    if isErasable, PostgresAddress.isAddress(path) { return "--erasable is for a workspace in a directory." }
    return nil
  }

  func run(in context: Context) throws(Failure) -> ExitCode {
    DamageGuard.install(for: path, in: context)
    let there = try existingLog(in: context)
    InterruptFlag.install(in: context)
    let input = file == "-" ? InputFile(context.input) : try InputFile(file: file)
    var spool = try BlockSpool(beside: path)
    var survey = ContentSurvey()
    // Encrypted blocks are compared with those of an interrupted import when they are written.
    var lines = try check(input, against: isErasable ? nil : there, keeping: &spool, &survey, in: context)
    var blobs: EncryptedBlobCopies?
    if isErasable {
      let server = try requireAttachments(survey.blobs, in: context)
      defer { server?.close() }
      blobs = attachments.map { EncryptedBlobCopies(from: $0, on: server, into: path) }
      lines.head = try encrypt(spool, of: lines, behind: there, survey.edited, &blobs, in: context)
    } else {
      try write(spool, of: lines, behind: there, in: context)
    }
    try context.report(isJSON ? lines.json(blobs) : lines.text(path, blobs), ofCheck: true)
    return blobs?.failures.isEmpty != false ? .done : .refused
  }

  /// Throws if there is no place that has the blobs that the events name; returns their log, if it is on a server.
  private func requireAttachments(_ names: Set<Blob.ID>, in context: Context) throws(Failure) -> (any Log)? {
    guard let attachments else {
      if names.isEmpty { return nil }
      throw Failure(
        .misused,
        "The events name \(counted(names.count, "attachment")), to be encrypted, too: name the workspace that has the "
          + "contents with --attachments.")
    }
    if PostgresAddress.isAddress(attachments) { return try openLog(attachments, .reading, in: context) }
    guard FileSystem.kind(at: attachments) == .directory else {
      throw Failure(.misused, "There is no directory at \(attachments): name the workspace that has the attachments.")
    }
    return nil
  }

  /// Returns the log of an interrupted import; nil if there is none.
  private func existingLog(in context: Context) throws(Failure) -> (genesis: Genesis, head: Head)? {
    guard resumes else {
      do throws(Failure) { try requireNoLog(at: path, in: context) } catch {
        throw error.saying(after: " --resume continues an interrupted import.")
      }
      return nil
    }
    let log: any Log
    do throws(OpenError) { log = try openedLog(path, in: context) } catch .missing { return nil } catch {
      throw Failure(error)
    }
    defer { log.close() }
    return (log.genesis, try asked { () throws(LogError) in try log.head() })
  }

  /// Reads all lines, compares the existing part of the log with them, keeps the blocks behind it, and surveys them for
  /// an encryption.
  private func check(
    _ input: borrowing InputFile, against there: (genesis: Genesis, head: Head)?,
    keeping spool: inout BlockSpool, _ survey: inout ContentSurvey, in context: Context
  ) throws(Failure) -> ImportedLines {
    let progress = ProgressLine("events checked", in: context)
    defer { progress.end() }
    let start = there?.head.position ?? .zero
    var blocks = ImportedBlocks(input.descriptor)
    var isThere = there.map { $0.head.blocks == 0 } ?? true
    let lines = try blocks.forEachBlock { block, _ throws(Failure) in
      if isErasable { survey.add(block) }
      if let head = there?.head, block.last == head.position { isThere = block.head == head }
      if block.last > start { try spool.add(block) }
      try stopIfInterrupted()
      progress.reach(block.last.rawValue, of: nil)
    }
    if let there, !isThere || there.genesis != lines.genesis { throw isNotPrefix(there.head) }
    if isErasable { try requirePlainWorkspace(lines.genesis) }
    if let difference = lines.difference, !takesChanged { throw Failure(.refused, difference) }
    return lines
  }

  private func isNotPrefix(_ head: Head) -> Failure {
    Failure(
      .refused,
      "The log at \(path), which ends at position \(head.position) with the hash \(head.hash), is not a prefix of the "
        + "lines: import into a new directory.")
  }

  private func requirePlainWorkspace(_ genesis: Genesis) throws(Failure) {
    if genesis.isErasable {
      throw Failure(.misused, "The exported workspace is erasable, and its content encrypted: leave --erasable out.")
    }
    if genesis.application != Workspace.application {
      throw Failure(.misused, "The lines are of a log without a workspace: leave --erasable out.")
    }
  }

  /// Writes the blocks with their content encrypted, except those that are there; returns the head.
  private func encrypt(
    _ spool: consuming BlockSpool, of lines: ImportedLines, behind there: (genesis: Genesis, head: Head)?,
    _ edited: Set<Message.Key>, _ blobs: inout EncryptedBlobCopies?, in context: Context
  ) throws(Failure) -> Head {
    let plain = lines.genesis
    let genesis = Genesis(id: plain.id, created: plain.created, application: plain.application, isErasable: true)
    if let there, there.genesis != genesis { throw isNotPrefix(there.head) }
    let options = LMDBLog.Options(creates: true, genesis: genesis)
    let store = try openEvents(path, options, in: context)
    defer { store.close() }
    guard let cipher = store.log.content.cipher else { throw Failure(.unable, "The keys of \(path) are missing.") }
    let progress = ProgressLine("events written", in: context)
    defer { progress.end() }
    let (log, start) = (store.log, there?.head ?? Head(of: genesis))
    var writing = BlockWriter(to: log)
    var blocks = EncryptedBlocks(with: cipher, edited: edited, blobs)
    if blobs != nil {
      var chunks = try EventChunks(log, from: .first, to: start.position)
      while let chunk = try chunks.next() { try blocks.addKnown(chunk) }
    }
    var head = Head(of: genesis)
    var isThere = start == head
    try spool.forEachBlock(after: Head(of: plain)) { block, _ throws(Failure) in
      let before = head
      head = try blocks.withEncrypted(block, after: before) { block throws(Failure) in
        if block.last == start.position { isThere = block.head == start }
        if block.last <= start.position {
          try stopIfInterrupted(through: start.position)
          return block.head
        }
        guard isThere else { throw isNotPrefix(start) }
        try cipher.syncKeys()
        let isWritten = try asked { () throws(LogError) in try writing.add(block, after: before) }
        if isWritten {
          progress.reach(block.last.rawValue, of: lines.head.position.rawValue)
          try stopIfInterrupted(through: block.last)
        }
        return block.head
      }
    }
    guard isThere else { throw isNotPrefix(start) }
    try asked { () throws(LogError) in try writing.finish() }
    blobs = blocks.blobs
    return head
  }

  /// Writes the blocks that are missing.
  private func write(
    _ spool: consuming BlockSpool, of lines: ImportedLines, behind there: (genesis: Genesis, head: Head)?,
    in context: Context
  ) throws(Failure) {
    let options = LMDBLog.Options(creates: true, genesis: lines.genesis)
    let log = try openLog(path, options, in: context)
    defer { log.close() }
    let progress = ProgressLine("events written", in: context)
    defer { progress.end() }
    var writing = BlockWriter(to: log)
    try spool.forEachBlock(after: there?.head ?? Head(of: lines.genesis)) { block, before throws(Failure) in
      guard try asked({ () throws(LogError) in try writing.add(block, after: before) }) else { return }
      progress.reach(block.last.rawValue, of: lines.head.position.rawValue)
      try stopIfInterrupted(through: block.last)
    }
    try asked { () throws(LogError) in try writing.finish() }
  }

  private func stopIfInterrupted(through position: Position) throws(Failure) {
    do throws(Failure) { try stopIfInterrupted() } catch {
      throw error.saying(after: " Events up to position \(position) are written: continue with --resume.")
    }
  }

  private func stopIfInterrupted() throws(Failure) {
    if InterruptFlag.hasHappened { throw Failure(.unable, "The import was interrupted.") }
  }
}

extension ImportedLines {
  fileprivate func text(_ path: String, _ blobs: EncryptedBlobCopies?) -> String {
    let events = "\(counted(Int(head.position.rawValue), "event")) in \(counted(head.blocks, "block"))"
    let chain =
      switch ending.hash {
      case nil: "The last line has no hash, so it is unknown whether the events are unchanged."
      case "\(head.hash)" where !isSame: "The last line has another time than the last block."
      case "\(head.hash)" where ending.isCut:
        "The lines end within a block of the exported log; the events are the ones that were exported."
      case "\(head.hash)": "The chain is the exported one."
      case let hash?: "The chain differs from the exported one, whose hash is \(hash)."
      }
    var lines = ["The log at \(path) has \(events).", "chain hash \(head.hash)", chain]
    if let blobs { lines += ["\(counted(blobs.count, "attachment")) encrypted"] + blobs.failures }
    return lines.map { $0 + "\n" }.joined()
  }

  fileprivate func json(_ blobs: EncryptedBlobCopies?) -> String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.members(of: head)
      writer.member("exportedHash", ending.hash)
      if ending.isCut {
        writer.key("cut")
        writer.bool(true)
      }
      writer.key("same")
      writer.bool(isSame)
      if let blobs { writer.members(attachments: blobs.count, missing: blobs.failures) }
    }
    return writer.text + "\n"
  }
}
