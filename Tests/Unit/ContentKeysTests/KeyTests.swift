// Keys: derived, stored, destroyed.
import Digests
import EventLog
import Foundation
import Locks
import SeededRandom
import Synchronization
import Testing

@testable import ContentKeys

@Suite struct `The key of a day` {
  @Test func `is computed from that of an earlier day only`() throws {
    var key = DayKey(.random(), from: Day(rawValue: 100))
    let keys = (100...130).map { key.key(of: Day(rawValue: $0)).map(bytes) }
    #expect(Set(keys).count == 31 && !keys.contains(nil))
    #expect(key.key(of: Day(rawValue: 99)) == nil)
    #expect(key.key(of: Day(rawValue: .max)) == nil)
    #expect(key.key(of: Day(rawValue: 120)).map(bytes) == keys[20])
    key.destroy(before: Day(rawValue: 110))
    #expect(key.key(of: Day(rawValue: 109)) == nil)
    #expect((110...130).map { key.key(of: Day(rawValue: $0)).map(bytes) } == Array(keys[10...]))
    key.destroy(before: Day(rawValue: 105))
    #expect(key.first == Day(rawValue: 110))
  }

  @Test(arguments: [(0, 0), (1, 0), (86_399_999_999, 0), (86_400_000_000, 1), (-1, -1), (-86_400_000_000, -1)])
  func `of a time is that of its day in UTC`(time: Int64, day: Int32) {
    #expect(Day(of: Timestamp(rawValue: time)) == Day(rawValue: day))
  }

  private func bytes(_ key: SecretKey) -> [UInt8] { key.withBytes { Array($0) } }
}

@Suite struct `A key file` {
  @Test func `has the keys that were added, for every process that opens it`() async throws {
    let folder = try KeyFolder()
    let keys = try folder.create()
    let log = KeptLog(keys)
    let other = try folder.open()
    try await log.append(.said("one", by: "ada"), .said("two", by: "bo"))
    for keys in [try folder.open(), other] {
      log.store.log.content.cipher = keys
      #expect(try log.payloads() == ["one", "two"])
    }
    // The other one had the file open, and adds to it without losing what the first adds.
    try await log.append(.said("three", by: "cy"))
    log.store.log.content.cipher = keys
    try await log.append(.said("four", by: "dan", in: "channel/lunch"))
    log.store.log.content.cipher = try folder.open()
    #expect(try log.payloads() == ["one", "two", "three", "four"])
  }

