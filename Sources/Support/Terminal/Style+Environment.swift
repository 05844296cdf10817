// Reads the user's color preference from the environment.

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

extension Style {
  /// Whether the user wants colors: true unless the environment has a nonempty NO_COLOR.
  package static var areColorsWanted: Bool {
    guard let value = getenv("NO_COLOR") else { return true }
    return value.pointee == 0
  }
}
