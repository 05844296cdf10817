// Threat: a lock with two holders, a file that is not synced, a process described wrongly.
import ChildProcess
import Foundation
import Synchronization
import Testing

@testable import Files

@Suite struct `A file lock` {
  private let scratch = Scratch()
  private var path: String { scratch.path + "/lock" }

  @Test func `an exclusive lock has one holder at a time`() throws {
    let (one, other) = (try FileLock(path: path), try FileLock(path: path))
    #expect(one.tryLock())
    #expect(one.tryLock())
    #expect(!other.tryLock())
    #expect(!other.tryLock(shared: true))
    one.unlock()
    #expect(other.tryLock())
    #expect(!one.tryLock())
  }

  @Test func `a shared lock has many holders and excludes an exclusive one`() throws {
    let locks = try (0..<3).map { _ in try FileLock(path: path) }
    #expect(locks.allSatisfy { $0.tryLock(shared: true) })
    #expect(!locks[0].tryLock())
    locks[1].unlock()
    locks[2].unlock()
    #expect(locks[0].tryLock())
    #expect(!locks[1].tryLock(shared: true))
    #expect(locks[0].tryLock(shared: true))
    #expect(locks[1].tryLock(shared: true))
  }

  @Test func `a lock is released with its object`() throws {
    let other = try FileLock(path: path)
    do {
      let one = try FileLock(path: path)
      #expect(one.tryLock())
      #expect(!other.tryLock())
    }
    #expect(other.tryLock())
  }

  @Test func `a lock is released with its process`() async throws {
    let lock = try FileLock(path: path)
    await #expect(processExitsWith: .exitCode(7)) { [path = path as String] in
      let lock = try FileLock(path: path)
      lock.recordHolder()
      _exit(lock.tryLock() ? 7 : 8)
    }
    let holder = try #require(lock.holder)
    #expect(holder != getpid())
    #expect(lock.tryLock())
  }

  @Test func `lock blocks until the deadline and tries once after it`() throws {
    let (one, other) = (try FileLock(path: path), try FileLock(path: path))
    #expect(one.lock(until: .now - .seconds(1)))
    #expect(!other.lock(until: .now - .seconds(1)))
    #expect(!other.lock(until: .now + .milliseconds(5)))
    DispatchQueue.concurrentPerform(iterations: 2) { turn in
      if turn == 0 { one.unlock() } else { #expect(other.lock(until: .now + .seconds(600))) }
    }
    #expect(!one.tryLock())
  }

  @Test func `a lock records its last holder`() throws {
    let (one, other) = (try FileLock(path: path), try FileLock(path: path))
    #expect(one.holder == nil)
    one.recordHolder()
    other.recordHolder()
    #expect(one.holder == getpid() && other.holder == getpid())
    try Data([1, 2, 3]).write(to: URL(filePath: path))
    #expect(try FileLock(path: path).holder == nil)
  }

  @Test func `a lock in a missing directory throws`() {
    #expect(throws: FileError(rawValue: ENOENT)) { try FileLock(path: scratch.path + "/none/lock") }
  }
}

@Suite struct `A file` {
  private let scratch = Scratch()

  @Test func `a file, a directory and a missing path are distinguished`() throws {
    let path = scratch.path + "/a"
    #expect(FileSystem.kind(at: path) == .nothing)
    try FileSystem.mark(path, with: "", in: scratch.path)
    #expect(FileSystem.kind(at: path) == .file)
    #expect(FileSystem.kind(at: scratch.path) == .directory)
    #expect(FileSystem.kind(at: "/dev/null") == .special)
    #expect(FileSystem.kind(at: path + "/a") == .unreachable)
  }

  @Test func `names lists the entries of a directory without the dot entries`() throws {
    #expect(try FileSystem.names(in: scratch.path) == [])
    for name in ["a", "é", "b c"] {
      try FileSystem.mark(scratch.path + "/" + name, with: "", in: scratch.path)
    }
    #expect(try Set(FileSystem.names(in: scratch.path)) == ["a", "é", "b c"])
    #expect(throws: FileError.noSuchFile) { try FileSystem.names(in: scratch.path + "/none") }
  }

