// The model of a disk: what a sync makes certain, and what a power cut may leave otherwise.
import CrashImages
import Testing

/// A trace that a test writes: each call has its two records after those of the call before.
private struct Script {
  private(set) var operations: [Operation] = []
  private var record = 0

  mutating func add(_ effect: Operation.Effect) {
    operations.append(Operation(effect: effect, process: 1, began: record, ended: record + 1, time: 0))
    record += 2
  }

  mutating func create(_ name: String, _ inode: UInt64, in directory: UInt64 = 1, isDirectory: Bool = false) {
    add(.create(directory: directory, name: name, file: inode, isDirectory: isDirectory))
  }

  mutating func write(_ text: String, to inode: UInt64, at offset: Int = 0, isSynchronous: Bool = false) {
    add(.write(file: inode, offset: offset, bytes: Array(text.utf8), isSynchronous: isSynchronous))
  }

  mutating func sync(_ inode: UInt64) { add(.sync(file: inode, isOfData: false)) }

  var trace: Trace { Trace(operations) }

  /// The images at the end, as names and contents; each as often as its states lead to it.
  func images(_ count: Int = 300) -> Set<[String]> {
    // Images behind a mark differ from those before, since more was promised.
    var marked = self
    marked.add(.mark("end"))
    var series = ImageSeries(marked.trace, on: Disk(root: 1), seed: 1).images(count)
    var found: Set<[String]> = []
    while let image = series.next() {
      if image.cut == marked.trace.recordCount { found.insert(image.disk.words) }
    }
    return found
  }

  /// What is certain at the end.
  func certain(without kind: String? = nil, late: String? = nil) -> [String] {
    let fault = kind.map { Fault.without($0) } ?? late.map { .late($0) }
    var player = Player(trace, on: Disk(root: 1), fault: fault)
    player.move(to: trace.recordCount)
    return player.disk.image { _ in .nothing }.words
  }
}

extension DiskImage {
  fileprivate var words: [String] {
    directories.map { $0 + "/" }
      + files.map { "\($0.path)=\(String(decoding: $0.bytes.map { $0 == 0 ? 46 : $0 }, as: UTF8.self))" }
  }
}

@Suite struct `What is certain on a disk` {
  @Test func `a file needs a sync of its content, and its name one of the directory`() {
    var script = Script()
    script.create("a", 2)
    script.write("abc", to: 2)
    #expect(script.certain() == [])
    script.sync(2)
    #expect(script.certain() == [])
    script.sync(1)
    #expect(script.certain() == ["a=abc"])
    #expect(script.certain(without: "fsync a") == ["a="])
    #expect(script.certain(without: "fsync /") == [])
  }

  @Test func `a sync covers what ended before it began`() {
    let operations = [
      Operation(
        effect: .create(directory: 1, name: "a", file: 2, isDirectory: false), process: 1, began: 0, ended: 1, time: 0),
      Operation(effect: .sync(file: 1, isOfData: false), process: 1, began: 2, ended: 3, time: 0),
      Operation(
        effect: .write(file: 2, offset: 0, bytes: [97], isSynchronous: false), process: 1, began: 4, ended: 6, time: 0),
      Operation(effect: .sync(file: 2, isOfData: true), process: 1, began: 5, ended: 7, time: 0),
    ]
    var player = Player(Trace(operations), on: Disk(root: 1))
    player.move(to: 8)
    #expect(player.disk.image { _ in .nothing }.words == ["a="])
    #expect(player.disk.image { _ in .whole }.words == ["a=a"])
  }

