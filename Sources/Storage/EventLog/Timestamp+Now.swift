// The machine's clock; nothing that folds may ask it.

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

extension Timestamp {
  /// The machine's clock at this moment.
  public static var now: Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(rawValue: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
  }
}
