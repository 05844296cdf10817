// The chain's hash of bytes that come one run after the other.
internal import CSodium

/// BLAKE2b with 256 bits of bytes that need not be in memory together.
///
/// What it ends in depends on the bytes and not on the runs in which they came: it is the ``ChainHash`` of all of them,
/// after none.
public struct RunningHash: ~Copyable {
  private let state: UnsafeMutableRawPointer

  /// The hash of nothing yet.
  ///
  /// The corresponding C function is `crypto_generichash_blake2b_init`.
  public init() {
    precondition(ChainHash.isReady, "libsodium cannot be initialised")
    state = .allocate(byteCount: crypto_generichash_blake2b_statebytes(), alignment: 64)
    verbatim_blake2b_256_begin(state)
  }

  deinit { state.deallocate() }

  /// Takes what comes next.
  ///
  /// The corresponding C function is `crypto_generichash_blake2b_update`.
  public mutating func add(_ bytes: UnsafeRawBufferPointer) {
    verbatim_blake2b_256_add(state, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt64(bytes.count))
  }

  /// The hash of all that came.
  ///
  /// The corresponding C function is `crypto_generichash_blake2b_final`.
  public consuming func finish() -> ChainHash {
    ChainHash { verbatim_blake2b_256_end(state, $0) }
  }
}
