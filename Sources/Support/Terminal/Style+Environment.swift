// What the user's environment says about colors.

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

extension Style {
  /// Whether the user wants colors: unless the environment has a NO_COLOR that is not empty.
  package static var areColorsWanted: Bool {
    guard let value = getenv("NO_COLOR") else { return true }
    return value.pointee == 0
  }
}
