// A value that a mutex protects.

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A value that one thread at a time can access.
///
/// Unlike `Mutex`, it keeps the caller's isolation of what the closure returns and the type of what it throws: callers'
/// closures run within the lock.
///
/// A mutex that protects no value is `Locked(false)`: the thread sanitizer takes the access to an empty value for one
/// to the object's header.
///
/// Safe because the value is reached only between lock and unlock of the mutex, which never moves.
public final class Locked<Value: ~Copyable>: @unchecked Sendable {
  // The mutex excludes what the check of exclusive access, which costs more than the lock, would find.
  @exclusivity(unchecked)
  @usableFromInline
  internal var value: Value
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>

  /// Creates an unlocked mutex that protects a value.
  public init(_ value: consuming Value) {
    self.value = value
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Runs the closure while no other thread runs one.
  @inlinable
  public func withLock<R, E: Error>(_ body: (inout Value) throws(E) -> R) throws(E) -> R {
    // Compiled for the types of each caller: a look-up of generic types costs more than the lock.
    lock()
    defer { unlock() }
    return try body(&value)
  }

  @usableFromInline
  internal func lock() { pthread_mutex_lock(mutex) }

  @usableFromInline
  internal func unlock() { pthread_mutex_unlock(mutex) }
}
