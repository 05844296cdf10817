// Damaged data files never crash the reader, and their damage is reported.
import Glibc
import SeededRandom
import Testing

@testable import LMDBPages

/// Threat: a file with arbitrary bytes. Nothing here may crash, trap or hang, and damage to the structure that LMDB
/// relies on is reported.
@Suite struct `A damaged file` {
  @Test func `any flipped byte is survived and damage to the structure is reported`() throws {
    let sample = SampleFile()
    sample.fillSmall()
    sample.close()
    let file = try DataFile(path: sample.path)
    let layout = try Layout(file)
    #expect(look(at: sample) == nil)
    var random = SeededRandom(seed: 31)
    var unreported: [String] = []
    let contents = sample.contents
    // All bytes take a minute; otherwise every byte of structure and every seventeenth of the others.
    let isLong = getenv("VERBATIM_LONG_TESTS") != nil
    for offset in contents.indices where isLong || offset % 17 == 0 || layout.structure.contains(offset) {
      for mask in [0xFF, UInt8(1) << random.below(8)] {
        let flipped = contents[offset] ^ mask
        sample.overwrite(at: offset, [flipped])
        let report = look(at: sample)
        if report == nil, layout.mustTell(offset, contents[offset], flipped) {
          let place = "byte \(offset % 4096) of page \(offset / 4096)"
          unreported.append("\(place), \(contents[offset]) to \(flipped)")
        }
        sample.overwrite(at: offset, [contents[offset]])
      }
    }
    #expect(unreported == [])
    #expect(layout.structure.count > 1000)
  }

