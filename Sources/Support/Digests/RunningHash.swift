// The chain hash computed incrementally over runs of bytes.
internal import CSodium

/// An incremental BLAKE2b-256 hash of bytes that need not be in memory together.
///
/// The result depends on the bytes and not on how they were split into runs: it is the ``ChainHash`` of all of them,
/// without a previous hash.
public struct RunningHash: ~Copyable {
  private let state: UnsafeMutableRawPointer

  /// Creates the hash of no bytes.
  ///
  /// The corresponding C function is `crypto_generichash_blake2b_init`.
  public init() {
    precondition(ChainHash.isReady, "libsodium cannot be initialised")
    state = .allocate(byteCount: crypto_generichash_blake2b_statebytes(), alignment: 64)
    verbatim_blake2b_256_begin(state)
  }

  deinit { state.deallocate() }

  /// Adds the next bytes.
  ///
  /// The corresponding C function is `crypto_generichash_blake2b_update`.
  public mutating func add(_ bytes: UnsafeRawBufferPointer) {
    verbatim_blake2b_256_add(state, bytes.bound, UInt64(bytes.count))
  }

  /// Returns the hash of all added bytes.
  ///
  /// The corresponding C function is `crypto_generichash_blake2b_final`.
  public consuming func finish() -> ChainHash {
    ChainHash { verbatim_blake2b_256_end(state, $0) }
  }
}
