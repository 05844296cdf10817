// Other programs, run side by side, with what they say kept in files that have no name.
internal import Foundation

#if canImport(Glibc)
  @preconcurrency internal import Glibc
#else
  @preconcurrency internal import Darwin
#endif

/// A program to run.
struct ProgramRun {
  /// Where it lies.
  let executable: String
  /// What it is told, without its name.
  let arguments: [String]
  /// What it is called, there and in what it says.
  var name = "verbatim"
  /// In what its environment differs from that of this process.
  var environment: [String: String] = [:]
}

/// What a program said, and how it ended.
struct ProgramOutcome: ~Copyable {
  /// How it ended.
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

  /// Lends each line that it wrote to its output.
  func forEachLine(_ body: ([UInt8]) throws(Failure) -> Void) throws(Failure) {
    lseek(output, 0, SEEK_SET)
    var lines = LineReader(output, byteCountMax: 256 << 20)
    while case .line(let line) = try lines.next(waits: true) { try body(line) }
  }

  /// What it complained of, without the name that it puts before.
  var complaint: String {
    lseek(errors, 0, SEEK_SET)
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = read(errors, &bytes, bytes.count)
    let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    let line = text.split(separator: "\n").first.map(String.init) ?? ""
    return line.hasPrefix(name + ": ") ? String(line.dropFirst(name.count + 2)) : line
  }
}

/// Runs programs side by side, and lends what came of each, in their order, when all have ended; meanwhile, now and
/// then, the last of what the first has written.
func runAll(
  _ programs: [ProgramRun], concurrentEdits look: ((_ last: [UInt8]) -> Void)? = nil,
  _ body: (Int, borrowing ProgramOutcome) throws(Failure) -> Void
) throws(Failure) {
  var children: [(process: pid_t, output: Int32, errors: Int32)] = []
  defer { for child in children where child.process != 0 { _ = end(of: child.process) } }
  for program in programs { children.append(try start(program)) }
  if let look, let first = children.first {
    // The end is seen, and not yet taken.
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
  /// Whether it tells of a child, as it does once that has ended.
  fileprivate var isOfChild: Bool { si_signo == SIGCHLD }
}

/// What a file ends with.
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
      .unable, "The program \(program.executable) cannot be started (\(SystemError(code: code))): take another path.")
  }
  return (child, output, errors)
}

private func namelessFile() throws(Failure) -> Int32 {
  var path = Array((FileManager.default.temporaryDirectory.path + "/verbatim-XXXXXX").utf8CString)
  let descriptor = mkstemp(&path)
  guard descriptor >= 0 else {
    throw Failure(.unable, "No temporary file can be made (\(SystemError(code: errno))): make room for one.")
  }
  unlink(path)
  _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  return descriptor
}
