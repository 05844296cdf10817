// A run over the bits of a file, in a process of its own, since a flipped bit may end the process.
import ChildProcess
import CrashImages
import EventLogLMDB
import Foundation
import SeededRandom
import Verbatim

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Flips bits of a file of a recorded workload, one at a time, and checks what is read and written then.
struct FlipRun: Sendable {
  /// The directory of the recording: the trace, and the files after it.
  var recording: String
  /// The directory in which the files are written.
  var scratch: String
  var seed: UInt64
  /// The path of the file.
  var file: String
  /// The number of bits that are flipped, in equal distances; nil for all.
  var limit: Int?
  /// The index of the first one.
  var first = 0

  /// The number of images in which all bytes without meaning are random.
  static let noiseCount = 20

  var arguments: [String] {
    ["flip", recording, scratch, "\(seed)", file, limit.map(String.init) ?? "all", "\(first)"]
  }

  init(recording: String, scratch: String, seed: UInt64, file: String, limit: Int?) {
    (self.recording, self.scratch, self.seed, self.file, self.limit) = (recording, scratch, seed, file, limit)
  }

  init(_ arguments: [String]) {
    self.init(
      recording: arguments[1], scratch: arguments[2], seed: UInt64(arguments[3])!, file: arguments[4],
      limit: Int(arguments[5]))
    first = Int(arguments[6])!
  }

  /// A file with the index of the bit that is flipped and its place, for the process that started this one.
  var currentPath: String { scratch + "/current" }