  @Test func `is durable before the event that needs it`() async throws {
    let folder = try KeyFolder()
    let log = KeptLog(try folder.create())
    let path = folder.path + "/keys"
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    await #expect(throws: AppendError.self) { try await log.append(.said("one", by: "ada")) }
    #expect(try log.store.head().position == .zero)
    try FileManager.default.removeItem(atPath: path)
    await #expect(throws: AppendError.self) { try await log.append(.said("one", by: "ada")) }
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  // What broke: it was found by reading. A key of the failed append was used, which was in no file.
  @Test func `has the keys of every event after an append failed, and another process created them`() async throws {
    let folder = try KeyFolder()
    let keys = try folder.create()
    let log = KeptLog(keys)
    // What an append did that failed before its block was written.
    var parts = ContentParts()
    let (place, time) = (AppendPlace(AppendID(high: 1, low: 2), 0), Timestamp(rawValue: 1_790_000_000_000_000))
    #expect(try keys.encrypt(.said("none", by: "ada"), place, at: time, into: &parts) { _ in false })
    log.store.log.content.cipher = try folder.open()
    try await log.append(.said("one", by: "ada"))
    log.store.log.content.cipher = keys
    // The file is read again for the second.
    try await log.append(.said("two", by: "ada"), .said("three", by: "ben", in: "channel/lunch"))
    log.store.log.content.cipher = try folder.open()
    #expect(try log.payloads() == ["one", "two", "three"])
  }

  // What broke: it was found by reading. A killed process had written the file, and nothing synced it any more.
  @Test func `that another process wrote is durable before it is relied on`() throws {
    let folder = try KeyFolder()
    _ = try folder.create()
    for isErasing in [false, true] {
      var state = KeyState(KeyFile(in: folder.path), folder.master, { .random() })
      try state.read()
      let before = state.file.isDurable
      let isChanged = if isErasing { try state.destroyErased() } else { try !state.sync() }
      let after = state.file.isDurable
      #expect(!before && !isChanged && after, "\(isErasing)")
    }
  }

  // What broke: it was found by reading. A key that was in the file for a moment encrypted what came later.
  @Test func `has the keys of every event after one was read whose sync failed`() async throws {
    let folder = try KeyFolder()
    let keys = try folder.create()
    let before = try folder.data("keys")
    var parts = ContentParts()
    let (place, time) = (AppendPlace(AppendID(high: 1, low: 2), 0), Timestamp(rawValue: 1_790_000_000_000_000))
    #expect(try keys.encrypt(.said("none", by: "ada"), place, at: time, into: &parts) { _ in false })
    #expect(try keys.sync())
    // After a failed sync, the record is cut off again: another process has read it.
    let other = try folder.open()
    try before.write(to: folder.url("keys"))
    let log = KeptLog(other)
    try await log.append(.said("one", by: "ada"))
    log.store.log.content.cipher = try folder.open()
    #expect(try log.payloads() == ["one"])
  }

  @Test func `is not blamed where the log cannot be read`() async throws {
    let folder = try KeyFolder()
    let keys = try folder.create()
    var parts = ContentParts()
    let place = AppendPlace(AppendID(high: 1, low: 2), 0)
    for event in [.said("x", by: "ada"), .said("x", by: "ada", in: "user/ada")] as [ProposedEvent] {
      #expect {
        _ = try keys.encrypt(event, place, at: Timestamp(rawValue: 0), into: &parts) { _ throws(LogError) in
          throw .readOnly(path: "here")
        }
      } throws: {
        "\($0)" == "\(LogError.readOnly(path: "here"))"
      }
    }
    #expect(folder.has("keys"))
  }

  @Test func `is not created in place of a missing one, and needs its master key`() throws {
    let folder = try KeyFolder()
    #expect(throws: KeyError.self) { try folder.open() }
    _ = try folder.create()
    let (path, master) = (folder.path, folder.path + "/master-key")
    #expect(throws: KeyError.self) { try ContentKeys.open(in: path, .custom { .random() }) }
    #expect(throws: KeyError.self) { try ContentKeys.open(in: path, .environment("VERBATIM_NO_SUCH_VARIABLE")) }
    let text = try String(contentsOfFile: master, encoding: .utf8)
    _ = try ContentKeys.open(in: path, .custom { try #require(SecretKey(hexadecimal: String(text.dropLast()))) })
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: master)
    #expect { try folder.open() } throws: { "\($0)".contains("chmod 600") }
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: master)
    try "5".write(toFile: master, atomically: false, encoding: .utf8)
    #expect { try folder.open() } throws: { "\($0)".contains("64 hexadecimal digits") }
  }

  @Test func `of before a user or a channel was created gets no other keys for them`() async throws {
    let folder = try KeyFolder()
    let log = KeptLog(try folder.create())
    let file = URL(fileURLWithPath: folder.path + "/keys")
    let before = try Data(contentsOf: file)
    try await log.append(.said("profile", by: "ada", in: "user/ada"), .said("words", by: "ada"))
    try before.write(to: file)
    log.store.log.content.cipher = try folder.open()
    for event in [.said("more", by: "ada"), .said("typed", by: "ada", in: "composer/ada/phone/general")]
      as [ProposedEvent]
    {
      await #expect { try await log.append(event) } throws: { "\($0)".contains("The keys of") }
    }
    // Bo is new, and the channel is not.
    await #expect { try await log.append(.said("hello", by: "bo")) } throws: { "\($0)".contains("the channel general") }
    try await log.append(.said("profile", by: "bo", in: "user/bo"))
    #expect(try log.store.head().position == Position(rawValue: 3))
  }

