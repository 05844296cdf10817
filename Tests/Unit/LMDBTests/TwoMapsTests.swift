// Threat: a process maps one file twice, and reads through the map that the other handle unmaps.
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
@Test(arguments: [false, true])
func `an environment that is only read outlives the writable one of the same file`(isHigher: Bool) throws {
  let scratch = Scratch()
  var options = Environment.Options(tablesMax: 4)
  options.isReadOnly = true
  // The system lists maps by address, and gives the highest gap: addresses that are given back are above all others.
  let gap = mmap(nil, options.mapSize, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
  let writing = OpenEnvironment(try scratch.open())
  try writing.environment?.set([1], [2], in: try #require(try writing.environment?.table("table")))
  if isHigher { munmap(gap, options.mapSize) }
  let reading = try Environment(path: scratch.path, options: options)
  if !isHigher { munmap(gap, options.mapSize) }
  let (one, two) = (writing.environment?.shared.mapStart ?? 0, reading.shared.mapStart ?? 0)
  #expect(isHigher ? two > one : two < one)
  writing.environment = nil
  #expect(try reading.value(of: [1], in: try reading.table("table")) == [2])
}

/// An environment that is closed at a chosen moment.
private final class OpenEnvironment {
  var environment: Environment?

  init(_ environment: consuming Environment) { self.environment = consume environment }
}
