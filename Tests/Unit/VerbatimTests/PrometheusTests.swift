// Threat: metrics text that a parser rejects or misreads.
import Foundation
import PostgresServer
import Testing

@testable import Verbatim

@Suite struct `Metrics as Prometheus text` {
  private let folder = WorkspaceFolder()

  @Test func `the text follows the format, has each family once, and equals the statistics`() async throws {
    let workspace = try folder.open { ($0.snapshotDistance, $0.searchesMessages) = (nil, false) }
    try await workspace.populate()
    try await workspace.send("hello", "m1")
    try await workspace.read { _ in }
    _ = try workspace.projections.checkpoint()
    let statistics = try workspace.statistics()
    let metrics = try Exposition(statistics.prometheusText())
    let head = Double(statistics.log.head.position.rawValue)
    #expect(metrics.value("verbatim_log_events_total") == head)
    #expect(metrics.value("verbatim_log_blocks_total") == 4)
    #expect(
      metrics.value("verbatim_log_recorded_timestamp_seconds")
        == Double(statistics.log.head.recorded.rawValue) / 1_000_000)
    #expect(metrics.value("verbatim_folded_position", ["tables": "state"]) == head)
    #expect(metrics.value("verbatim_checkpoint_position", ["tables": "state"]) == head)
    #expect(metrics.value("verbatim_folded_position", ["tables": "others"]) == nil)
    #expect(metrics.value("verbatim_snapshot_position", ["tables": "state"]) == nil)
    #expect(metrics.value("verbatim_submits_total", ["outcome": "recorded"]) == 4)
    #expect(metrics.value("verbatim_submits_total", ["outcome": "failed"]) == 0)
    #expect(metrics.value("verbatim_block_events_sum") == head)
    #expect(metrics.value("verbatim_block_events_count") == 4)
    #expect(metrics.value("verbatim_block_events_bucket", ["le": "65536"]) == 4)
    #expect(metrics.value("verbatim_commit_seconds_count") == 4)
    #expect(metrics.value("verbatim_commit_seconds_bucket", ["le": "0.00005"]) != nil)
    #expect(metrics.value("verbatim_commit_seconds_bucket", ["le": "+Inf"]) == 4)
    #expect(metrics.value("verbatim_queue_capacity") == 65_536)
    #expect(metrics.value("verbatim_writer_lock_held") == 0)
    #expect(metrics.value("verbatim_writer_lock_holder_pid") == nil)
    #expect(metrics.value("verbatim_file_used_bytes", ["file": "log"]) == Double(statistics.log.file.used))
    #expect(metrics.value("verbatim_file_used_bytes", ["file": "state"]) == Double(statistics.state.file.used))
    #expect(metrics.value("verbatim_readers_max", ["file": "index"]) == Double(statistics.log.index.readers.max))
    let time = try #require(metrics.value("verbatim_folding_seconds_total", ["tables": "state"]))
    #expect(abs(time - statistics.state.foldingTime / .seconds(1)) < 1e-9 && time > 0)
    await workspace.close()
  }

  @Test(.directoryOnly("a lock between machines has no file that names its holder"))
  func `the text names the holder of the writer lock`() async throws {
    let workspace = try folder.open()
    let writerLock = try HeldWriterLock(of: workspace)
    let metrics = try Exposition(try workspace.statistics().prometheusText())
    #expect(metrics.value("verbatim_writer_lock_held") == 1)
    #expect(metrics.value("verbatim_writer_lock_holder_pid") == Double(ProcessInfo.processInfo.processIdentifier))
    writerLock.letGo()
    await workspace.close()
  }

  @Test func `labels with any value are escaped`() async throws {
    let workspace = try folder.open()
    let statistics = try workspace.statistics()
    let path = "/a \"b\"\\c\nd\r\n\\n,{é}"
    let metrics = try Exposition(statistics.prometheusText(labels: [("workspace", path), ("host_1", "")]))
    #expect(metrics.samples.allSatisfy { $0.labels["workspace"] == path && $0.labels["host_1"] == "" })
    #expect(metrics.value("verbatim_queue_capacity", ["workspace": path, "host_1": ""]) == 65_536)
    await workspace.close()
  }

  @Test func `several workspaces are combined into one text`() async throws {
    let (other, own) = (WorkspaceFolder(), try folder.open())
    let second = try other.open { $0.waitingMax = 7 }
    let all = [
      (statistics: try own.statistics(), labels: [(name: "workspace", value: "1")]),
      (statistics: try second.statistics(), labels: [(name: "workspace", value: "2")]),
    ]
    let metrics = try Exposition(Statistics.prometheusText(of: all))
    #expect(metrics.value("verbatim_queue_capacity", ["workspace": "1"]) == 65_536)
    #expect(metrics.value("verbatim_queue_capacity", ["workspace": "2"]) == 7)
    await own.close()
    await second.close()
  }

  @Test func `durations have all their digits`() {
    #expect(seconds(.seconds(12)) == "12")
    #expect(seconds(.seconds(1) + .nanoseconds(50)) == "1.00000005")
    #expect(seconds(.microseconds(1_767_225_600_000_001)) == "1767225600.000001")
    #expect(seconds(.milliseconds(-1_500)) == "-1.5")
    #expect(seconds(.milliseconds(-500)) == "-0.5")
    #expect(seconds(Duration(secondsComponent: 0, attosecondsComponent: 1)) == "0.000000000000000001")
    #expect(seconds(.zero) == "0")
  }

  @Test(arguments: ["tables", "le", "", "1st", "a-b", "__name__", "é"])
  func `an invalid label name traps`(name: String) async {
    await #expect(processExitsWith: .failure) { [name] in
      var text = MetricText()
      text.begin([(name, "x")])
    }
  }

  @Test func `a duplicate label traps`() async {
    await #expect(processExitsWith: .failure) {
      var text = MetricText()
      text.begin([("a", "x"), ("a", "y")])
    }
  }
}

