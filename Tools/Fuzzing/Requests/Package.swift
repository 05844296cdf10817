// swift-tools-version: 6.2
import PackageDescription

// A package of its own: the web server and the gate of the studio are no products of the package above, so their
// sources are linked here. `Tools/fuzz --requests` and `Tools/fuzz --crowd` build it.

let settings: [SwiftSetting] = [
  .enableExperimentalFeature("Lifetimes"),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "Requests",
  platforms: [.macOS(.v15)],
  targets: [
    .systemLibrary(
      name: "CMicroHTTPD", pkgConfig: "libmicrohttpd",
      providers: [.apt(["libmicrohttpd-dev"]), .brew(["libmicrohttpd"])]),
    .target(name: "Locks", swiftSettings: settings),
    .target(name: "RandomNumbers", swiftSettings: settings),
    .target(name: "WebServer", dependencies: ["CMicroHTTPD", "Locks"], swiftSettings: settings),
    .target(name: "Studio", dependencies: ["Locks", "WebServer"], swiftSettings: settings),
    .executableTarget(
      name: "requests", dependencies: ["Locks", "RandomNumbers", "Studio", "WebServer"], swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