  @Test(arguments: ["", "a", "first\nsecond\n", String(repeating: "é", count: 50_000)])
  func `a mark has its text and is accessible to its owner alone`(text: String) throws {
    let path = scratch.path + "/a"
    try FileSystem.mark(path, with: "something that was longer", in: scratch.path)
    try FileSystem.mark(path, with: text, in: scratch.path)
    #expect(try FileSystem.contents(of: path, atMost: .max) == text)
    #expect(try FileSystem.contents(of: path, atMost: 4) == String(decoding: text.utf8.prefix(4), as: UTF8.self))
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  @Test func `reading or writing an inaccessible file throws`() throws {
    #expect { try FileSystem.mark(scratch.path, with: "a", in: scratch.path) } throws: { error in
      (error as? FileError)?.unexpectedFile?.found == .directory
    }
    #expect(throws: FileError(rawValue: ENOENT)) {
      try FileSystem.mark(scratch.path + "/a", with: "a", in: scratch.path + "/none")
    }
    #expect(throws: FileError(rawValue: ENOENT)) { try FileSystem.sync(scratch.path + "/none") }
    #expect(try FileSystem.contents(of: scratch.path + "/none") == nil)
    #expect(throws: FileError.self) { try FileSystem.contents(of: scratch.path) }
  }

  @Test func `removing a file twice succeeds`() throws {
    let path = scratch.path + "/a"
    try FileSystem.mark(path, with: "a", in: scratch.path)
    try FileSystem.remove(path)
    try FileSystem.remove(path)
    #expect(FileSystem.kind(at: path) == .nothing)
    #expect(throws: FileError.self) { try FileSystem.remove(scratch.path) }
  }

  @Test func `byteCount is the size of the allocated blocks`() throws {
    let path = scratch.path + "/a"
    #expect(FileSystem.byteCount(of: path) == 0)
    try FileSystem.mark(path, with: String(repeating: "a", count: 100_000), in: scratch.path)
    #expect(FileSystem.byteCount(of: path) >= 100_000)
    truncate(path, 1 << 40)
    #expect(FileSystem.byteCount(of: path) < 1 << 30)
    #expect((FileSystem.freeByteCount(at: scratch.path) ?? 0) > 0)
    #expect(FileSystem.freeByteCount(at: scratch.path + "/none") == nil)
  }
}

@Suite struct `A directory` {
  private let scratch = Scratch()

  @Test func `makeDirectory creates a directory for its owner alone or keeps an existing one`() throws {
    let path = scratch.path + "/a"
    try FileSystem.makeDirectory(path)
    try FileSystem.makeDirectory(path)
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(FileSystem.kind(at: path) == .directory && mode == 0o700)
    #expect(throws: FileError(rawValue: ENOENT)) { try FileSystem.makeDirectory(scratch.path + "/b/c") }
  }

  // Opening tables failed with "File exists" while another process removed unused ones: the directory was found to
  // exist when it was to be created, and was gone when it was looked at.
  @Test func `makeDirectory creates a directory that is removed concurrently`() throws {
    let path = scratch.path + "/a"
    let isDone = Atomic<Bool>(false)
    let stopped = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      while !isDone.load(ordering: .relaxed) { rmdir(path) }
      stopped.signal()
    }
    #expect(throws: Never.self) { for _ in 0..<50_000 { try FileSystem.makeDirectory(path) } }
    isDone.store(true, ordering: .relaxed)
    stopped.wait()
  }

  @Test func `a temporary directory is new and is removed with its files`() throws {
    let one = try #require(FileSystem.makeTemporaryDirectory())
    let other = try #require(FileSystem.makeTemporaryDirectory())
    #expect(one != other)
    try FileSystem.mark(one + "/a", with: "a", in: one)
    try FileSystem.removeDirectory(one)
    try FileSystem.removeDirectory(other)
    #expect(FileSystem.kind(at: one) == .nothing && FileSystem.kind(at: other) == .nothing)
  }

  @Test func `bootAndDevice identifies this boot and filesystem, and a failure to ask is no answer`() throws {
    let here = try FileSystem.bootAndDevice(of: scratch.path)
    #expect(try here == FileSystem.bootAndDevice(of: scratch.path) && here.hasSuffix("\n"))
    #expect(try here != FileSystem.bootAndDevice(of: "/proc"))
    #expect(throws: FileError.noSuchFile) { try FileSystem.bootAndDevice(of: scratch.path + "/none") }
    #if os(Linux)
      let boot = FileSystem.systemText(at: "/proc/sys/kernel/random/boot_id") ?? "none"
      #expect(here.hasPrefix(boot) && here.contains("device: "))
    #endif
  }
}

