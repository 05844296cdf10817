// Measures the space of an event on the disk beyond its payload and its names.

extension LogBench {
  func space() throws -> Grid {
    let columns = try [1, 100, 1000].map { perCommit in
      let log = try filledLog(perCommit)
      return ("\(log.events) events, \(perCommit) per commit", figures(log))
    }
    return Grid(
      "space", "Bytes per event on disk, closed (beyond: without payload and names as they are stored)",
      columns: columns,
      rows: [
        "names in our blocks", "names in sqlite's rows", "log", "log, beyond", "index",
        "log and index, beyond", "log and index, beyond, by length", "sqlite", "sqlite, beyond",
        "sqlite, beyond, by length",
      ], ratios: [Ratio("sqlite, beyond", to: "log and index, beyond")])
  }

  private func figures(_ log: FilledLog) -> [String: Figure] {
    let events = Double(log.events)
    func perEvent(_ bytes: Int) -> Figure { Figure(unit: .bytes, samples: [Double(bytes) / events]) }
    let payloads = log.events * Vocabulary.payloadByteCount
    let ours = payloads + log.nameByteCount
    let theirs = payloads + log.sqliteNameByteCount
    return [
      "names in our blocks": perEvent(log.nameByteCount),
      "names in sqlite's rows": perEvent(log.sqliteNameByteCount),
      "log": perEvent(log.logSize.onDisk),
      "log, beyond": perEvent(log.logSize.onDisk - ours),
      "index": perEvent(log.indexSize.onDisk),
      "log and index, beyond": perEvent(log.logSize.onDisk + log.indexSize.onDisk - ours),
      "log and index, beyond, by length": perEvent(log.logSize.logical + log.indexSize.logical - ours),
      "sqlite": perEvent(log.sqliteSize.onDisk),
      "sqlite, beyond": perEvent(log.sqliteSize.onDisk - theirs),
      "sqlite, beyond, by length": perEvent(log.sqliteSize.logical - theirs),
    ]
  }
}
