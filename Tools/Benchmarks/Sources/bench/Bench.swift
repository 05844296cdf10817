// Benchmarks: the log against its foundations, the event codec, folding, queries, and submits.
import Foundation

@main
enum Bench {
  static func main() {
    do {
      if CommandLine.arguments.dropFirst().first == "projections-child" {
        return try ViewsChild.run(Array(CommandLine.arguments.dropFirst(2)))
      }
      if CommandLine.arguments.dropFirst().first == "submit-child" {
        return try SubmitChild.run(Array(CommandLine.arguments.dropFirst(2)))
      }
      if CommandLine.arguments.dropFirst().first == "growth-child" {
        return try GrowthChild.run(Array(CommandLine.arguments.dropFirst(2)))
      }
      if CommandLine.arguments.dropFirst().first == "work" {
        return try Work.run(Array(CommandLine.arguments.dropFirst(2)))
      }
      let options = try Options(Array(CommandLine.arguments.dropFirst()))
      try run(options)
    } catch let error as Usage {
      complain(error.message + "\n\n" + Options.usage)
      exit(2)
    } catch {
      complain("\(error)")
      exit(1)
    }
  }

  private static func run(_ options: Options) throws {
    let disk = try Disk(at: options.directory)
    defer { disk.removeAll() }
    if options.isAll { return try AllBench(options: options, disk: disk).run() }
    let report = Report(machine: Machine(), options: options)
    if !options.isJSON { show(report.heading) }
    var grids: [Grid] = []
    try measure(options, disk) { grid in
      grids.append(grid)
      if !options.isJSON { show("\n" + grid.text) }
    }
    if options.isJSON { show(try report.json(grids)) }
  }

  /// Measures a subject, and passes each of its tables on when it is complete.
  static func measure(_ options: Options, _ disk: Disk, _ take: (Grid) throws -> Void) throws {
    switch options.subject {
    case .log:
      let bench = LogBench(options: options, disk: disk)
      for section in Section.allCases where options.includes(section) { try bench.run(section).forEach(take) }
    case .projections:
      let bench = try ViewsBench(options: options, disk: disk)
      try take(try bench.fill())
      for part in ViewsBench.Part.allCases where options.includes(part) { try take(try bench.run(part)) }
    case .codec: try take(try CodecBench(options: options).run())
    case .composer: try ComposerBench(options: options, disk: disk).run().forEach(take)
    case .drafts: try DraftBench(options: options, disk: disk).run().forEach(take)
    case .fold: try take(try FoldBench(options: options, disk: disk).run())
    case .growth: try GrowthBench(options: options, disk: disk).run().forEach(take)
    case .list: try ListBench(options: options).run().forEach(take)
    case .people: try take(try PeopleBench(options: options, disk: disk).run())
    case .pages: try take(try PageBench(options: options, disk: disk).run())
    case .postgres: try PostgresBench(options: options, disk: disk).run().forEach(take)
    case .search: try SearchBench(options: options, disk: disk).run().forEach(take)
    case .submit: try SubmitBench(options: options, disk: disk).run().forEach(take)
    }
  }

  /// Prints a result immediately, even to a file.
  private static func show(_ text: String) {
    FileHandle.standardOutput.write(Data((text + "\n").utf8))
  }

  /// Prints a message that is not a result.
  static func complain(_ text: String) {
    FileHandle.standardError.write(Data(("bench: " + text + "\n").utf8))
  }
}

/// A section of the log benchmarks that can be run on its own.
enum Section: String, CaseIterable {
  case append, concurrent, scan, read, space, preload
}

/// The benchmarks of the log, and the resources that they share.
final class LogBench {
  let options: Options
  let disk: Disk
  let vocabulary = Vocabulary()
  private var filled: [Int: FilledLog] = [:]

  init(options: Options, disk: Disk) {
    self.options = options
    self.disk = disk
  }

  func run(_ section: Section) throws -> [Grid] {
    switch section {
    case .append: [try append()]
    case .concurrent: [try concurrent()]
    case .scan: [try scan()]
    case .read: try read()
    case .space: [try space()]
    case .preload: try preload()
    }
  }

  /// Returns a log written with `perCommit` events per commit, and the same events in SQLite; each is written once.
  func filledLog(_ perCommit: Int) throws -> FilledLog {
    if let log = filled[perCommit] { return log }
    let events = options.events(perCommit: perCommit)
    let log = try FilledLog(disk: disk, vocabulary: vocabulary, events: events, perCommit: perCommit)
    filled[perCommit] = log
    return log
  }
}
