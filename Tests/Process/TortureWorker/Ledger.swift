// What a workload was promised up to a power cut, as its marks say.
import CrashImages
import Foundation

/// The promises made to a workload, read from the marks of its trace, in order.
struct Ledger {
  /// An acknowledged append: the positions of its events, and a hash of them.
  struct Receipt {
    let first: UInt64
    let last: UInt64
    let hash: UInt64
  }

  /// A log or a workspace, by its path below the recorded directory.
  struct Area {
    /// Whether it is a log without a workspace.
    var isLog = false
    /// Whether it was opened or copied completely, so that it must be there.
    var isThere = false
    /// Whether it is a copy that is not complete: it is refused, or has everything.
    var isIncomplete = false
    /// Whether it is an import that is not complete: it can be continued.
    var isResumable = false
    /// The number of replies of its bot that were seen; nil if it has none.
    var replies: Int?
    /// Whether keystrokes may be in it, in appends with ids of their own.
    var hasKeystrokes = false
    /// The numbers of messages whose sending from a composer was begun, and acknowledged.
    var sends = (begun: 0, done: 0)
    /// The ids of the appends that were begun.
    var wanted: Set<String> = []
    /// The acknowledged appends, by id.
    var receipts: [String: Receipt] = [:]
    /// The positions of acknowledged checkpoints.
    var checkpoints: Set<UInt64> = []
    /// The positions of acknowledged snapshots, in order.
    var snapshots: [UInt64] = []
    /// Whether content can be erased.
    var isErasable = false
    /// The messages with words that can be erased, by id.
    var said: [String: Said] = [:]
    /// The users whose erasure was acknowledged.
    var erased: Set<String> = []
    /// The ids of the acknowledged blobs.
    var blobs: Set<String> = []
    /// The appends that were begun since a sync of the log failed, while it is open; nil if none did.
    var wantedSinceFailure: Set<String>?
  }

  /// A word in a message.
  struct Said {
    let word: String
    let user: String
    /// Whether the erasure of its user was begun after it was said.
    var isDoomed = false
  }

  /// An outbox: its entries in order, with what is known of each.
  struct Outbox {
    enum State { case wanted, added, delivered, refused, leaving, forgotten }

    var area = ""
    var order: [String] = []
    var states: [String: State] = [:]
    /// The texts of the messages that its composer began to send, in order, and the number of acknowledged ones.
    var posts = (begun: [String](), done: 0)
    /// The texts of the draft that its composer began to leave, and acknowledged.
    var draft = (begun: "", done: "")
  }

  /// A composer: its text after each action, and the number of actions that must be there.
  struct Composer {
    var texts: [(text: String, time: UInt64)] = []
    var kept = 0
  }

  private(set) var areas: [String: Area] = [:]
  private(set) var outboxes: [String: Outbox] = [:]
  private(set) var composers: [String: Composer] = [:]
  /// The acknowledgements that nothing can have allowed.
  private(set) var findings: [String] = []

  /// Leaves out the logs, workspaces and outboxes that have nothing to do with a file.
  mutating func keep(aboutFile path: String) {
    let area = outboxes.first { path.hasPrefix($0.key + "/") }?.value.area
    areas = areas.filter { $0.key == area || path.hasPrefix($0.key + "/") }
    outboxes = outboxes.filter { areas[$0.value.area] != nil }
  }

  /// Whether it is about a file.
  func isAbout(file path: String) -> Bool {
    areas.keys.contains { path.hasPrefix($0 + "/") } || outboxes.keys.contains { path.hasPrefix($0 + "/") }
  }

  /// Creates the ledger of what was before the trace in the directory of a recording.
  init(before recording: String) throws {
    let marks = recording + "/before/marks"
    if FileManager.default.fileExists(atPath: marks) { self = try Ledger(marksIn: marks) }
  }

  /// Creates the ledger of the whole trace in the directory of a recording.
  init(of trace: Trace, in recording: String) throws {
    try self.init(before: recording)
    for operation in trace.operations { if let mark = operation.mark { add(mark, at: operation.time) } }
  }

