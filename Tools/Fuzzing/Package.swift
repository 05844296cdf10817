// swift-tools-version: 6.2
import PackageDescription

// A separate package: only `Tools/fuzz` builds it, with flags that no other build uses. Its targets have no package
// name of their own: `Tools/fuzz` gives them that of the package above, so that they can use what modules keep within
// it. The generators and reference readers of the tests are linked to its sources.

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "Fuzz",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Verbatim", path: "../..")],
  targets: [
    .target(name: "SeededRandom", packageAccess: false, swiftSettings: settings),
    .target(
      name: "ChatSamples", dependencies: ["SeededRandom", .product(name: "Chat", package: "Verbatim")],
      packageAccess: false, swiftSettings: settings),
    .executableTarget(
      name: "fuzz",
      dependencies: [
        "ChatSamples", "SeededRandom", .product(name: "Chat", package: "Verbatim"),
        .product(name: "EventLog", package: "Verbatim"), .product(name: "VerbatimCommand", package: "Verbatim"),
      ], packageAccess: false),
  ],
  swiftLanguageModes: [.v6]
)
