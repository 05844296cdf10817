// Tests readers of untrusted bytes with libFuzzer's inputs.
import Foundation

@main
enum Fuzz {
  /// The target that ``tryInput(_:_:)`` tests.
  // Safe because it is set before libFuzzer starts, and never again.
  nonisolated(unsafe) static var target = Target.all[0]

  /// Runs libFuzzer on a target: `fuzz TARGET ARGUMENT…`, where the arguments are those of libFuzzer.
  ///
  /// `fuzz --list` prints the names of all targets, and `fuzz --seeds TARGET FIXTURES CORPUS` writes the seed inputs of
  /// a target to the directory CORPUS.
  static func main() throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments == ["--list"] { return print(Target.all.map(\.name).joined(separator: "\n")) }
    if arguments.first == "--seeds", arguments.count == 4 {
      let (fixtures, corpus) = (URL(filePath: arguments[2]), URL(filePath: arguments[3]))
      return try Target(named: arguments[1]).writeSeeds(from: fixtures, to: corpus)
    }
    target = try Target(named: arguments.first ?? "")
    target.prepare()
    // In the place of the target's name, which libFuzzer would take for the directory of a corpus.
    let values = CommandLine.unsafeArgv
    values[1] = strdup("-max_len=\(target.maxLength)")
    var (count, pointer) = (CommandLine.argc, UnsafeMutablePointer(values))
    _ = runFuzzer(&count, &pointer, tryInput)
  }
}

/// LibFuzzer's own main function, as declared in its header `FuzzerInterface.h`.
@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// Tests an input; libFuzzer's library also requires a function of this name.
@_cdecl("LLVMFuzzerTestOneInput")
func tryInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  Fuzz.target.check(Array(UnsafeBufferPointer(start: bytes, count: count)))
  return 0
}

/// Ends the process with a message unless a condition holds; unlike that of a precondition, it is printed in a release
/// build too.
func require(_ condition: Bool, _ message: @autoclosure () -> String) {
  if condition { return }
  FileHandle.standardError.write(Data("fuzz: \(message())\n".utf8))
  abort()
}