  /// Flips the bits, and prints a line for each.
  func run() async throws {
    let trace = try Trace(at: recording + "/trace")
    var ledger = try Ledger(of: trace, in: recording)
    ledger.keep(aboutFile: file)
    var whole = try DiskImage(contentsOf: recording + "/root")
    whole.files.removeAll { !ledger.isAbout(file: $0.path) }
    guard let index = whole.files.firstIndex(where: { $0.path == file }) else { throw Finding("there is no \(file)") }
    let used = UsedBytes(of: whole.files[index].bytes, isDataFile: file.hasSuffix("/data.mdb"))
    let expected = try await contents(of: whole, ledger)
    let again = try await contents(of: whole, ledger)
    try require(again == expected, "the undamaged files are read differently twice")
    var check = ImageCheck(of: recording)
    try await self.check(whole, expected, ledger, trace, &check)

    let current = open(currentPath, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    let bits = used.ranges.flatMap { name, range in (8 * range.lowerBound..<8 * range.upperBound).map { (name, $0) } }
    let chosen = choose(limit, of: bits.count, seed: seed)
    let noise = used.unused.isEmpty ? 0 : min(Self.noiseCount, limit ?? .max)
    for number in first..<chosen.count + noise {
      var image = whole
      let (name, place): (String, String)
      if number < chosen.count {
        let bit = bits[chosen[number]].1
        image.files[index].bytes[bit / 8] ^= 1 << (bit % 8)
        (name, place) = (bits[chosen[number]].0, "bit \(bit % 8) of byte \(bit / 8)")
      } else {
        var random = SeededRandom(seed: seed &+ UInt64(number))
        for range in used.unused {
          image.files[index].bytes.replaceSubrange(range, with: random.noise(range.count))
        }
        (name, place) = ("unused", "all bytes without meaning, image \(number - chosen.count)")
      }
      let words = Array("\(number)\t\(name), \(place)".utf8)
      guard pwrite(current, words, words.count, 0) == words.count, ftruncate(current, off_t(words.count)) == 0 else {
        throw Finding("\(currentPath) cannot be written")
      }
      do {
        try await self.check(image, expected, ledger, trace, &check)
        say("bit\t\(name)\twhole")
      } catch let finding as Finding where finding.kind == .reported {
        say("bit\t\(name)\treported")
      } catch {
        say("bit\t\(name)\tbroken")
        say("finding\t\(number)\t\(name), \(place)\t\(error)")
      }
    }
  }

  private var root: String { scratch + "/image" }

  private func write(_ image: DiskImage) throws {
    try? FileManager.default.removeItem(atPath: root)
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    try image.write(to: root, seed: seed)
  }

  /// Checks that an image reads as expected, and keeps all promises; throws a ``Finding``, reported or not.
  private func check(
    _ image: DiskImage, _ expected: [String], _ ledger: Ledger, _ trace: Trace, _ check: inout ImageCheck
  ) async throws {
    do {
      let found = try await contents(of: image, ledger)
      if let index = found.indices.first(where: { !expected.indices.contains($0) || found[$0] != expected[$0] }) {
        throw Finding("it reads \(found[index])")
      }
      try require(found.count == expected.count, "it reads only \(found.count) of \(expected.count) values")
      try await check.check(root, ledger, at: trace.times.last ?? 0)
    } catch let finding as Finding where finding.kind == .reported {
      try requireAppends(ledger)
      throw finding
    }
  }

  /// Returns everything that is read from an image, as texts.
  private func contents(of image: DiskImage, _ ledger: Ledger) async throws -> [String] {
    try write(image)
    var contents: [String] = []
    for (name, area) in ledger.areas.sorted(by: { $0.key < $1.key }) {
      contents += try await finding(name) {
        area.isLog ? try events(ofLog: root + "/" + name) : try await rows(ofWorkspace: root + "/" + name)
      }
    }
    for name in ledger.outboxes.keys {
      contents += try await finding(name) {
        let outbox = try Outbox(at: root + "/" + name, user: Session.user(0), device: "phone")
        let damage = outbox.damage
        let entries = (outbox.waiting + outbox.refused.map(\.entry)).map { "\($0)" }
        await outbox.close()
        if !damage.isEmpty { throw Finding("\(name): \(damage)", .reported) }
        return entries
      }
    }
    return contents
  }

  private func events(ofLog path: String) throws -> [String] {
    let store = try EventStore.open(at: path)
    defer { store.close() }
    return try store.events(from: .first, limit: .max).map { "\($0)" }
  }

  private func rows(ofWorkspace path: String) async throws -> [String] {
    let workspace = try Workspace.open(at: path, creates: false, configuration: Session.configuration())
    let rows: Result<[String], any Error>
    do { rows = .success(try await self.rows(of: workspace)) } catch { rows = .failure(error) }
    await workspace.close()
    return try rows.get()
  }

  private func rows(of workspace: Workspace) async throws -> [String] {
    var rows = try await workspace.client(user: Session.user(0), device: "desk").read { reading in
      var rows = try reading.channels(limit: 10).channels.map { "\($0)" }
      rows += try reading.messages(in: Session.channel, limit: 50).messages.map { "\($0)" }
      rows += try reading.messages(matching: "num", limit: 50).messages.map { "\($0)" }
      rows += try reading.members(of: Session.channel, matching: "").map { "\($0)" }
      rows += try reading.drafts(limit: 10).drafts.map { "\($0)" }
      rows += try reading.composers().map { "\($0.key) \($0.content)" }
      return rows + ["\(try reading.unread())", "\(try reading.user(Session.user(1)) as User?)"]
    }
    let past = try await workspace.at(Position(rawValue: 8))
    rows += try await past.read { reading in
      try reading.chat.messages(in: Session.channel, .latest, limit: 50).messages.map { "\($0)" }
    }
    past.close()
    return rows
  }

  /// Checks that a damaged log or workspace refuses an append, or has it.
  private func requireAppends(_ ledger: Ledger) throws {
    for name in ledger.areas.keys {
      guard let store = try? EventStore.open(at: root + "/" + name) else { continue }
      defer { store.close() }
      let event = ProposedEvent(stream: "stream/after", type: "noted", payload: [1, 2, 3])
      guard let receipt = try? store.appendBlocking(Append([event])) else { continue }
      // Damage elsewhere may keep it from being read, with an error.
      guard let stored = try? store.events(from: receipt.positions.lowerBound, limit: 1) else { continue }
      try require(stored.first?.append == receipt.id, "\(name): an acknowledged append is not read")
    }
  }
}
