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
    switch options.subject {
    case .log: try runLog(options)
    case .codec: try runCodec(options)
    case .composer: try runOnDisk(options) { try ComposerBench(options: options, disk: $0).run() }
    case .drafts: try runOnDisk(options) { try DraftBench(options: options, disk: $0).run() }
    case .fold: try runOnDisk(options) { [try FoldBench(options: options, disk: $0).run()] }
    case .list: try runOnDisk(options) { _ in try ListBench(options: options).run() }
    case .people: try runOnDisk(options) { [try PeopleBench(options: options, disk: $0).run()] }
    case .pages: try runOnDisk(options) { [try PageBench(options: options, disk: $0).run()] }
    case .postgres: try runOnDisk(options) { try PostgresBench(options: options, disk: $0).run() }
    case .search: try runOnDisk(options) { try SearchBench(options: options, disk: $0).run() }
    case .submit: try runOnDisk(options) { try SubmitBench(options: options, disk: $0).run() }
    case .projections: try runViews(options)
    }
  }

  private static func runOnDisk(_ options: Options, _ bench: (Disk) throws -> [Grid]) throws {
    let disk = try Disk(at: options.directory)
    defer { disk.removeAll() }
    let report = Report(machine: Machine(), options: options)
    if !options.isJSON { show(report.heading) }
    let grids = try bench(disk)
    show(options.isJSON ? try report.json(grids) : grids.map { "\n" + $0.text }.joined(separator: "\n"))
  }

  private static func runViews(_ options: Options) throws {
    let disk = try Disk(at: options.directory)
    defer { disk.removeAll() }
    let report = Report(machine: Machine(), options: options)
    if !options.isJSON { show(report.heading) }
    let bench = try ViewsBench(options: options, disk: disk)
    var grids = [try bench.fill()]
    if !options.isJSON { show("\n" + grids[0].text) }
    for part in ViewsBench.Part.allCases where options.includes(part) {
      grids.append(try bench.run(part))
      if !options.isJSON { show("\n" + grids[grids.count - 1].text) }
    }
    if options.isJSON { show(try report.json(grids)) }
  }

  private static func runCodec(_ options: Options) throws {
    let report = Report(machine: Machine(), options: options)
    if !options.isJSON { show(report.heading) }
    let grid = try CodecBench(options: options).run()
    show(options.isJSON ? try report.json([grid]) : "\n" + grid.text)
  }

  private static func runLog(_ options: Options) throws {
    let disk = try Disk(at: options.directory)
    defer { disk.removeAll() }
    let bench = LogBench(options: options, disk: disk)
    let machine = Machine()
    let report = Report(machine: machine, options: options)
    if !options.isJSON { show(report.heading) }
    var grids: [Grid] = []
    for section in Section.allCases where options.includes(section) {
      for grid in try bench.run(section) {
        grids.append(grid)
        if !options.isJSON { show("\n" + grid.text) }
      }
    }
    if options.isJSON { show(try report.json(grids)) }
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
