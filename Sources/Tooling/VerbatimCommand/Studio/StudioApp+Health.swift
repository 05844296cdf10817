// The health of a workspace, and its verification.
internal import Chat
internal import EventLog
internal import Foundation
internal import JSONLines
internal import Locks
internal import Verbatim

extension StudioApp {
  /// Returns the status of the workspace, its consumers and deliveries, and the commits of this process.
  func health() async throws -> StudioAnswer {
    let status = try await operators { try WorkspaceStatus(of: $0.workspace, at: $0.workspace.path) }
    let deliveries = try await workspace.deliveryStatus()
    return try await blocking { try $0.health(status, deliveries) }
  }

  private func health(_ status: WorkspaceStatus, _ deliveries: DeliveryStatus) throws -> StudioAnswer {
    let consumers = try workspace.consumersBlocking()
    let commits = try workspace.statistics().submits.commits
    let growth = try growth()
    let uptime = began.duration(to: .now)
    guard case .object(let members) = try JSONParser.parse(Array(status.json.utf8)) else {
      throw Failure(.unable, "The status cannot be read.")
    }
    return { writer in
      writer.object { writer in
        for member in members { writer.member(member.key, member.value) }
        writer.key("consumers")
        writer.array { writer in
          for consumer in consumers {
            writer.object { writer in
              writer.member("name", consumer.consumer.id.text)
              writer.member("position", consumer.position.rawValue)
              writer.member("lag", consumer.lag)
              writer.member("process", consumer.process.map { Int($0) })
            }
          }
        }
        writer.key("deliveries")
        writer.object { writer in
          writer.member("due", deliveries.dueCount)
          writer.member("process", deliveries.process.map { Int($0) })
        }
        writer.key("growth")
        writer.object { writer in for (name, count) in growth { writer.member(name, count) } }
        writer.key("commits")
        writer.object { writer in
          writer.member("count", commits.count)
          for (key, part) in [("p50", 0.5), ("p99", 0.99)] {
            writer.member(key, commits.bound(of: part).map { Int($0 / .microseconds(1)) })
          }
        }
        writer.key("process")
        writer.object { writer in
          writer.member("memory", memoryByteCount())
          writer.member("uptime", uptime.components.seconds)
        }
      }
    }
  }

  /// Returns the numbers of events that were recorded in the last hour, day and week.
  private func growth() throws -> [(name: String, count: UInt64)] {
    let (head, now) = (try workspace.head(), workspace.now)
    let spans: [(String, Int64)] = [("hour", 1), ("day", 24), ("week", 168)]
    return try spans.map { name, hours in
      let instant = Timestamp(rawValue: now.rawValue - hours * 3_600_000_000)
      let before = try asked { () throws(LogError) in try workspace.store.last(recordedBy: instant) }
      return (name, head.rawValue - min(before, head).rawValue)
    }
  }

  /// Returns the state of the last verification; begins one, unless one is running.
  func verify(begins: Bool) throws -> StudioAnswer {
    if begins {
      guard let executable = context.executable else {
        throw Failure(.unable, "The verification starts programs: start the studio as a program.")
      }
      let path = workspace.path
      // The program's advice has its own name, not that of a link to it.
      let resolved = URL(fileURLWithPath: executable).resolvingSymlinksInPath().path
      let program = FileManager.default.isExecutableFile(atPath: resolved) ? resolved : executable
      let temporary = temporary
      try verification.withLock { try $0.begin(program, path, in: temporary) }
    }
    let json = verification.withLock { $0.json }
    return { writer in writer.value(json) }
  }
}

/// The last verification of a workspace, by a child process.
struct StudioVerification: Sendable {
  private var process: Process?
  private var began: Date?
  /// The files of its output, and of its progress.
  private var output: URL?
  private var progress: URL?

