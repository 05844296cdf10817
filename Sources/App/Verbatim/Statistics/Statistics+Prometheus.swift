// Statistics in the text format of Prometheus.
internal import Chat
internal import EventLog

extension Statistics {
  /// Returns the statistics in Prometheus' text format, version 0.0.4, each sample with these labels: the workspace's
  /// path, say.
  ///
  /// The page <doc:WhatIsCounted> describes the metrics. Label names consist of letters, digits and `_` and do not
  /// begin with a digit; `file`, `le`, `outcome`, `tables` and names that begin with `__` are reserved. Any other name,
  /// or a duplicate, is a programming error and traps.
  public func prometheusText(labels: [(name: String, value: String)] = []) -> String {
    Self.prometheusText(of: [(self, labels)])
  }

  /// Returns the statistics of several workspaces as one text, each with labels that distinguish it.
  public static func prometheusText(
    of all: [(statistics: Statistics, labels: [(name: String, value: String)])]
  ) -> String {
    var text = MetricText()
    for (statistics, labels) in all {
      text.begin(labels)
      statistics.write(to: &text)
    }
    return text.finished()
  }

  private func write(to text: inout MetricText) {
    writeLog(to: &text)
    writeTables(to: &text)
    writeSubmits(to: &text)
    writeFiles(to: &text)
    text.gauge("writer_lock_held", "Whether a process holds the writer lock.", writerLock.holder == nil ? 0 : 1)
    if let process = writerLock.holder?.process {
      text.gauge("writer_lock_holder_pid", "The process that holds the writer lock.", process)
    }
  }

  private func writeLog(to text: inout MetricText) {
    text.counter("log_events_total", "Events in the log.", log.head.position.rawValue)
    text.counter("log_blocks_total", "Blocks in the log.", log.head.blocks)
    text.gauge(
      "log_recorded_timestamp_seconds", "When the last block was recorded.",
      seconds(.microseconds(log.head.recorded.rawValue)))
  }

  private func writeTables(to text: inout MetricText) {
    for (name, tables) in [("state", state), ("others", others)] {
      guard let tables else { continue }
      let label = [("tables", name)]
      text.gauge("folded_position", "The position up to which this process has folded.", tables.folded.rawValue, label)
      text.gauge("written_position", "The position up to which tables are written.", tables.written.rawValue, label)
      text.gauge("lag_events", "Events that this process has not folded yet.", tables.lag, label)
      text.counter("folded_events_total", "Events that this process has folded.", tables.foldedEvents, label)
      text.counter("folding_seconds_total", "Time spent folding.", seconds(tables.foldingTime), label)
      if let position = tables.lastCheckpoint {
        text.gauge("checkpoint_position", "The position of the last checkpoint.", position.rawValue, label)
      }
      if let position = tables.lastSnapshot {
        text.gauge("snapshot_position", "The position of the last snapshot.", position.rawValue, label)
      }
      text.gauge(
        "snapshot_failed", "Whether the last automatic snapshot failed.",
        tables.snapshotFailure == nil ? 0 : 1, label)
    }
  }

  private func writeSubmits(to text: inout MetricText) {
    text.gauge("queue_waiting", "Submits that wait in the queue.", queue.waiting)
    text.gauge("queue_in_line", "Submits that wait for capacity of the queue.", queue.inLine)
    text.gauge("queue_capacity_taken", "Capacity used by unfinished submits.", queue.taken)
    text.gauge("queue_capacity", "Capacity of the submit queue.", queue.capacity)
    let outcomes = [
      ("recorded", submits.recorded), ("unchanged", submits.unchanged), ("refused", submits.refused),
      ("conflict", submits.conflicts), ("failed", submits.failed),
    ]
    for (outcome, count) in outcomes {
      text.counter("submits_total", "Submits, by outcome.", count, [("outcome", outcome)])
    }
    let blocks = submits.blocks
    text.histogram(
      "block_events", "Events per block appended by this process.", bounds: BlockSizes.bounds.map(String.init),
      counts: blocks.counts, sum: blocks.events)
    text.histogram(
      "commit_seconds", "Time from taking a batch from the queue until it is durable.",
      bounds: CommitTimes.bounds.map(seconds), counts: submits.commits.counts, sum: seconds(submits.commits.total))
  }

  private func writeFiles(to text: inout MetricText) {
    let files = [("log", log.file), ("index", log.index), ("state", state.file), ("others", others?.file)]
    for (name, file) in files {
      guard let file else { continue }
      let label = [("file", name)]
      text.gauge("file_used_bytes", "Bytes used in a file.", file.used, label)
      text.gauge("file_disk_bytes", "Bytes of a file on the disk.", file.onDisk, label)
      text.gauge("file_growth_bytes", "Bytes by which a file grew since opening.", file.growth, label)
      text.gauge("readers", "Reader slots in use.", file.readers.used, label)
      text.gauge("readers_max", "Reader slots in total.", file.readers.max, label)
      text.gauge(
        "reader_lag_transactions", "Transactions by which the oldest reader is behind.", file.readers.lag, label)
    }
    if let freeByteCount { text.gauge("disk_free_bytes", "Bytes that are free on the disk.", freeByteCount) }
  }
}

/// Returns a duration in seconds with all its digits.
internal func seconds(_ time: Duration) -> String {
  let (seconds, attoseconds) = time.components
  let sign = seconds < 0 || attoseconds < 0 ? "-" : ""
  if attoseconds == 0 { return "\(seconds)" }
  let digits = String(attoseconds.magnitude)
  let fraction = String(repeating: "0", count: 18 - digits.count) + digits
  return "\(sign)\(seconds.magnitude).\(fraction.prefix(through: fraction.lastIndex { $0 != "0" }!))"
}
