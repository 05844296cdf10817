// The library libpq, which is loaded when it is first needed.
internal import CPostgres

/// The functions of libpq.
// Safe because the pointers are found once and never change, and libpq's functions may be called from any thread.
internal struct Library: @unchecked Sendable {
  let pq: verbatim_pq

  /// The library of this process.
  static func shared() throws(PostgresError) -> Library { try loaded.get() }

  private static let loaded = Result { () throws(PostgresError) in try Library() }

  #if os(macOS)
    private static let names = [
      "/opt/homebrew/opt/libpq/lib/libpq.5.dylib", "/usr/local/opt/libpq/lib/libpq.5.dylib", "libpq.5.dylib",
    ]
    private static let advice = "install it with `brew install libpq`"
  #else
    private static let names = ["libpq.so.5"]
    private static let advice = "install it with `apt-get install libpq5`"
  #endif

  private init() throws(PostgresError) {
    guard let library = Self.names.lazy.compactMap({ verbatim_open_pq($0) }).first else {
      throw .library("PostgreSQL's client library libpq is not installed: \(Self.advice)")
    }
    var pq = verbatim_pq()
    if let missing = verbatim_find_pq(library, &pq) {
      throw .library("PostgreSQL's client library libpq has no \(String(cString: missing)): \(Self.advice)")
    }
    self.pq = pq
  }
}