  @Test func `with a flipped bit is refused, or lacks the keys with it`() async throws {
    let folder = try KeyFolder()
    let log = KeptLog(try folder.create())
    for name in ["ada", "bo", nil] as [Name?] { try await log.append(.said("words", by: name)) }
    let path = folder.path + "/keys"
    let bytes = try Array(Data(contentsOf: URL(fileURLWithPath: path)))
    for bit in stride(from: 0, to: 8 * bytes.count, by: 5) {
      var changed = bytes
      changed[bit / 8] ^= 1 << UInt8(bit % 8)
      try Data(changed).write(to: URL(fileURLWithPath: path))
      guard let keys = try? folder.open() else { continue }
      log.store.log.content.cipher = keys
      let report = try ContentReport(of: log.store.log)
      #expect(report.readable < 3 && report.readable + report.unreadable == 3, "bit \(bit)")
      #expect(report.findings.allSatisfy { if case .keyMissing = $0.defect { true } else { false } })
    }
    // An interrupted addition is no key, and is overwritten by the next one.
    try Data(bytes + bytes.suffix(40).dropLast(3)).write(to: URL(fileURLWithPath: path))
    log.store.log.content.cipher = try folder.open()
    try await log.append(.said("words", by: "dan"))
    log.store.log.content.cipher = try folder.open()
    #expect(try log.payloads() == Array(repeating: "words", count: 4))
  }

  @Test func `is copied with all keys of the events before, or not`() async throws {
    let (folder, other) = (try KeyFolder(), try KeyFolder())
    let keys = try folder.create()
    let log = KeptLog(keys)
    try await log.append(.said("one", by: "ada"))
    let copy = try KeyCopy(of: folder.path)
    // Keys that are added meanwhile are in the copy, and do no harm.
    try await log.append(.said("two", by: "bo"))
    try copy.finish(in: other.path)
    try FileManager.default.copyItem(atPath: folder.path + "/master-key", toPath: other.path + "/master-key")
    log.store.log.content.cipher = try other.open()
    #expect(try log.payloads() == ["one", "two"])
    log.store.log.content.cipher = keys
    // Keys that are destroyed are missing in it.
    let third = try KeyFolder()
    let late = try KeyCopy(of: folder.path)
    keys.erasures.erase("ada", generations: 1, at: Position(rawValue: 3))
    #expect(try keys.destroyErased())
    #expect { try late.finish(in: third.path) } throws: { "\($0)".contains("were destroyed by an erasure") }
    #expect { try KeyCopy(of: third.path + "/none") } throws: { "\($0)".contains("keys of the workspace are missing") }
  }