// MARK: Reading the format

/// A strict parser of metrics: it throws for anything that the format does not allow.
private struct Exposition {
  struct Malformed: Error { let line: String }
  struct Sample {
    let name: String
    let labels: [String: String]
    let value: Double
  }

  private(set) var samples: [Sample] = []

  func value(_ name: String, _ labels: [String: String] = [:]) -> Double? {
    samples.first { $0.name == name && $0.labels == labels }?.value
  }

  init(_ text: String) throws {
    guard text.utf8.last == UInt8(ascii: "\n") else { throw Malformed(line: text) }
    var families: Set<String> = []
    var (helped, family, kind) = ("", "", "")
    for line in text.utf8.dropLast().split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      let line = String(decoding: line, as: UTF8.self)
      let words = line.split(separator: " ", maxSplits: 3)
      if line.hasPrefix("# HELP ") {
        helped = String(words[2])
        guard words.count == 4, families.insert(helped).inserted, helped.isMetric else { throw Malformed(line: line) }
      } else if line.hasPrefix("# TYPE ") {
        (family, kind) = (String(words[2]), String(words[3]))
        guard family == helped, ["counter", "gauge", "histogram"].contains(kind) else { throw Malformed(line: line) }
        guard family.hasSuffix("_total") == (kind == "counter") else { throw Malformed(line: line) }
      } else {
        let sample = try Self.sample(line)
        let endings = kind == "histogram" ? ["_bucket", "_sum", "_count"] : [""]
        guard endings.contains(where: { family + $0 == sample.name }) else { throw Malformed(line: line) }
        guard !samples.contains(where: { $0.name == sample.name && $0.labels == sample.labels }) else {
          throw Malformed(line: line)
        }
        samples.append(sample)
      }
    }
    try requireHistograms()
  }

  /// Requires that buckets ascend in bounds and counts, up to the total count.
  private func requireHistograms() throws {
    let all = Dictionary(grouping: samples.filter { $0.name.hasSuffix("_bucket") }) { sample in
      sample.name + "\(sample.labels.filter { $0.key != "le" }.sorted { $0.key < $1.key })"
    }
    guard !all.isEmpty else { throw Malformed(line: "no histogram") }
    for buckets in all.values {
      let bounds = buckets.map { $0.labels["le"] == "+Inf" ? .infinity : Double($0.labels["le"] ?? "") ?? .nan }
      let labels = buckets[0].labels.filter { $0.key != "le" }
      let name = String(buckets[0].name.dropLast("_bucket".count))
      guard zip(bounds, bounds.dropFirst()).allSatisfy({ $0 < $1 }), bounds.last == .infinity,
        zip(buckets, buckets.dropFirst()).allSatisfy({ $0.value <= $1.value }),
        buckets.last?.value == value(name + "_count", labels), value(name + "_sum", labels) != nil
      else { throw Malformed(line: name) }
    }
  }

  private static func sample(_ line: String) throws -> Sample {
    var rest = Substring(line).unicodeScalars
    let name = String(Substring(rest.prefix { $0 != "{" && $0 != " " }))
    rest = rest.dropFirst(name.unicodeScalars.count)
    guard name.isMetric else { throw Malformed(line: line) }
    var labels: [String: String] = [:]
    if rest.first == "{" {
      repeat {
        rest = rest.dropFirst()
        let label = String(Substring(rest.prefix { $0 != "=" }))
        rest = rest.dropFirst(label.unicodeScalars.count)
        guard label.isMetric, labels[label] == nil, rest.starts(with: "=\"".unicodeScalars) else {
          throw Malformed(line: line)
        }
        rest = rest.dropFirst(2)
        labels[label] = try quoted(&rest, line)
      } while rest.first == ","
      guard rest.popFirst() == "}" else { throw Malformed(line: line) }
    }
    let number = String(Substring(rest.dropFirst()))
    guard rest.first == " ", number.utf8.allSatisfy({ "0123456789.-".utf8.contains($0) }), let value = Double(number)
    else { throw Malformed(line: line) }
    return Sample(name: name, labels: labels, value: value)
  }

  /// Returns a value up to its closing quote, which is consumed.
  private static func quoted(_ rest: inout Substring.UnicodeScalarView, _ line: String) throws -> String {
    var value = String.UnicodeScalarView()
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\"": return String(value)
      case "\\":
        switch rest.popFirst() {
        case "n": value.append("\n")
        case "\\": value.append("\\")
        case "\"": value.append("\"")
        default: throw Malformed(line: line)
        }
      default: value.append(scalar)
      }
    }
    throw Malformed(line: line)
  }
}

extension String {
  /// Whether the name is valid for a metric or a label.
  fileprivate var isMetric: Bool {
    !isEmpty && first?.isNumber == false
      && utf8.allSatisfy { "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789".utf8.contains($0) }
  }
}