  /// Begins a verification, unless one is running.
  mutating func begin(_ executable: String, _ path: String, in temporary: TemporaryFolder) throws {
    if process?.isRunning == true { return }
    let (file, lines) = (
      URL(fileURLWithPath: try temporary.path(of: "verify.json")),
      URL(fileURLWithPath: try temporary.path(of: "verify.progress"))
    )
    for file in [file, lines] where !FileManager.default.createFile(atPath: file.path, contents: nil) {
      throw Failure(.unable, "\(file.path) cannot be written: free space there.")
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: executable)
    process.arguments = ["verify", "--json", "--progress", "--", path]
    process.standardOutput = try FileHandle(forWritingTo: file)
    process.standardError = try FileHandle(forWritingTo: lines)
    process.standardInput = FileHandle.nullDevice
    do { try process.run() } catch {
      throw Failure(.unable, "\(executable) cannot be started (\(error.localizedDescription)).")
    }
    (self.process, began, output, progress) = (process, Date(), file, lines)
  }

  /// Ends a running verification.
  mutating func stop() {
    if process?.isRunning == true { process?.terminate() }
    process = nil
  }

  /// The part that is done, by the last line of the progress; 0 while there is none.
  private var part: Double {
    let lines = progress.flatMap { try? Data(contentsOf: $0) }?.split(separator: 0x0A) ?? []
    // The last line may not be complete yet.
    for line in lines.reversed() {
      guard case .object(let members)? = try? JSONParser.parse(Array(line)) else { continue }
      func number(_ key: String) -> Double? {
        if case .number(let text)? = members.first(where: { $0.key == key })?.value { Double(text) } else { nil }
      }
      if let done = number("done"), let total = number("of"), total > 0 { return min(1, done / total) }
    }
    return 0
  }

  /// The state for a page.
  var json: JSON {
    guard let process, let output, let began else {
      return .object([JSON.Member(key: "state", value: .string("none"))])
    }
    var members = [JSON.Member(key: "began", value: .string(began.formatted(.iso8601)))]
    func add(_ key: String, _ value: JSON) { members.append(JSON.Member(key: key, value: value)) }
    if process.isRunning {
      add("state", .string("running"))
      add("progress", .number("\(part)"))
      return .object(members)
    }
    let data = (try? Data(contentsOf: output)) ?? Data()
    guard case .object(let report)? = try? JSONParser.parse(Array(data.drop { $0 == 0x0A })) else {
      add("state", .string("failed"))
      add("summary", .string("The verification ended without a report: run `verbatim verify` to see why."))
      return .object(members)
    }
    add("state", .string("done"))
    func values(_ key: String) -> [JSON] {
      if case .array(let values)? = report.first(where: { $0.key == key })?.value { values } else { [] }
    }
    let holds = report.first { $0.key == "holds" }?.value == .bool(true)
    add("findings", .array((values("findings") + values("faults")).map(\.asFinding)))
    for key in ["checks", "notes", "advice"] { add(key, .array(values(key))) }
    add("summary", .string(holds ? "Every check passed." : "The workspace is not verified."))
    return .object(members)
  }
}

extension JSON {
  /// A reported difference, or a fault in words, as a sentence and a position.
  fileprivate var asFinding: JSON {
    if case .string(let fault) = self, let position = fault.firstMatch(of: #/positions? (\d+)/#)?.1 {
      return .object([
        JSON.Member(key: "text", value: self), JSON.Member(key: "position", value: .number("\(position)")),
      ])
    }
    guard case .object(let members) = self,
      case .object(let difference)? = members.first(where: { $0.key == "difference" })?.value
    else { return .object([JSON.Member(key: "text", value: self)]) }
    func member(_ key: String) -> JSON.Member? { difference.first { $0.key == key } }
    let text = JSON.Member(key: "text", value: member("what")?.value ?? .string("a difference"))
    return .object([text, member("position")].compactMap { $0 })
  }
}

/// Returns the bytes of memory of this process without mapped files, whose pages belong to the system's cache; nil
/// where the system does not report it.
private func memoryByteCount() -> Int? {
  guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return nil }
  let line = text.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
  return line.flatMap { Int($0.filter(\.isNumber)) }.map { $0 * 1024 }
}
