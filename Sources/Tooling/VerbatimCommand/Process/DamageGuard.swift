// Reports what to do when reading damaged pages crashes the process.
internal import Terminal

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A handler that turns the signals raised where LMDB follows a damaged page into a sentence and an exit code.
enum DamageGuard {
  // Safe because it is written once, before the handler that reads it is installed.
  nonisolated(unsafe) private static var sentence = UnsafeRawBufferPointer(start: nil, count: 0)

  /// Installs the handler, only in a process that the command owns.
  static func install(for path: String, in context: Context) {
    guard context.ownsProcess else { return }
    let text = Array((sentence(for: path, in: context).visible(inOneLine: true) + "\n").utf8)
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: text.count, alignment: 1)
    copy.copyBytes(from: text)
    sentence = UnsafeRawBufferPointer(copy)
    // Traps are not among them: Dispatch raises one where a limit denies it a descriptor, which is no damage.
    handle([SIGBUS, SIGSEGV, SIGABRT]) { _ in
      // Only functions that are async-signal-safe.
      _ = write(2, DamageGuard.sentence.baseAddress, DamageGuard.sentence.count)
      _exit(1)
    }
  }

  static func sentence(for path: String, in context: Context) -> String {
    "\(context.program): The program crashed while it read \(path), as where the file is damaged: run "
      + "`\(context.command("log", "verify", path))`, and if that finds damage "
      + "`\(context.command("log", "salvage", path))`."
  }
}
