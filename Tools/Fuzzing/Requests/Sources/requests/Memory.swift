// The memory of this process.
import Foundation

enum Memory {
  /// Returns the resident size in bytes.
  static func resident() -> Int {
    #if canImport(Glibc)
      let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")[1]
      return (pages.flatMap { Int($0) } ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
    #else
      return 0
    #endif
  }

  static func text(_ bytes: Int) -> String {
    let tenths = (bytes * 10 + (1 << 19)) >> 20
    return "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10) MiB"
  }
}
