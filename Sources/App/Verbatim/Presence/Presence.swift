// Presence: who is online, and when users were last seen.
public import Chat
internal import Digests
internal import Files
internal import Locks

/// Whether a user is online, and when they were last seen.
public struct Presence: Hashable, Sendable {
  /// The last time at which the user was online; nil when they never were.
  public let lastSeen: Timestamp?
  /// Whether the user is online.
  public let isOnline: Bool

  /// The presence of a user who was never online, or hides it.
  public static let unknown = Presence(lastSeen: nil, isOnline: false)
}

/// A user who is online until this is ended or released.
///
/// It is relaxed: the time is written to a file of the workspace's directory, every half minute, without a sync, and
/// never to the log. The file is its own, so that the user stays online on other devices when it ends.
/// <doc:PresenceOfUsers> says what that means.
public final class OnlineUser: Sendable {
  private let task: Locked<Task<Void, Never>?>

  /// The time between two writes.
  internal static let interval = Duration.seconds(30)
  /// The time after the last write at which a user no longer counts as online.
  internal static let timeout = Microseconds(rawValue: 75_000_000)

  fileprivate init(_ file: PresenceFile, _ clock: @escaping @Sendable () -> Timestamp) {
    file.write(PresenceNote(seen: clock(), isOnline: true))
    task = Locked(nil)
    let beat = Task {
      var file = file
      while (try? await Task.sleep(for: Self.interval)) != nil {
        file = file.inPlace
        file.write(PresenceNote(seen: clock(), isOnline: true))
      }
      file.write(PresenceNote(seen: clock(), isOnline: false))
      file.release()
    }
    task.withLock { $0 = beat }
  }

  deinit { task.withLock { $0?.cancel() } }

  /// Ends the presence: the user is offline, unless online elsewhere.
  public func end() async {
    let beat = task.withLock { task in
      defer { task = nil }
      return task
    }
    beat?.cancel()
    await beat?.value
  }
}

extension CurrentUserController {
  /// Makes the user appear online until the returned value is ended or released, or this process ends.
  ///
  /// A user who shall be invisible does not call it.
  public func appear() throws(PresenceError) -> OnlineUser {
    let workspace = client.workspace
    return OnlineUser(try PresenceFile(of: client.user, in: workspace.path), { workspace.now })
  }
}

extension Client {
  /// Returns the presence of users; unknown of those who block the user.
  public func presence(of users: [User.ID]) async throws(ReadError) -> [User.ID: Presence] {
    let user = user
    let hidden = try await ask { reading throws(ReadError) in
      var hidden: Set<User.ID> = []
      for other in users where try reading.isBlocked(by: other) { hidden.insert(other) }
      return hidden
    }
    var presences = await workspace.presence(of: users)
    for other in hidden where other != user { presences[other] = .unknown }
    return presences
  }

