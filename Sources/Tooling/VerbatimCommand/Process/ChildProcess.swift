// Runs the program again as a child process, whose crash does not end its parent.
internal import Files

#if canImport(Glibc)
  @preconcurrency internal import Glibc
#else
  @preconcurrency internal import Darwin
#endif

/// Returns the path by which this process's program can be started again.
func ownExecutable() -> String {
  #if os(Linux)
    "/proc/self/exe"
  #else
    CommandLine.arguments[0]
  #endif
}

/// Returns the arguments of this process as raw bytes, without the program's name.
func ownArguments() -> [[UInt8]] {
  (1..<max(1, Int(CommandLine.argc))).compactMap { number in
    CommandLine.unsafeArgv[number].map { word in (0..<strlen(word)).map { UInt8(bitPattern: word[$0]) } }
  }
}

/// The end of a child process.
enum ChildEnd: Equatable {
  /// The child exited with a code.
  case exited(Int32)
  /// A signal ended the child.
  case signalled(Int32)
}

/// Runs the program again with arguments and the streams of a context, and waits until it ends.
func runAgain(_ executable: String, _ arguments: [String], in context: Context) throws(Failure) -> ChildEnd {
  #if canImport(Glibc)
    var actions = posix_spawn_file_actions_t()
  #else
    var actions: posix_spawn_file_actions_t?
  #endif
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  for (own, standard) in [(context.input, 0), (context.output, 1), (context.errors, 2)] as [(Int32, Int32)] {
    posix_spawn_file_actions_adddup2(&actions, own, standard)
  }
  var child = pid_t()
  let words = ([context.program] + arguments).map { strdup($0) }
  defer { for word in words { free(word) } }
  let code = posix_spawnp(&child, executable, &actions, nil, words + [nil], environ)
  guard code == 0 else {
    throw Failure(.unable, "\(executable) cannot be started again (\(FileError(rawValue: code))): try again.")
  }
  return end(of: child)
}

func end(of child: pid_t) -> ChildEnd {
  var status: Int32 = 0
  while waitpid(child, &status, 0) < 0, errno == EINTR {}
  let number = status & 0x7F
  return number == 0 ? .exited(status >> 8 & 0xFF) : .signalled(number)
}
