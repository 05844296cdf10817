// All benchmarks in one run, each between two measurements of the machine's noise.
import Foundation

/// Measures all subjects, and writes a page.
struct AllBench {
  let options: Options
  let disk: Disk

  /// What is measured between two measurements of the noise.
  private struct Part {
    let name: String
    let options: Options
  }

  private var parts: [Part] {
    Subject.allCases.flatMap { subject -> [Part] in
      var options = options
      options.subject = subject
      guard subject == .log else { return [Part(name: subject.rawValue, options: options)] }
      return Section.allCases.filter { options.includes($0) }.map { section in
        options.only = section
        return Part(name: "\(subject.rawValue) \(section.rawValue)", options: options)
      }
    }
  }

  func run() throws {
    var noise = try quietNoise()
    var page = Page(machine: Machine(), options: options, noise: noise)
    for part in parts {
      let (tables, before, after) = try measure(part, after: noise)
      page.add(part.name, tables, between: [before, after])
      noise = after
    }
    if let path = options.instructions { page.instructions = try String(contentsOfFile: path, encoding: .utf8) }
    try page.text.write(toFile: options.page, atomically: true, encoding: .utf8)
    Bench.complain("the page is \(options.page)")
  }

  /// Waits for a quiet machine; a machine that does not become quiet is not measured.
  private func quietNoise() throws -> Noise {
    for attempt in 1...20 {
      if attempt > 1 { Thread.sleep(forTimeInterval: 15) }
      let noise = try Noise(on: disk)
      Bench.complain(noise.text)
      if noise.isQuotable || options.isQuick { return noise }
    }
    throw Usage(message: "this machine varies too much to be measured; stop what else runs on it, and try again")
  }

  /// Measures a part, and once more if the machine was not quiet.
  private func measure(
    _ part: Part, after before: Noise, isFirst: Bool = true
  ) throws -> (tables: [Grid], before: Noise, after: Noise) {
    Bench.complain(part.name)
    var tables: [Grid] = []
    try Bench.measure(part.options, disk) { tables.append($0) }
    let after = try Noise(on: disk)
    Bench.complain(after.text)
    let isQuiet = before.isQuotable && after.isQuotable || options.isQuick
    return isQuiet || !isFirst ? (tables, before, after) : try measure(part, after: after, isFirst: false)
  }
}
