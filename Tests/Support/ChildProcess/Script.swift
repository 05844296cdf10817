// Writes scripts for tests to start.

/// Writes an executable script.
///
/// A child process writes it: a program that another thread starts while a file is written inherits its descriptor for
/// a moment, and a file that a process may write cannot be executed.
package func writeScript(_ text: String, to path: String) throws {
  let writer = try Child(["/bin/sh", "-c", #"cat >"$0" && chmod 755 "$0""#, path])
  writer.send(Array(text.utf8))
  let ending = try writer.finish()
  guard ending == .exit(0) else { throw Child.Failure.ended(ending, instead: path) }
}
