// The page of all benchmarks, in Markdown.
import Foundation

/// A page with what was measured, where, and what the machine did meanwhile.
struct Page {
  /// A ratio is not quoted if the middle half of its rounds spans more than this part of it.
  static let ratioBound = 0.35

  let machine: Machine
  let options: Options
  let noise: Noise
  /// The output of Tools/instructions.
  var instructions: String?
  private var sections: [Section] = []

  private struct Section {
    let name: String
    let tables: [Grid]
    let noise: [Noise]
    let isQuoted: Bool
  }

  init(machine: Machine, options: Options, noise: Noise) {
    (self.machine, self.options, self.noise) = (machine, options, noise)
  }

  mutating func add(_ name: String, _ tables: [Grid], between noise: [Noise]) {
    let isQuoted = options.isQuick || noise.allSatisfy(\.isQuotable)
    sections.append(Section(name: name, tables: tables, noise: noise, isQuoted: isQuoted))
  }

  var text: String {
    let parts =
      [heading, "## Machine\n\n" + machineTable, "## Goals\n\n" + goals]
      + (instructions.map { ["## Instructions\n\n" + Self.table($0)] } ?? []) + sections.map { text(of: $0) }
    return parts.joined(separator: "\n\n") + "\n"
  }

  private var heading: String {
    let quick = options.isQuick ? " in a quick run: nothing of it is to be quoted" : ""
    return """
      # Benchmarks

      Figures of one run on one machine, against other stores, with spread, goals, and the noise of the machine.

      ## Overview

      `Tools/bench all` wrote this page\(quick). Contestants of a table ran in turn, in rounds
      (\(options.rounds)); figures are medians, with the least and the greatest in parentheses, and ratios are taken
      round by round. A ratio whose middle half of the rounds spans more than \(percent(Self.ratioBound)) of it is
      shown as a range, without a median. Where the machine varied by more than the bounds before or after a
      table, and again when the table was repeated, it is left out.

      The pages about the measurements of each part have what bounds a figure that misses its goal, and what was
      tried: <doc:/EventLogLMDB/Measurements> for the log, <doc:Measurements> for submits and growth,
      <doc:/ChatProjections/Measurements> for folding, pages and suggestions, <doc:/Projections/Measurements> for
      tables.
      """
  }

  private var machineTable: String {
    let all = [noise] + sections.flatMap(\.noise)
    func most(_ value: KeyPath<Noise, Double>) -> Double { all.map { $0[keyPath: value] }.max() ?? 0 }
    let stores =
      ["LMDB \(machine.lmdb)", "SQLite \(machine.sqlite)", "RocksDB \(machine.rocksdb)"]
      + PythonPeer.allCases.map { "\($0.rawValue) \($0.version)" }
    let (first, last) = (digits(noise.syncMedian), digits(noise.syncMost))
    return Self.table(
      ["", ""],
      [
        ["date", Date.now.formatted(.iso8601.year().month().day())],
        ["processors", "\(machine.cores), \(machine.processor ?? "unknown")"],
        ["memory", "\(machine.memory) MiB"], ["system", "\(machine.system), kernel \(machine.kernel)"],
        ["stores", stores.joined(separator: ", ")],
        ["a sync of 4 KiB at the end of a file", "\(first) ms, 99 of 100 within \(last) ms"],
        [
          "noise of the processors",
          "\(percent(noise.processor)) at first, \(percent(most(\.processor))) at most, "
            + "bound \(percent(Noise.processorBound))",
        ],
        [
          "noise of the disk",
          "\(percent(noise.disk)) at first, \(percent(most(\.disk))) at most, "
            + "bound \(percent(Noise.diskBound))",
        ],
      ])
  }

  private var goals: String {
    let rows = Goal.all.compactMap { goal -> [String]? in
      for section in sections {
        for table in section.tables where table.name == goal.table {
          guard let column = table.columns.firstIndex(of: goal.column),
            let figure = table.rows.first(where: { $0.name == goal.row })?.figures[column]
          else { continue }
          let name = "\(goal.row), \(goal.column)"
          let bound = "\(goal.isMost ? "≤" : "≥") \(figure.show(goal.bound))"
          guard section.isQuoted, !figure.isWide else { return [name, bound, figure.range, "not quoted"] }
          return [name, bound, figure.text, goal.isReached(by: figure) ? "reached" : "missed"]
        }
      }
      return nil
    }
    return Self.table(["figure", "goal", "measured", ""], rows)
  }

  private func text(of section: Section) -> String {
    let heading = "## " + section.name.prefix(1).uppercased() + section.name.dropFirst()
    guard section.isQuoted else {
      let noise = section.noise.map(\.text)
      return heading + "\n\nNot quoted. Before it, \(noise[0]).\nAfter it, \(noise[1])."
    }
    let tables = section.tables.map { table in
      let rows = table.rows.map { row in
        [row.name] + row.figures.map { $0.map { $0.isWide ? $0.range : $0.text } ?? "" }
      }
      return table.title + ":\n\n" + Self.table([""] + table.columns, rows)
    }
    return ([heading] + tables).joined(separator: "\n\n")
  }

  /// Returns a table of what Tools/instructions printed, with two spaces or more between columns.
  private static func table(_ output: String) -> String {
    let lines = output.split(separator: "\n").map { line in
      line.split(separator: /[ ][ ]+/).map { $0.trimmingCharacters(in: .whitespaces) }
    }
    return lines.isEmpty ? "" : table(lines[0], Array(lines.dropFirst()))
  }

  private static func table(_ heading: [String], _ rows: [[String]]) -> String {
    let rule = "|" + String(repeating: "---|", count: heading.count)
    return ([line(heading), rule] + rows.map { line($0) }).joined(separator: "\n")
  }

  private static func line(_ cells: [String]) -> String {
    "| " + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |"
  }
}

extension Figure {
  /// Whether the middle half of the rounds differs by too much for a median to mean something.
  fileprivate var isWide: Bool {
    guard unit == .ratio, samples.count > 3 else { return false }
    let sorted = samples.sorted()
    return sorted[samples.count * 3 / 4] - sorted[samples.count / 4] > Page.ratioBound * median
  }

  /// The least and the greatest.
  fileprivate var range: String { "\(show(min))–\(show(max))" }
}
