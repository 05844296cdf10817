// The size of a terminal's window.

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A window's columns and rows, at least one of each.
package struct WindowSize: Hashable, Sendable {
  package let columns: Int
  package let rows: Int

  package init(columns: Int, rows: Int) { (self.columns, self.rows) = (max(1, columns), max(1, rows)) }

  /// Reads the size of a terminal's window; 80 × 24 if it is unknown.
  package init(of descriptor: Int32) {
    var size = winsize()
    let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 && size.ws_row > 0
    self = isKnown ? Self(columns: Int(size.ws_col), rows: Int(size.ws_row)) : Self(columns: 80, rows: 24)
  }
}
