// swift-tools-version: 6.2
import PackageDescription

// A separate package, so that clients of Verbatim never depend on the libraries it is compared with.

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Verbatim", path: "../..")],
  targets: [
    .systemLibrary(
      name: "CLMDBRaw", pkgConfig: "lmdb", providers: [.apt(["liblmdb-dev"]), .brew(["lmdb"])]),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .systemLibrary(
      name: "CRocksDB", pkgConfig: "rocksdb", providers: [.apt(["librocksdb-dev"]), .brew(["rocksdb"])]),
    .systemLibrary(name: "CPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
    .target(name: "Peers", dependencies: ["CLMDBRaw"]),
    .executableTarget(
      name: "bench",
      dependencies: [
        "CPQ", "CRocksDB", "CSQLite", "Peers", .product(name: "Chat", package: "Verbatim"),
        .product(name: "EventLogLMDB", package: "Verbatim"),
        .product(name: "EventLogPostgres", package: "Verbatim"), .product(name: "VerbatimUI", package: "Verbatim"),
      ]),
    .executableTarget(
      name: "soak",
      dependencies: [
        "Peers", .product(name: "Chat", package: "Verbatim"), .product(name: "EventLogLMDB", package: "Verbatim"),
        .product(name: "VerbatimUI", package: "Verbatim"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
