// Threat: a process maps one file twice, and reads through the map that the other handle unmaps.
import Files
import Testing

@testable import LMDB

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What broke: a file that was open for writing and opened once more for reading alone was read through the first map
/// that the system listed for it; once the writable environment was closed, that address was unmapped, and the process
/// crashed. What fixed it: an environment takes the map that no other environment of the process has.
@Test func `an environment that is only read outlives the writable one of the same file`() throws {
  let scratch = Scratch()
  var options = Environment.Options(tablesMax: 4)
  options.isReadOnly = true
  // Gives back addresses above those of the first map, which the second is then likely to get.
  let gap = mmap(nil, options.mapSize, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
  let writing = OpenEnvironment(try scratch.open())
  try writing.environment?.set([1], [2], in: try #require(try writing.environment?.table("table")))
  munmap(gap, options.mapSize)
  let reading = try Environment(path: scratch.path, options: options)
  let (one, two) = (writing.environment?.shared.mapStart, reading.shared.mapStart)
  #expect(one == nil || one != two)
  writing.environment = nil
  #expect(try reading.value(of: [1], in: try reading.table("table")) == [2])
}

#if canImport(Glibc)
  @Test func `of two maps of a file the one that is not known yet is found`() throws {
    let scratch = Scratch()
    let path = scratch.path + "/file"
    let descriptor = open(path, O_RDWR | O_CREAT, 0o600)
    defer { close(descriptor) }
    try #require(ftruncate(descriptor, 8192) == 0)
    let file = try #require(FileIdentity(of: descriptor))
    let maps = try (0..<2).map { _ in
      UInt(bitPattern: try #require(mmap(nil, 8192, PROT_READ, MAP_SHARED, descriptor, 0)))
    }
    defer { for map in maps { munmap(UnsafeMutableRawPointer(bitPattern: map), 8192) } }
    for (known, other) in [(maps[0], maps[1]), (maps[1], maps[0])] {
      let found = AddressSpace.mapStart(of: file, byteCount: 8192, besides: [known])
      #expect(found == other)
    }
  }
#endif

/// An environment that is closed at a chosen moment.
private final class OpenEnvironment {
  var environment: Environment?

  init(_ environment: consuming Environment) { self.environment = consume environment }
}
