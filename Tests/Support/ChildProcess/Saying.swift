// Writes a child process's output to its parent.

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Writes a line to standard output immediately, in one piece.
package func say(_ text: String) {
  var line = text.replacing("\n", with: " ") + "\n"
  line.withUTF8 { bytes in
    var done = 0
    while done < bytes.count {
      let count = write(1, bytes.baseAddress! + done, bytes.count - done)
      if count <= 0 { exit(3) }
      done += count
    }
  }
}
