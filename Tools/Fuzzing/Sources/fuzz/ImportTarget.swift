// The reader of exported lines, which `verbatim import` uses.
@testable import EventLog
import Foundation
import Glibc
import JSONLines
@testable import VerbatimCommand

extension Target {
  /// A first byte for one line or an export, and their bytes.
  static let importLines = Target("import", seeds: ImportTarget.seeds, check: ImportTarget.check)
}

private enum ImportTarget {
  static func check(_ input: [UInt8]) {
    let rest = Array(input.dropFirst())
    if (input.first ?? 0) & 1 == 0 { checkLine(rest) } else { checkExport(rest) }
  }

  /// A line must be written to a line that is read, and written again, as the same line.
  private static func checkLine(_ bytes: [UInt8]) {
    for source in [nil, "urn:uuid:019b7892-1c00-7000-b059-2edecae6cf8e"] {
      guard let line = try? ExportedLine(bytes, from: source) else { continue }
      guard let written = written(line) else { continue }
      let genesis = "urn:uuid:\(Self.genesis.id)"
      let again = try? ExportedLine(written, from: line.isBeginning ? nil : genesis)
      require(
        again.flatMap { Self.written($0) } == written,
        "a line is written as \(String(decoding: written, as: UTF8.self))")
    }
  }

  private static let genesis = Genesis(id: AppendID(high: 1, low: 2), created: Timestamp(rawValue: 50))

  private static func written(_ line: ExportedLine) -> [UInt8]? {
    var writer = JSONWriter()
    switch line {
    case .beginning(let genesis, _, let from): writer.began(genesis, from: Position(rawValue: from))
    case .event(let line):
      guard let block = Int(exactly: line.block) else { return nil }
      let event = RecordedEvent(
        position: line.position, stream: line.event.stream, version: line.version, recorded: line.recorded,
        type: line.event.type, actor: line.event.actor, device: line.event.device, cause: line.event.cause,
        append: line.append, correlation: line.correlation, payload: line.event.payload, proposal: line.proposal,
        encrypted: line.event.encrypted)
      writer.exported(event, ofBlock: block, genesis)
    case .ending: return nil
    }
    return writer.bytes.dropLast()
  }

  /// All blocks that are made of lines must be sound.
  private static func checkExport(_ bytes: [UInt8]) {
    require(ftruncate(file, 0) == 0 && pwrite(file, bytes, bytes.count, 0) == bytes.count, "the disk is full")
    do throws(Failure) {
      lseek(file, 0, SEEK_SET)
      var blocks = ImportedBlocks(file)
      let lines = try blocks.forEachBlock { block, before throws(Failure) in
        do throws(BlockDefect) {
          try block.validate(after: before)
          try block.validateCanonical()
        } catch {
          require(false, "a block of lines is unsound: \(error)")
        }
      }
      require(lines.isSame == (lines.difference == nil), "a chain is the same and differs")
    } catch {
      require(error.message?.last.map { ".?)".contains($0) } == true, "no sentence: \(error.message ?? "nothing")")
    }
  }

  /// An unlinked file in memory, to which each export is written.
  private static let file: CInt = {
    var path = Array("/dev/shm/fuzz-XXXXXX".utf8CString)
    let file = mkstemp(&path)
    require(file >= 0, "no file can be created in /dev/shm")
    unlink(path)
    return file
  }()

  static func seeds(_ fixtures: URL) throws -> [String: [UInt8]] {
    var seeds: [String: [UInt8]] = [:]
    for log in ["conversation", "typed"] {
      let lines = try fixtures.appending(path: "logs/\(log)/log.jsonl").lines()
      for (index, line) in lines.enumerated() where index % 16 == 0 { seeds["\(log)-line-\(index)"] = [0] + line }
      for count in [1, 3, 7] {
        let part = [lines[0]] + lines[1..<count] + [lines[lines.count - 1]]
        seeds["\(log)-\(count)"] = [1] + part.joined(separator: [0x0A])
      }
    }
    // Exports of raw logs, whose payloads need not be events of a chat.
    for (name, isErasable) in [("raw", false), ("erasable", true)] {
      let raw = Genesis(id: genesis.id, created: genesis.created, isErasable: isErasable)
      var writer = JSONWriter()
      writer.began(raw, from: .first)
      for index: UInt64 in 1...3 {
        let event = RecordedEvent(
          position: Position(rawValue: index), stream: "s", version: StreamVersion(rawValue: index),
          recorded: Timestamp(rawValue: 60), type: "t", actor: "a", device: nil,
          cause: index > 1 ? Position(rawValue: 1) : nil, append: AppendID(high: 3, low: index / 2), correlation: "c",
          payload: index > 1 ? [0x61] : [], proposal: nil, encrypted: isErasable && index > 1 ? [0x62] : [])
        writer.exported(event, ofBlock: 1, raw)
      }
      writer.ended(raw, to: Position(rawValue: 3), at: Head(of: raw), isCut: false)
      seeds[name] = [1] + writer.bytes
    }
    return seeds
  }
}

extension ExportedLine {
  fileprivate var isBeginning: Bool { if case .beginning = self { true } else { false } }
}