  @Test func `a synchronous write is certain alone, and older writes do not come after it`() {
    var script = Script()
    script.create("a", 2)
    script.sync(1)
    script.write("old" + String(repeating: "-", count: 600), to: 2)
    script.write("new", to: 2, isSynchronous: true)
    #expect(script.certain().map { $0.prefix(5) } == ["a=new"])
    for image in script.images() { #expect(image.map { $0.prefix(5) } == ["a=new"]) }
  }

  @Test func `a rename happens whole or not at all`() {
    var script = Script()
    script.create("a", 2)
    script.write("1", to: 2)
    script.sync(2)
    script.create("b", 3)
    script.write("2", to: 3)
    script.sync(3)
    script.sync(1)
    script.add(.rename(directory: 1, name: "b", to: 1, newName: "a"))
    #expect(script.images() == [["a=1", "b=2"], ["a=2"]])
    script.sync(1)
    #expect(script.certain() == ["a=2"])
  }

  @Test func `a late sync is behind the next change`() {
    var script = Script()
    script.create("a", 2)
    script.sync(1)
    script.write("1", to: 2)
    script.sync(2)
    #expect(script.certain(late: "fsync a") == ["a=1"])
    script.add(.unlink(directory: 1, name: "a"))
    var player = Player(script.trace, on: Disk(root: 1), fault: .late("fsync a"))
    player.move(to: script.trace.recordCount - 1)
    #expect(player.disk.image { _ in .nothing }.words == ["a="])
    player.move(to: script.trace.recordCount)
    #expect(player.disk.image { _ in .nothing }.words == ["a=1"])
  }

  @Test(arguments: [
    (["chat", "projections", "22abff9d43210e52a2ac592059b5bfa3"], "fsync */projections/*/"),
    (["chat", "projections", "22abff9d43210e52a2ac592059b5bfa3-12"], "fsync */projections/*/"),
    (["chat", "blobs", "62"], "fsync chat/blobs/*/"), (["chat", "master-key.0f1e2d3c4b"], "fsync chat/master-key.*/"),
    (["backup0", "log"], "fsync backup/log/"), (["chat", "7"], "fsync chat/*/"),
  ])
  func `syncs that the same code makes are of one kind`(path: [String], kind: String) {
    var script = Script()
    for (depth, name) in path.enumerated() {
      script.create(name, UInt64(depth) + 2, in: UInt64(depth) + 1, isDirectory: true)
    }
    script.sync(UInt64(path.count) + 1)
    var player = Player(script.trace, on: Disk(root: 1))
    player.move(to: script.trace.recordCount)
    #expect(player.kind(of: path.count) == kind)
  }
}

@Suite struct `What a power cut may leave` {
  @Test func `each subset of changes that no sync covers is an image`() {
    var script = Script()
    for (number, name) in ["a", "b", "c"].enumerated() { script.create(name, UInt64(number) + 2) }
    let all = [[], ["a="], ["b="], ["c="], ["a=", "b="], ["a=", "c="], ["b=", "c="], ["a=", "b=", "c="]]
    #expect(script.images() == Set(all))
  }

  @Test func `a write tears at sectors, and brings earlier writes to its sectors along`() {
    var script = Script()
    script.create("a", 2)
    script.sync(1)
    script.write(String(repeating: "x", count: 510), to: 2)
    script.write("yyyy", to: 2, at: 510)
    let (x, y) = (String(repeating: "x", count: 510), String(repeating: ".", count: 512))
    let expected: Set = [["a="], ["a=" + x], ["a=" + x + "yy"], ["a=" + x + "yyyy"], ["a=" + y + "yy"]]
    let found = script.images(2_000)
    #expect(expected.isSubset(of: found))
    #expect(!found.contains { $0[0].hasPrefix("a=" + String(repeating: ".", count: 510) + "y") })
  }

  @Test func `a file may be extended without the bytes that were written`() {
    var script = Script()
    script.create("a", 2)
    script.sync(1)
    script.write("abc", to: 2)
    #expect(script.images() == [["a="], ["a=abc"], ["a=..."]])
  }

  @Test func `without a sync, the power is cut where less is certain than with it`() {
    var script = Script()
    script.create("a", 2)
    script.sync(1)
    script.write("1", to: 2)
    script.sync(2)
    script.add(.mark("one"))
    script.add(.sync(file: 2, isOfData: true))
    script.add(.mark("two"))
    let cuts = { (fault: Fault?) in ImageSeries(script.trace, on: Disk(root: 1), fault: fault, seed: 1).cuts }
    #expect(cuts(nil) == [3, 7, 10, 11, 14])
    #expect(cuts(.without("fsync a")) == [10, 11])
    #expect(cuts(.without("fdatasync a")) == [])
    #expect(cuts(.lying(seed: 1)) == [3, 7, 10, 11, 14])
  }

  @Test func `with a late sync, the change behind which it is made is on the disk`() {
    var script = Script()
    script.create("a", 2)
    script.sync(1)
    script.write("1", to: 2)
    script.sync(2)
    script.create("b", 3)
    var images = ImageSeries(script.trace, on: Disk(root: 1), fault: .late("fsync a"), seed: 1).images(50)
    var found: Set<[String]> = []
    while let image = images.next() { found.insert(image.disk.words) }
    #expect(found == [["a=", "b="], ["a=.", "b="], ["a=1", "b="]])
  }

  @Test func `the same seed gives the same images`() {
    var script = Script()
    for number in 0..<20 { script.create("f\(number)", UInt64(number) + 2) }
    let series = ImageSeries(script.trace, on: Disk(root: 1), seed: 7)
    var (one, other) = (series.images(50), series.images(50))
    while let image = one.next() { #expect(other.next()?.disk.hash == image.disk.hash) }
    #expect(one.counts.images == 50)
  }
}