  @Test func `is read with another master key after that was replaced, by all who have it open`() async throws {
    let folder = try KeyFolder()
    let (keys, other) = (try folder.create(), try folder.open())
    let log = KeptLog(keys)
    try await log.append(.said("one", by: "ada"))
    let (old, file) = (try folder.contents("master-key"), try folder.data("keys"))
    try keys.replaceMaster(by: nil)
    #expect(try folder.contents("master-key") != old && folder.data("keys") != file)
    #expect(!folder.has("master-key-next"))
    // Nothing of the file can be read with the earlier one, and each process goes on.
    let earlier = MasterKey.custom { try #require(SecretKey(hexadecimal: String(old.dropLast()))) }
    #expect { try ContentKeys.open(in: folder.path, earlier) } throws: { "\($0)".contains("another master key") }
    for keys in [keys, other, try folder.open()] {
      log.store.log.content.cipher = keys
      #expect(try log.payloads().first == "one")
      try await log.append(.said("more", by: "ada"), .said("new", by: "bo"))
    }
    // Keys that are destroyed by one with the file open are written with the new one.
    other.erasures.erase("bo", generations: 1, at: Position(rawValue: 3))
    #expect(try other.destroyErased())
    log.store.log.content.cipher = try folder.open()
    #expect { _ = try log.payloads() } throws: { "\($0)".contains("the user bo") }
    // From the file to another place, which has to be given from then on.
    let key = SecretKey.random()
    try other.replaceMaster(by: .custom { key })
    #expect { try folder.open() } throws: { "\($0)".contains("another master key") }
    _ = try ContentKeys.open(in: folder.path, .custom { key })
    #expect { try other.replaceMaster(by: nil) } throws: { "\($0)".contains("no new one was given") }
  }

  // What broke: a killed process had left the master key under a second name, which a replacement did not make useless.
  @Test func `leaves no other name of a master key that was replaced`() throws {
    let folder = try KeyFolder()
    let keys = try folder.create()
    try FileManager.default.linkItem(at: folder.url("master-key"), to: folder.url("master-key.1f"))
    try folder.write("of the user", "master-key.note")
    try keys.replaceMaster(by: nil)
    #expect(!folder.has("master-key.1f") && folder.has("master-key.note"))
  }

  // What broke: a process that looked for the new master key just after it had taken the place of the other had the
  // other alone.
  @Test func `has a master key that can be read while it is replaced`() throws {
    let folder = try KeyFolder()
    _ = try folder.create()
    let path = folder.path + "/master-key"
    let newest = Locked(try MasterKey.file(path).read()[0].hexadecimal)
    let isDone = Atomic<Bool>(false)
    Thread.detachNewThread {
      for _ in 0..<20 {
        guard let key = try? MasterKey.createNext(to: path) else { break }
        newest.withLock { $0 = key.hexadecimal }
        try? MasterKey.takeNext(to: path)
      }
      isDone.store(true, ordering: .releasing)
    }
    while !isDone.load(ordering: .acquiring) {
      let before = newest.withLock { $0 }
      let keys = try MasterKey.file(path).read().map(\.hexadecimal)
      if newest.withLock({ $0 }) == before { #expect(keys.contains(before)) }
    }
    #expect(!folder.has("master-key-next"))
  }

  // What broke: it was found by reading. After a replacement that failed, new keys were added with a file key that no
  // file has, and no process could read any key afterwards.
  @Test func `has all keys after a replacement of it failed`() async throws {
    let folder = try KeyFolder()
    let keys = try folder.create()
    let log = KeptLog(keys)
    try await log.append(.said("one", by: "ada"), .said("two", by: "bo"))
    keys.erasures.erase("bo", generations: 1, at: Position(rawValue: 3))
    try FileManager.default.createDirectory(at: folder.url("keys-new"), withIntermediateDirectories: true)
    #expect(throws: KeyError.self) { try keys.destroyErased() }
    try FileManager.default.removeItem(at: folder.url("keys-new"))
    try await log.append(.said("three", by: "cy"))
    let again = try folder.open()
    log.store.log.content.cipher = again
    #expect(try log.payloads() == ["one", "two", "three"])
    again.erasures.erase("bo", generations: 1, at: Position(rawValue: 3))
    #expect(try again.destroyErased())
  }

  // What broke: it was found by reading. A file that replaced the one that replaced it has its inode and size, so that
  // a process which had read the first did not notice.
  @Test func `is read again after it was replaced twice`() async throws {
    let folder = try KeyFolder()
    let (keys, other) = (try folder.create(), try folder.open())
    let log = KeptLog(keys)
    try await log.append(.said("one", by: "ada"))
    log.store.log.content.cipher = other
    #expect(try log.payloads() == ["one"])
    for _ in 0..<6 {
      for _ in 0..<2 { try keys.replaceMaster(by: nil) }
      try await log.append(.said("more", by: Name(stringLiteral: "user\(try log.payloads().count)")))
      let read = try folder.open()
      log.store.log.content.cipher = read
      #expect(try log.payloads().first == "one")
      log.store.log.content.cipher = other
    }
  }

  // What broke: it was found by reading. The file kept its inode, its length and its first bytes.
  @Test func `is read again after a record took the place of an incomplete one of the same length`() async throws {
    let folder = try KeyFolder()
    let log = KeptLog(try folder.create())
    try await log.append(.said("one", by: nil, in: "app/x"))
    let before = try folder.data("keys").count
    try await log.append(.said("profile", by: "ada", in: "user/ada"))
    // A power cut that kept the new length, and not the record.
    var file = try folder.data("keys")
    let count = file.count
    file.replaceSubrange(before..<count, with: Data(count: count - before))
    try file.write(to: folder.url("keys"))
    let (keys, other) = (try folder.open(), try folder.open())
    log.store.log.content.cipher = keys
    try await log.append(.said("two", by: "eve", in: "user/eve"))
    #expect(try folder.data("keys").count == count)
    log.store.log.content.cipher = other
    #expect(try log.store.events(from: Position(rawValue: 3), limit: 1).map(\.payload) == [Array("two".utf8)])
  }

  @Test func `is read wherever the replacement of its master key was interrupted`() async throws {
    let folder = try KeyFolder()
    let keys = try folder.create()
    let log = KeptLog(keys)
    try await log.append(.said("one", by: "ada"), .said("two", by: "bo"))
    let (old, before) = (try folder.contents("master-key"), try folder.data("keys"))
    try keys.replaceMaster(by: nil)
    let (new, after) = (try folder.contents("master-key"), try folder.data("keys"))
    func expectReadable(_ keys: ContentKeys) throws {
      log.store.log.content.cipher = keys
      #expect(try log.store.events(limit: 1).map(\.payload) == [Array("one".utf8)])
    }
    // Before the key file is written: the new master key is not used.
    try folder.write(old, "master-key")
    try folder.write(new, "master-key-next")
    try before.write(to: folder.url("keys"))
    let first = try folder.open()
    try expectReadable(first)
    try first.finishReplacingMaster()
    #expect(try !first.isReplacingMaster && folder.contents("master-key") == old)
    // After it: it takes its place, and keys are destroyed under it meanwhile.
    try after.write(to: folder.url("keys"))
    let second = try folder.open()
    try expectReadable(second)
    #expect(second.isReplacingMaster)
    second.erasures.erase("bo", generations: 1, at: Position(rawValue: 2))
    #expect(try second.destroyErased())
    try expectReadable(try folder.open())
    try second.finishReplacingMaster()
    #expect(try !second.isReplacingMaster && folder.contents("master-key") == new && !folder.has("master-key-next"))
    try expectReadable(try folder.open())
    // A process that read the file before this does not take the new key of a later one, which is not used.
    try folder.write(old, "master-key")
    try folder.write(new, "master-key-next")
    let third = try folder.open()
    #expect(third.isReplacingMaster)
    try folder.write(new, "master-key")
    try folder.write(old, "master-key-next")
    try third.finishReplacingMaster()
    #expect(try folder.contents("master-key") == new)
    try expectReadable(try folder.open())
  }

  @Test func `of before all keys were replaced decrypts nothing of after`() async throws {
    let folder = try KeyFolder()
    let (keys, other) = (try folder.create(), try folder.open())
    let log = KeptLog(keys)
    func write(_ text: String) async throws {
      try await log.append(.said(text, by: "ada"), .said(text, by: "ada", in: "composer/ada/phone/general"))
      try await log.append(.said(text, by: "ada", owner: .channel), .said(text, by: nil, in: "app/x"))
    }
    try await write("one")
    let (id, proposal) = (AppendID(high: 1, low: 2), ProposalHash(rawValue: 77))
    let proposed = try await log.store.append(Append([.said("x", by: "ada")], id: id, proposal: proposal))
    let before = try folder.data("keys")
    try replace(keys, of: log)
    #expect(try await log.store.append(Append([.said("x", by: "ada")], id: id, proposal: proposal)) == proposed)
    // Another process that has the file open uses the new ones, too.
    log.store.log.content.cipher = other
    try await write("two")
    log.store.log.content.cipher = try folder.open()
    try log.store.readErasures()
    #expect(try log.payloads() == Array(repeating: "one", count: 4) + ["x", ""] + Array(repeating: "two", count: 4))
    let after = try folder.data("keys")
    try before.write(to: folder.url("keys"))
    log.store.log.content.cipher = try folder.open()
    try log.store.readErasures()
    let report = try ContentReport(of: log.store.log)
    #expect(report.readable == 5 && report.unreadable == 4)
    // Nor does it get other keys in their place.
    for stream in ["channel/general", "channel/new", "user/ben"] as [Name] {
      await #expect { try await log.append(.said("no", by: "ben", in: stream)) } throws: {
        "\($0)".contains("The keys of")
      }
    }
    // An erasure covers the content of all keys of a user, and new keys follow it.
    try after.write(to: folder.url("keys"))
    log.store.log.content.cipher = keys
    try erase("ada", keys, of: log)
    try await write("three")
    let between = try folder.data("keys")
    try replace(keys, of: log)
    try await write("four")
    log.store.log.content.cipher = try folder.open()
    try log.store.readErasures()
    let last = try ContentReport(of: log.store.log)
    #expect(last.unreadable == 0 && last.erased.values.reduce(0, +) == 5)
    #expect(try log.payloads().suffix(4) == Array(repeating: "four", count: 4))
    try between.write(to: folder.url("keys"))
    log.store.log.content.cipher = try folder.open()
    try log.store.readErasures()
    #expect(try ContentReport(of: log.store.log).unreadable == 4)
  }

  // What broke: an app's event of that name, by any user, made all content of the workspace unreadable and unwritable.
  @Test func `an event with an author neither replaces keys nor requests an erasure`() async throws {
    let folder = try KeyFolder()
    let log = KeptLog(try folder.create())
    try await log.append(.said("one", by: "ada"))
    // The payload of the second is a request to erase all content of ada.
    for (type, payload) in [("keysReplaced", []), ("erasureRequested", [10, 3, 97, 100, 97, 16, 1])] as [(_, [UInt8])] {
      let name = Name(stringLiteral: "app/verbatim.\(type).1")
      try await log.append(ProposedEvent(stream: Erasure.stream, type: name, payload: payload, actor: "bo"))
    }
    try log.store.readErasures()
    #expect(try log.store.erasures() == [])
    try await log.append(.said("two", by: "ada"))
    #expect(try [log.payloads().first, log.payloads().last] == ["one", "two"])
  }

  private func replace(_ keys: ContentKeys, of log: KeptLog) throws { try log.store.replace(keys) }

  private func erase(_ user: Name, _ keys: ContentKeys, of log: KeptLog) throws {
    try log.store.requestErasure(of: .user(user), with: keys)
    try log.store.readErasures()
    #expect(try keys.destroyErased())
  }

  @Test func `without the destroyed keys has none of their bytes`() async throws {
    let folder = try KeyFolder()
    let keys = try folder.create()
    let log = KeptLog(keys)
    try await log.append(.said("one", by: "ada"), .said("two", by: "bo"))
    let before = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/keys"))
    keys.erasures.erase("ada", generations: 1, at: Position(rawValue: 3))
    #expect(try keys.destroyErased())
    #expect(try !keys.destroyErased())
    let after = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/keys"))
    #expect(after.count < before.count)
    for start in stride(from: 0, to: before.count - 16, by: 8) where start >= 12 {
      #expect(after.firstRange(of: before[start..<start + 16]) == nil)
    }
    // With the erasure, the old and the new file read the same; without it, a missing key is an error.
    for file in [before, after] {
      try file.write(to: URL(fileURLWithPath: folder.path + "/keys"))
      let opened = try folder.open()
      opened.erasures = keys.erasures
      log.store.log.content.cipher = opened
      let events = try log.store.events(limit: .max)
      #expect(events.map(\.payload) == [[], Array("two".utf8)])
      #expect(events.map(\.erasedBy) == [Position(rawValue: 3), nil])
    }
    log.store.log.content.cipher = try folder.open()
    #expect { _ = try log.payloads() } throws: { "\($0)".contains("the user ada") }
  }
}