  /// Creates a ledger from the marks that a file has, one in a line.
  init(marksIn file: String) throws {
    for mark in try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n") { add(String(mark), at: 0) }
  }

  /// Adds a mark that was written at a time.
  mutating func add(_ mark: String, at time: UInt64) {
    let words = mark.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    let (kind, name) = (words[0], words[1])
    switch kind {
    case "log": areas[name, default: Area()].isLog = true
    case "there":
      areas[name, default: Area()].isThere = true
      areas[name]?.wantedSinceFailure = nil
    case "fault":
      // After ENOSPC or EINTR, the kernel still has the pages, and they may be synced again.
      let log = "/log/data.mdb"
      if name.hasSuffix(log), mark.contains("sync") || mark.contains("O_DSYNC"), ["EIO", "done"].contains(words.last) {
        areas[String(name.dropLast(log.count))]?.wantedSinceFailure = []
      }
    case "want":
      areas[name, default: Area()].wanted.insert(words[2])
      areas[name]?.wantedSinceFailure?.insert(words[2])
    case "have":
      if areas[name]?.wantedSinceFailure?.contains(words[2]) ?? false {
        findings.append("\(name): the append \(words[2]) was acknowledged after a failed sync, without reopening")
        areas[name]?.wantedSinceFailure = nil
      }
      let receipt = Receipt(first: UInt64(words[3])!, last: UInt64(words[4])!, hash: UInt64(words[5])!)
      areas[name, default: Area()].receipts[words[2]] = receipt
    case "keystrokes": areas[name, default: Area()].hasKeystrokes = true
    case "will-send": areas[name, default: Area()].sends.begun += 1
    case "sent": areas[name, default: Area()].sends.done += 1
    case "checkpoint": areas[name, default: Area()].checkpoints.insert(UInt64(words[2])!)
    case "snapshot": areas[name, default: Area()].snapshots.append(UInt64(words[2])!)
    case "blob": areas[name, default: Area()].blobs.insert(words[2])
    case "copying", "copied", "importing", "imported":
      var copy = areas[words[2]] ?? Area()
      let isDone = ["copied", "imported"].contains(kind)
      (copy.isThere, copy.isIncomplete, copy.snapshots) = (isDone, !isDone, [])
      copy.isResumable = kind == "importing"
      // An export has the events alone.
      if ["importing", "imported"].contains(kind) { (copy.blobs, copy.checkpoints) = ([], []) }
      areas[name] = copy
    case "erasable": areas[name, default: Area()].isErasable = true
    case "said": areas[name, default: Area()].said[words[2]] = Said(word: words[3], user: words[4])
    case "erasing":
      areas[name]?.checkpoints = []
      areas[name]?.snapshots = []
      for (id, said) in areas[name]?.said ?? [:] where said.user == words[2] { areas[name]?.said[id]?.isDoomed = true }
    case "erased": areas[name]?.erased.insert(words[2])
    case "bot": areas[name, default: Area()].replies = 0
    case "replied": areas[name]?.replies = Int(words[2])!
    case "compose": composers[name, default: Composer()].texts.append((words.dropFirst(2).joined(separator: " "), time))
    case "kept": composers[name, default: Composer()].kept = Int(words[2])!
    default: addToOutbox(kind, name, words)
    }
  }

  private mutating func addToOutbox(_ kind: String, _ name: String, _ words: [String]) {
    var outbox = outboxes[name] ?? Outbox()
    switch kind {
    case "outbox": outbox.area = words[2]
    case "will-add":
      outbox.order.append(words[2])
      outbox.states[words[2]] = .wanted
    case "added": outbox.states[words[2]] = .added
    case "delivered": outbox.states[words[2]] = .delivered
    case "refused": outbox.states[words[2]] = .refused
    case "will-forget": outbox.states[words[2]] = .leaving
    case "forgotten": outbox.states[words[2]] = .forgotten
    case "will-post": outbox.posts.begun.append(words[2])
    case "posted": outbox.posts.done += 1
    case "will-draft": outbox.draft.begun = words[2]
    case "drafted": outbox.draft.done = words[2]
    default: preconditionFailure("a mark of an unknown kind: \(kind)")
    }
    outboxes[name] = outbox
  }
}
