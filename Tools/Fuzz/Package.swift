// swift-tools-version: 6.2
import PackageDescription

// A separate package: only `Tools/fuzz` builds it, with flags that no other build uses.

let package = Package(
  name: "Fuzz",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Verbatim", path: "../..")],
  targets: [
    .executableTarget(
      name: "fuzz",
      dependencies: [
        .product(name: "Chat", package: "Verbatim"), .product(name: "EventLog", package: "Verbatim"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
