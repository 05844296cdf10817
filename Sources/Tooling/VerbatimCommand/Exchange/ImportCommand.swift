// `verbatim import`: creates a log from the lines of an export.
internal import EventLog
internal import EventLogLMDB
internal import JSONLines

/// The command that recreates an exported log, block for block.
struct ImportCommand: Command {
  static let name = "import"
  static let summary = "Makes a workspace or a log of what `verbatim export` wrote."
  static let details = """
    All lines are read and checked before the first event is written: positions without a gap, versions
    of streams, times, causes, append ids, names and sizes; of a workspace, that this program can read
    each event. What is wrong is told with the number of its line. Then blocks are written as they were,
    so that the chain ends with the same hash; the last line tells which that is.

    Lines that were changed, moved or left out make another chain, which is refused with both hashes,
    unless --changed is given. A last line without a hash proves nothing and is refused likewise. What a
    pipe brings is kept in a file beside DIR meanwhile.

    An import that was interrupted goes on with --resume, if what is there is what the lines say.
    Contents of attachments are not in an export: copy `blobs/`.
    """

  static let examples = [
    "verbatim import copy chat.jsonl", "verbatim import copy chat.jsonl --resume",
  ]

  static var parameters: [Parameter<Self>] {
    [
      .positional("DIR", "The directory of the log; it must not be there yet.", \.path),
      .positional("FILE", "The file to read; standard input if it is - or left out.", \.file).optional,
      .flag("resume", "Goes on with an import that was interrupted.", \.resumes),
      .flag("changed", "Imports lines that were changed, as another chain.", \.takesChanged),
      .flag("json", "Reports as one line of JSON.", \.isJSON),
    ]
  }

  var path = ""
  var file = "-"
  var resumes = false
  var takesChanged = false
  var isJSON = false

  func run(in context: Context) throws(Failure) -> ExitCode {
    DamageGuard.install(for: path, in: context)
    let there = try standing()
    InterruptFlag.install(in: context)
    let input = file == "-" ? try RewindableInput(context.input, keptBeside: path) : try RewindableInput(file: file)
    let lines = try check(input, against: there, in: context)
    try write(lines, input, behind: there, in: context)
    var output = Output(context.output)
    try output.write(isJSON ? lines.json : lines.text(path))
    try output.flush()
    return .done
  }

  /// Returns the log of an interrupted import; nil if there is none.
  private func standing() throws(Failure) -> (genesis: Genesis, head: Head)? {
    guard resumes else {
      do throws(Failure) { try requireNoLog(at: path) } catch {
        throw error.saying(after: " An import that was interrupted goes on with --resume.")
      }
      return nil
    }
    let log: LMDBLog
    do throws(OpenError) { log = try LMDBLog.open(at: path) } catch .missing { return nil } catch {
      throw Failure(error)
    }
    defer { log.close() }
    return (log.genesis, try asked { () throws(LogError) in try log.head() })
  }

  /// Reads all lines, and compares the existing part of the log with them.
  private func check(
    _ input: borrowing RewindableInput, against there: (genesis: Genesis, head: Head)?, in context: Context
  ) throws(Failure) -> ImportedLines {
    let progress = ProgressLine("events checked", in: context)
    defer { progress.end() }
    var blocks = ImportedBlocks(input)
    var isThere = there.map { $0.head.blocks == 0 } ?? true
    let lines = try blocks.forEachBlock { block, _ throws(Failure) in
      if let head = there?.head, block.last == head.position { isThere = block.head == head }
      try stopIfInterrupted()
      progress.reach(block.last.rawValue, of: nil)
    }
    if let there, !isThere || there.genesis != lines.genesis {
      throw Failure(
        .refused,
        "The log at \(path), which ends at position \(there.head.position) with the hash "
          + "\(there.head.hash), is not the beginning of what the lines say: import into a new directory.")
    }
    if let difference = lines.difference, !takesChanged { throw Failure(.refused, difference) }
    return lines
  }

  /// Writes the blocks that are missing.
  private func write(
    _ lines: ImportedLines, _ input: borrowing RewindableInput, behind there: (genesis: Genesis, head: Head)?,
    in context: Context
  ) throws(Failure) {
    let options = LMDBLog.Options(creates: true, genesis: lines.genesis)
    let log: LMDBLog
    do throws(OpenError) { log = try LMDBLog.open(at: path, options: options) } catch { throw Failure(error) }
    defer { log.close() }
    let progress = ProgressLine("events written", in: context)
    defer { progress.end() }
    let start = there?.head.position ?? .zero
    var blocks = ImportedBlocks(input)
    var writing = BlockWriter(to: log)
    let written = try blocks.forEachBlock { block, before throws(Failure) in
      if block.last <= start { return }
      guard try writing.add(block, after: before) else { return }
      progress.reach(block.last.rawValue, of: lines.head.position.rawValue)
      do throws(Failure) { try stopIfInterrupted() } catch {
        throw error.saying(after: " Events up to position \(block.last) are there: go on with --resume.")
      }
    }
    try writing.finish()
    guard written.head == lines.head else {
      throw Failure(.unable, "The lines changed while they were imported: remove \(path) and import them again.")
    }
  }

  private func stopIfInterrupted() throws(Failure) {
    if InterruptFlag.hasHappened { throw Failure(.unable, "It was interrupted.") }
  }
}

/// A writer of blocks to a log, many per append.
private struct BlockWriter {
  private let log: LMDBLog
  /// The head that the first pending block follows.
  private var before: Head?
  private var blocks: [[UInt8]] = []
  private var byteCount = 0

  init(to log: LMDBLog) { self.log = log }

  /// Adds a block; returns whether it is on disk, with all blocks before it.
  mutating func add(_ block: BlockView, after head: Head) throws(Failure) -> Bool {
    if blocks.isEmpty { before = head }
    blocks.append(block.bytes.withUnsafeBytes { Array($0) })
    byteCount += block.bytes.byteCount
    guard blocks.count >= 256 || byteCount >= 1 << 20 else { return false }
    try finish()
    return true
  }

  /// Writes the pending blocks.
  mutating func finish() throws(Failure) {
    guard let before, !blocks.isEmpty else { return }
    try asked { () throws(LogError) in try log.append(copies: blocks, after: before) }
    blocks.removeAll(keepingCapacity: true)
    byteCount = 0
  }
}

extension ImportedLines {
  fileprivate func text(_ path: String) -> String {
    let events = "\(counted(Int(head.position.rawValue), "event")) in \(counted(head.blocks, "block"))"
    let chain =
      switch ending.hash {
      case nil: "The last line has no hash, so that the events are not proved unchanged."
      case "\(head.hash)" where !isSame: "The last line has another time than the last block."
      case "\(head.hash)" where ending.isCut:
        "The lines end within a block of the exported log; the events are the ones that were exported."
      case "\(head.hash)": "It is the chain that was exported."
      case let hash?: "It is another chain than the one that was exported, which ends with \(hash)."
      }
    return "The log at \(path) has \(events).\nchain hash \(head.hash)\n\(chain)\n"
  }

  fileprivate var json: String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("events", head.position.rawValue)
      writer.member("blocks", head.blocks)
      writer.member("hash", "\(head.hash)")
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