#if os(Linux)
  @Suite struct `A lock file` {
    private let scratch = Scratch()

    // A lock outlived its object while another thread started a process: tables that had just been closed were refused
    // as being closed by another process.
    @Test func `a process that is being started does not keep a lock`() throws {
      let (path, started, released) = (scratch.path + "/lock", scratch.path + "/a", scratch.path + "/b")
      try #require(mkfifo(started, 0o600) == 0 && mkfifo(released, 0o600) == 0)
      var lock: FileLock? = try FileLock(path: path)
      try #require(lock?.tryLock() == true)
      let ended = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        // The child opens these files before it runs its program, and so waits with all files of its parent open.
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_addopen(&actions, 0, started, O_WRONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 0, released, O_RDONLY, 0)
        var process: pid_t = 0
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("true"), nil]
        posix_spawnp(&process, "true", &actions, nil, &arguments, nil)
        posix_spawn_file_actions_destroy(&actions)
        free(arguments[0])
        _ = status(of: process) {}
        ended.signal()
      }
      close(open(started, O_RDONLY))
      withExtendedLifetime(lock) {}
      lock = nil
      #expect(try FileLock(path: path).tryLock())
      close(open(released, O_WRONLY))
      ended.wait()
    }
  }

  @Suite struct `A process` {
    @Test func `a process is described by its number and name`() throws {
      let name = try #require(FileSystem.systemText(at: "/proc/self/comm")).dropLast()
      #expect(FileSystem.describe(process: getpid()) == "\(getpid()) (\(name))")
      #expect(FileSystem.describe(process: .max) == "\(Int32.max)")
    }

    @Test func `a stopped process is described as stopped`() throws {
      var process: pid_t = 0
      let words = ["sh", "-c", "kill -STOP $$"]
      var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
      defer { for argument in arguments { free(argument) } }
      try #require(posix_spawn(&process, "/bin/sh", nil, nil, &arguments, nil) == 0)
      try #require(status(of: process, options: WUNTRACED) { kill(process, SIGKILL) } != nil)
      #expect(FileSystem.describe(process: process).hasSuffix(", stopped)"))
      kill(process, SIGKILL)
      #expect(status(of: process) {} == SIGKILL)
    }
  }
#endif

@Suite struct `A file that is written as a whole` {
  private let scratch = Scratch()
  private var path: String { scratch.path + "/key" }

  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: scratch.path) }
  }

  @Test func `is created once, for its owner alone`() throws {
    try FileSystem.create(path, with: "one")
    #expect(throws: FileError.self) { try FileSystem.create(path, with: "other") }
    #expect(try FileSystem.contents(of: path) == "one")
    #expect(!FileSystem.isReadableByOthers(path))
    #expect(try names == ["key"])
  }

  @Test func `replaces one that was there`() throws {
    try FileSystem.create(path, with: "one")
    try FileSystem.replace(path, with: "other")
    #expect(try FileSystem.contents(of: path) == "other")
    #expect(try names == ["key"])
  }

  @Test func `leaves nothing where it cannot be put in place`() throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    #expect(throws: FileError.self) { try FileSystem.create(path, with: "one") }
    #expect(throws: FileError.self) { try FileSystem.replace(path, with: "one") }
    #expect(try names == ["key"])
  }
}
