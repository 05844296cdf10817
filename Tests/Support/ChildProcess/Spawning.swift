// Starts a program with no open files but its three standard streams.
import Foundation
import Locks

#if canImport(Glibc)
  package import Glibc
#else
  package import Darwin
#endif

#if canImport(Glibc)
  package typealias FileActions = posix_spawn_file_actions_t
#else
  package typealias FileActions = posix_spawn_file_actions_t?
#endif

/// The parameters with which a program is started.
package struct Spawning {
  /// The process group or session of the program.
  package enum Group { case ofItsParent, ofItsOwn, sessionOfItsOwn }

  private static let turn = Locked(false)

  private let arguments: [String]
  private let environment: [String: String]
  private let group: Group

  /// Configures a program, looked up on the PATH unless it is a path, in this process's environment with changes.
  package init(_ arguments: [String], environment changes: [String: String?], group: Group) {
    (self.arguments, self.group) = (arguments, group)
    var environment = ProcessInfo.processInfo.environment
    // A program that crashes on purpose must not spend time on a backtrace.
    environment["SWIFT_BACKTRACE"] = "enable=no"
    for (name, value) in changes { environment[name] = value }
    self.environment = environment
  }

  /// Runs a body that opens files for a program, while no other program is started.
  package static func inTurn<R>(_ body: () throws -> R) rethrows -> R { try turn.withLock { _ in try body() } }

  /// Starts the program; returns its process, or an error number.
  ///
  /// The program inherits only the files of the actions, and standard error: a long-lived program that held the end of
  /// another test's pipe would block the reader of that pipe.
  package func start(_ prepare: (inout FileActions) -> Void) -> (process: pid_t, code: CInt) {
    #if canImport(Glibc)
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #else
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    prepare(&actions)
    #if canImport(Glibc)
      closeFrom(&actions, 3)
    #else
      posix_spawn_file_actions_addinherit_np(&actions, 2)
    #endif
    var normal = sigset_t()
    sigemptyset(&normal)
    sigaddset(&normal, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &normal)
    posix_spawnattr_setflags(&attributes, flags)
    var argv = arguments.map { strdup($0) } + [nil]
    var envp = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { for text in argv + envp { free(text) } }
    var process: pid_t = 0
    let code = posix_spawnp(&process, arguments[0], &actions, &attributes, &argv, &envp)
    return (process, code)
  }

  private var flags: Int16 {
    var flags = CInt(POSIX_SPAWN_SETSIGDEF)
    switch group {
    case .ofItsParent: break
    case .ofItsOwn: flags |= CInt(POSIX_SPAWN_SETPGROUP)
    case .sessionOfItsOwn: flags |= inNewSession
    }
    #if canImport(Darwin)
      flags |= CInt(POSIX_SPAWN_CLOEXEC_DEFAULT)
    #endif
    return Int16(truncatingIfNeeded: flags)
  }
}

#if canImport(Glibc)
  /// Like the next declaration, an extension that the C library hides by default.
  @_silgen_name("posix_spawn_file_actions_addclosefrom_np") @discardableResult
  private func closeFrom(_ actions: UnsafeMutablePointer<posix_spawn_file_actions_t>, _ first: CInt) -> CInt
#endif

/// `POSIX_SPAWN_SETSID`.
#if canImport(Glibc)
  private let inNewSession: CInt = 0x80
#else
  private let inNewSession: CInt = 0x400
#endif
