// The machine's clock, which folds must not read.

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

extension Timestamp {
  /// The current time of the machine's clock.
  public static var now: Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(rawValue: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
  }
}
