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
    .target(name: "Peers", dependencies: ["CLMDBRaw"]),
    .executableTarget(
      name: "bench",
      dependencies: [
        "CSQLite", "Peers", .product(name: "Chat", package: "Verbatim"),
        .product(name: "ChatCodec", package: "Verbatim"), .product(name: "ChatComposer", package: "Verbatim"),
        .product(name: "ChatMessageList", package: "Verbatim"), .product(name: "ChatProjections", package: "Verbatim"),
        .product(name: "EventLog", package: "Verbatim"), .product(name: "EventLogLMDB", package: "Verbatim"),
        .product(name: "Bytes", package: "Verbatim"), .product(name: "TextFolding", package: "Verbatim"),
        .product(name: "Tables", package: "Verbatim"), .product(name: "Verbatim", package: "Verbatim"),
        .product(name: "Projections", package: "Verbatim"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
