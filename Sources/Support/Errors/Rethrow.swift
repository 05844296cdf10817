// The conversion of a thrown error to the error type of the caller.

/// Returns the value of an expression, and throws its error converted by a function.
///
/// An enum case or an initializer is such a function: `try rethrow(log.head(), as: ProjectionError.log)`. Both calls
/// are inlined, and no closure is allocated.
@inlinable @inline(__always) @discardableResult
package func rethrow<R: ~Copyable, E: Error, F: Error>(
  _ body: @autoclosure () throws(E) -> R, as transform: (E) -> F
) throws(F) -> R {
  do throws(E) { return try body() } catch { throw transform(error) }
}
