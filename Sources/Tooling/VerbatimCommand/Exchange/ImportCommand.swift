// `verbatim import`: creates a log from the lines of an export.
internal import Chat
internal import ChatCodec
internal import ContentKeys
internal import EventLog
internal import EventLogLMDB
internal import EventLogPostgres
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
    its events is encrypted with new keys, and its chain is another one. Attachments that were stored
    before stay as they are.
    """

  static let examples = [
    "verbatim import copy chat.jsonl", "verbatim import copy chat.jsonl --resume",
    "verbatim import erasable chat.jsonl --erasable",
  ]

  static var parameters: [Parameter<Self>] {
    [
      .positional("DIR", "The directory of the log, or an address on a server; it must not exist yet.", \.path),
      .positional("FILE", "The file to read; default, or -, standard input.", \.file).optional,
      .flag("resume", "Continues an interrupted import.", \.resumes),
      .flag("changed", "Imports changed lines, as another chain.", \.takesChanged),
      .flag("erasable", "Encrypts what people wrote, so that it can be erased.", \.isErasable),
      .flag("json", "Reports one line of JSON.", \.isJSON),
    ]
  }

  var path = ""
  var file = "-"
  var resumes = false
  var takesChanged = false
  var isErasable = false
  var isJSON = false

  func contradiction() -> String? {
    guard isErasable, PostgresAddress.isAddress(path) else { return nil }
    return "--erasable is for a workspace in a directory."
  }

  func run(in context: Context) throws(Failure) -> ExitCode {
    DamageGuard.install(for: path, in: context)
    let there = try existingLog(in: context)
    InterruptFlag.install(in: context)
    let input = file == "-" ? InputFile(context.input) : try InputFile(file: file)
    var spool = try BlockSpool(beside: path)
    var edited: Set<Message.Key> = []
    // Encrypted blocks are compared with those of an interrupted import when they are written.
    var lines = try check(input, against: isErasable ? nil : there, keeping: &spool, &edited, in: context)
    if isErasable {
      lines.head = try encrypt(spool, of: lines, behind: there, edited, in: context)
    } else {
      try write(spool, of: lines, behind: there, in: context)
    }
    var output = Output(context.output)
    try output.write(isJSON ? lines.json : lines.text(path))
    try output.flush()
    return .done
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

  /// Reads all lines, compares the existing part of the log with them, and keeps the blocks behind it, and which
  /// messages are edited.
  private func check(
    _ input: borrowing InputFile, against there: (genesis: Genesis, head: Head)?,
    keeping spool: inout BlockSpool, _ edited: inout Set<Message.Key>, in context: Context
  ) throws(Failure) -> ImportedLines {
    let progress = ProgressLine("events checked", in: context)
    defer { progress.end() }
    let start = there?.head.position ?? .zero
    var blocks = ImportedBlocks(input.descriptor)
    var isThere = there.map { $0.head.blocks == 0 } ?? true
    var decoder = EventDecoder()
    let lines = try blocks.forEachBlock { block, _ throws(Failure) in
      if isErasable { Self.findEdits(in: block, &decoder, &edited) }
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

  /// Finds the edits of messages in a block of a workspace.
  private static func findEdits(
    in block: BlockView, _ decoder: inout EventDecoder, _ edited: inout Set<Message.Key>
  ) {
    for index in 0..<block.count {
      // What cannot be decoded is of a log without a workspace, or of an erasable one.
      guard let event = try? decoder.decode(block.event(at: index)) else { continue }
      if case .message(let key, .edited) = event.change { edited.insert(key) }
    }
  }

  /// Writes the blocks with their content encrypted, except those that are there; returns the head.
  private func encrypt(
    _ spool: consuming BlockSpool, of lines: ImportedLines, behind there: (genesis: Genesis, head: Head)?,
    _ edited: Set<Message.Key>, in context: Context
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
    var blocks = EncryptedBlocks(with: cipher, edited: edited)
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
        let isWritten = try asked { () throws(LogError) in
          try cipher.sync()
          return try writing.add(block, after: before)
        }
        if isWritten {
          progress.reach(block.last.rawValue, of: lines.head.position.rawValue)
          try stopIfInterrupted(through: block.last)
        }
        return block.head
      }
    }
    guard isThere else { throw isNotPrefix(start) }
    try asked { () throws(LogError) in try writing.finish() }
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
  fileprivate func text(_ path: String) -> String {
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
    return "The log at \(path) has \(events).\nchain hash \(head.hash)\n\(chain)\n"
  }

  fileprivate var json: String {
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
    }
    return writer.text + "\n"
  }
}