  /// Returns the presence of users as it is now, and again whenever it changed, looking every few seconds; it ends when
  /// its task is cancelled, or the permissions cannot be read.
  public func presences(
    of users: [User.ID], every interval: Duration = .seconds(5)
  ) -> AsyncStream<[User.ID: Presence]> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let task = Task {
        var last: [User.ID: Bool]?
        while let presences = try? await presence(of: users) {
          let online = presences.mapValues(\.isOnline)
          if online != last { continuation.yield(presences) }
          last = online
          guard (try? await Task.sleep(for: interval)) != nil else { break }
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}

extension Workspace {
  /// Returns the presence of users.
  public func presence(of users: [User.ID]) async -> [User.ID: Presence] {
    await offThread { $0.presenceBlocking(of: users) }
  }

  internal func presenceBlocking(of users: [User.ID]) -> [User.ID: Presence] {
    let now = now
    return Dictionary(
      users.map { ($0, Presence(PresenceFile.notes(of: $0, in: path), at: now)) },
      uniquingKeysWith: { first, _ in first })
  }
}

// MARK: Files

extension Presence {
  /// Creates the presence that the notes of a user's files imply.
  ///
  /// Notes ahead of the clock, which may have been set back, count for nothing.
  fileprivate init(_ notes: [PresenceNote], at now: Timestamp) {
    let notes = notes.filter { $0.seen < now + OnlineUser.timeout }
    lastSeen = notes.map(\.seen).max()
    isOnline = notes.contains { $0.isOnline && now < $0.seen + OnlineUser.timeout }
  }
}

/// The last time at which a user was online on one device.
private struct PresenceNote {
  let seen: Timestamp
  let isOnline: Bool

  static let byteCount = 24

  init(seen: Timestamp, isOnline: Bool) { (self.seen, self.isOnline) = (seen, isOnline) }

  init?(_ bytes: [UInt8]) {
    guard bytes.count == Self.byteCount,
      bytes.prefix(16).withUnsafeBytes({ quickHash($0) }) == Self.word(bytes, 16)
    else { return nil }
    self.init(seen: Timestamp(rawValue: Int64(bitPattern: Self.word(bytes, 0))), isOnline: Self.word(bytes, 8) == 1)
  }

  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    func add(_ word: UInt64) { withUnsafeBytes(of: word.littleEndian) { bytes += $0 } }
    add(UInt64(bitPattern: seen.rawValue))
    add(isOnline ? 1 : 0)
    add(bytes.withUnsafeBytes { quickHash($0) })
    return bytes
  }

  private static func word(_ bytes: [UInt8], _ offset: Int) -> UInt64 {
    UInt64(littleEndian: bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self) })
  }
}

/// A file of a user's presence, `presence/<id>/<number>` in the workspace's directory, locked by the one who writes it.
///
/// The number is the first whose file nobody has locked: files are used again, and their number is bounded.
private final class PresenceFile: Sendable {
  private let user: User.ID
  private let workspace: String
  private let path: String
  private let lock: FileLock

  private static let countMax = 64

  init(of user: User.ID, in workspace: String) throws(PresenceError) {
    let directory = Self.directory(of: user, in: workspace)
    do throws(FileError) {
      try FileSystem.makeDirectory(workspace + "/presence")
      // Earlier versions had a single file instead of the directory.
      try? FileSystem.remove(directory)
      try FileSystem.makeDirectory(directory)
      for number in 0..<Self.countMax {
        let path = "\(directory)/\(number)"
        let lock = try FileLock(path: path)
        if lock.tryLock(), lock.isAt(path) {
          (self.user, self.workspace, self.path, self.lock) = (user, workspace, path, lock)
          return
        }
      }
    } catch {
      throw PresenceError(path: directory, reason: error.description)
    }
    throw PresenceError(path: directory, reason: "the user is online \(Self.countMax) times already")
  }

  /// The file, or a new one if it was deleted.
  var inPlace: PresenceFile {
    if lock.isAt(path) { return self }
    return (try? PresenceFile(of: user, in: workspace)) ?? self
  }

  func write(_ note: PresenceNote) { lock.write(note: note.bytes) }

  /// Leaves the file to the next who appears.
  func release() { lock.unlock() }

  /// Returns the notes of a user's files, without damaged ones.
  static func notes(of user: User.ID, in workspace: String) -> [PresenceNote] {
    let directory = directory(of: user, in: workspace)
    let names = (try? FileSystem.names(in: directory)) ?? []
    return names.compactMap { name in
      let path = directory + "/" + name
      guard let number = Int(name), name == "\(number)", (0..<countMax).contains(number),
        FileSystem.kind(at: path) == .file, let file = try? FileLock(path: path)
      else { return nil }
      return file.note(ofByteCount: PresenceNote.byteCount).flatMap { PresenceNote($0) }
    }
  }

  private static func directory(of user: User.ID, in workspace: String) -> String {
    workspace + "/presence/" + user.fileName
  }
}

/// The error of a presence file that cannot be written.
public struct PresenceError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The path of the file.
  public let path: String
  /// The reason.
  public let reason: String

  /// One sentence: what failed, on what, what to do.
  public var description: String { "The presence cannot be written to \(path): \(reason)." }
}