  @Test func `eight overwritten bytes anywhere are survived`() throws {
    let seed = UInt64.random(in: 0..<1 << 32)
    print("seed \(seed)")
    try overwriteAnywhere(seed: seed, rounds: 1500)
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `repeated overwrites of eight bytes are survived`(seed: UInt64) throws {
    try overwriteAnywhere(seed: seed, rounds: 300, keeping: true)
  }

  @Test func `a truncated file is survived`() throws {
    let sample = SampleFile()
    sample.fillSmall()
    sample.close()
    for size in stride(from: sample.contents.count - 1, to: 0, by: -509) {
      truncate(sample.path, off_t(size))
      #expect(look(at: sample) != nil)
    }
  }

  @Test func `a file that is not a data file is reported`() throws {
    let sample = SampleFile()
    sample.close()
    var random = SeededRandom(seed: 41)
    for contents in [[], [1], (0..<20_000).map { _ in UInt8(random.below(256)) }] as [[UInt8]] {
      sample.contents = contents
      let file = try DataFile(path: sample.path)
      #expect(file.pageSize == 4096)
      #expect(throws: DataFileError.self) { try file.newestMeta() }
    }
    #expect(throws: DataFileError.notAFile(path: sample.directory)) {
      try DataFile(path: sample.directory)
    }
    #expect(throws: DataFileError.cannotOpen(path: "/nowhere", errno: ENOENT)) {
      try DataFile(path: "/nowhere")
    }
  }

  @Test func `a link or a FIFO in place of a data file is refused`() throws {
    let sample = SampleFile()
    let (link, fifo) = (sample.directory + "/link", sample.directory + "/fifo")
    defer { for path in [link, fifo] { unlink(path) } }
    try #require(symlink(sample.path, link) == 0 && mkfifo(fifo, 0o600) == 0)
    for path in [link, fifo] {
      #expect(throws: DataFileError.notAFile(path: path)) { try DataFile(path: path) }
    }
    #expect(throws: DataFileError.notAFile(path: link)) { try DataFile(path: link + "/data.mdb") }
  }

  /// LMDB 0.9 refuses such a file; the state one transaction earlier is still complete.
  @Test(arguments: [0, 1])
  func `a file without one meta page yields the state of the other`(lost: Int) throws {
    let sample = SampleFile()
    sample.fillSmall()
    sample.close()
    sample.overwrite(at: lost * 4096, [UInt8](repeating: 0xAA, count: 4096))
    let file = try DataFile(path: sample.path)
    let meta = try file.newestMeta()
    #expect(file.pageSize == 4096 && meta.index == 1 - lost)
    #expect(try file.damages(of: meta) == [])
    #expect(file.metaDisagreement() != nil)
  }

  @Test func `an absurd page count in a record costs neither time nor memory`() throws {
    let sample = SampleFile()
    sample.fillSmall()
    sample.close()
    let meta = try DataFile(path: sample.path).newestMeta()
    sample.overwrite(at: meta.index * 4096 + 136, [0, 0, 0, 0, 0, 0x40, 0, 0])
    truncate(sample.path, 1 << 40)
    let file = try DataFile(path: sample.path)
    #expect(try !file.damages(of: file.newestMeta()).isEmpty)
  }

  /// Any of several checks catches the flips above; here each overlapping check is tested alone.
  @Test func `each kind of damage has its own message`() throws {
    let sample = SampleFile()
    sample.fillSmall()
    sample.close()
    let layout = try Layout(DataFile(path: sample.path))
    let leaf = try #require(layout.leaves["numbers"]?.first)
    let branch = try #require(layout.branches["numbers"]?.first)
    let second = branch.fileOffset + branch.nodes[1].offset
    let free = try #require(layout.freeLists.first)
    let inUse = integerKey(Int(leaf.number.rawValue))

    #expect(try damages(sample, at: free + 8, inUse).contains("as free, which is in use"))
    #expect(try damages(sample, at: free, integerKey(1)).contains("lists 1 free pages in"))
    #expect(try damages(sample, at: second, Array(inUse[..<4])).contains("which is in use already"))
    #expect(try damages(sample, at: second, [0, 0, 1]).contains("points to page 65536, not within 2..."))
    #expect(try damages(sample, at: leaf.fileOffset + 10, [0x22]).contains("with sorted duplicates"))
    truncate(sample.path, off_t(leaf.fileOffset))
    #expect(try damages(sample, at: 0, [0]).contains("but the file ends after"))
  }

  private func damages(_ sample: SampleFile, at offset: Int, _ bytes: [UInt8]) throws -> String {
    let old = sample.overwrite(at: offset, bytes)
    defer { sample.overwrite(at: offset, old) }
    let file = try DataFile(path: sample.path)
    return try file.damages(of: file.newestMeta()).map(\.description).joined(separator: " ")
  }

  private func overwriteAnywhere(seed: UInt64, rounds: Int, keeping: Bool = false) throws {
    let sample = SampleFile()
    sample.fillSmall()
    sample.close()
    var random = SeededRandom(seed: seed)
    let size = sample.contents.count
    for _ in 0..<rounds {
      let offset = random.below(size - 8)
      let noises = [random.next(), 0, .max, random.next() % 20, random.next() % 65_536]
      let noise = noises[random.below(noises.count)]
      let old = sample.overwrite(at: offset, withUnsafeBytes(of: noise) { Array($0) })
      _ = look(at: sample)
      if !keeping { sample.overwrite(at: offset, old) }
    }
  }
}

/// Reads and checks everything in a file; returns its damage or oddities, or nil when there are none.
func look(at sample: SampleFile) -> String? {
  do {
    let file = try DataFile(path: sample.path)
    var report = file.metaDisagreement() ?? file.unusedMetaDefect()
    for case .success(let meta) in file.metas {
      _ = try? file.tableNames(of: meta)
      let found = try file.examine(meta)
      report = report ?? (found.damages + found.oddities).first?.description
      for table in [nil, "bytes", "numbers"] {
        _ = try file.forEachReachable(in: table, of: meta) { key, value, _ in key.count + value.count >= 0 }
        try file.forEach(in: table, of: meta) { key, value, _ in key.count + value.count >= 0 }
      }
    }
    return report
  } catch { return "\(error)" }
}
