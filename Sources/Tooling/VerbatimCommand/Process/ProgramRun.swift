// Runs programs in parallel, with their output captured in unlinked files.
internal import Files
internal import Foundation

#if canImport(Glibc)
  @preconcurrency internal import Glibc
#else
  @preconcurrency internal import Darwin
#endif

/// A program to run.
struct ProgramRun {
  /// The path of the executable.
  let executable: String
  /// The arguments, without the program's name.
  let arguments: [String]
  /// The name of the program, as its first argument and in its messages.
  var name = "verbatim"
  /// Variables added to this process's environment.
  var environment: [String: String] = [:]
}

/// The captured output of a program, and how it ended.
struct ProgramOutcome: ~Copyable {
  /// The end of the program.
  let end: ChildEnd
  private let name: String
  private let output: Int32
  private let errors: Int32

  fileprivate init(of name: String, end: ChildEnd, output: Int32, errors: Int32) {
    (self.name, self.end, self.output, self.errors) = (name, end, output, errors)
  }

  deinit {
    close(output)
    close(errors)
  }

  /// Calls the closure with each line of the output.
  func forEachLine(_ body: ([UInt8]) throws(Failure) -> Void) throws(Failure) {
    lseek(output, 0, SEEK_SET)
    var lines = LineReader(output, byteCountMax: 256 << 20)
    while case .line(let line) = try lines.next(waits: true) { try body(line) }
  }

  /// The first line of the error output, without the program's name.
  var complaint: String {
    lseek(errors, 0, SEEK_SET)
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = read(errors, &bytes, bytes.count)
    let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    let line = text.split(separator: "\n").first.map(String.init) ?? ""
    return line.hasPrefix(name + ": ") ? String(line.dropFirst(name.count + 2)) : line
  }
}

/// Runs programs in parallel, and calls the body with each outcome, in their order, when all have ended; every 100 ms,
/// while the first runs, `look` receives the last bytes that it has written.
///
/// Where one cannot be started, or the body throws, the programs that still run are killed.
func runAll(
  _ programs: [ProgramRun], whileRunning look: ((_ last: [UInt8]) -> Void)? = nil,
  _ body: (Int, borrowing ProgramOutcome) throws(Failure) -> Void
) throws(Failure) {
  var children: [(process: pid_t, output: Int32, errors: Int32)] = []
  // After a failure, the output of the programs that still run is not read.
  defer {
    for child in children where child.process != 0 {
      kill(child.process, SIGKILL)
      _ = end(of: child.process)
      close(child.output)
      close(child.errors)
    }
  }
  for program in programs { children.append(try start(program)) }
  if let look, let first = children.first {
    // WNOWAIT leaves the child for the later wait.
    var information = siginfo_t()
    while waitid(P_PID, id_t(first.process), &information, WEXITED | WNOHANG | WNOWAIT) == 0, !information.isOfChild {
      look(lastBytes(of: first.output))
      usleep(100_000)
    }
  }
  for number in children.indices {
    let child = children[number]
    let outcome = ProgramOutcome(
      of: programs[number].name, end: end(of: child.process), output: child.output, errors: child.errors)
    children[number].process = 0
    try body(number, outcome)
  }
}

extension siginfo_t {
  /// Whether the structure was filled for a child, which is so once the child has ended.
  fileprivate var isOfChild: Bool { si_signo == SIGCHLD }
}

/// Returns the last bytes of a file.
private func lastBytes(of file: Int32) -> [UInt8] {
  var status = stat()
  guard fstat(file, &status) == 0 else { return [] }
  var bytes = [UInt8](repeating: 0, count: 1 << 14)
  let count = pread(file, &bytes, bytes.count, max(0, status.st_size - off_t(bytes.count)))
  return Array(bytes.prefix(max(0, count)))
}

private func start(_ program: ProgramRun) throws(Failure) -> (pid_t, Int32, Int32) {
  let (output, errors) = (try namelessFile(), try namelessFile())
  #if canImport(Glibc)
    var actions = posix_spawn_file_actions_t()
  #else
    var actions: posix_spawn_file_actions_t?
  #endif
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
  posix_spawn_file_actions_adddup2(&actions, output, 1)
  posix_spawn_file_actions_adddup2(&actions, errors, 2)
  let variables = ProcessInfo.processInfo.environment.merging(program.environment) { $1 }
  var words = ([program.name] + program.arguments).map { strdup($0) } + [nil]
  var environment = variables.map { strdup("\($0)=\($1)") } + [nil]
  defer { for word in words + environment { free(word) } }
  var child = pid_t()
  let code = posix_spawnp(&child, program.executable, &actions, nil, &words, &environment)
  guard code == 0 else {
    close(output)
    close(errors)
    throw Failure(
      .unable, "The program \(program.executable) cannot be started (\(FileError(rawValue: code))): check its path.")
  }
  return (child, output, errors)
}
