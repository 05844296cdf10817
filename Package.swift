// swift-tools-version: 6.2
import PackageDescription

// The arrows between modules are law: `./Tools/check` builds with undeclared imports as errors, and the tidy test
// reads the sources for what the compiler lets pass.

let settings: [SwiftSetting] = [
  .enableExperimentalFeature("Lifetimes"),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "Verbatim",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "Verbatim", targets: ["Verbatim"]),
    .library(name: "Chat", targets: ["Chat"]),
    .library(name: "ChatComposer", targets: ["ChatComposer"]),
    .library(name: "ChatMessageList", targets: ["ChatMessageList"]),
    .library(name: "ChatRendering", targets: ["ChatRendering"]),
    .library(name: "ChatCodec", targets: ["ChatCodec"]),
    .library(name: "ChatProjections", targets: ["ChatProjections"]),
    .library(name: "ChatReplay", targets: ["ChatReplay"]),
    .library(name: "TextFolding", targets: ["TextFolding"]),
    .library(name: "Projections", targets: ["Projections"]),
    .library(name: "EventLog", targets: ["EventLog"]),
    .library(name: "EventLogLMDB", targets: ["EventLogLMDB"]),
    .library(name: "Tables", targets: ["Tables"]),
    .library(name: "Bytes", targets: ["Bytes"]),
    .library(name: "LMDB", targets: ["LMDB"]),
    .library(name: "Scenarios", targets: ["Scenarios"]),
    .library(name: "VerbatimCommand", targets: ["VerbatimCommand"]),
    .executable(name: "verbatim", targets: ["VerbatimTool"]),
  ],
  targets: [
    .systemLibrary(
      name: "CLMDB", pkgConfig: "lmdb", providers: [.apt(["liblmdb-dev"]), .brew(["lmdb"])]),
    .systemLibrary(
      name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"]), .brew(["libsodium"])]),
    .systemLibrary(
      name: "CXXHash", pkgConfig: "libxxhash", providers: [.apt(["libxxhash-dev"]), .brew(["xxhash"])]),

    .target(name: "Locks", swiftSettings: settings),
    .target(name: "Digests", dependencies: ["CSodium", "CXXHash"], swiftSettings: settings),
    .target(name: "Bytes", dependencies: ["Digests"], swiftSettings: settings),
    .target(name: "LMDB", dependencies: ["Bytes", "CLMDB", "Locks"], swiftSettings: settings),
    .target(
      name: "EventLog", dependencies: ["Bytes", "Digests", "Locks"], exclude: ["block.proto"], swiftSettings: settings),
    .target(name: "Tables", dependencies: ["Bytes", "Digests", "LMDB", "Locks"], swiftSettings: settings),
    .target(
      name: "EventLogLMDB", dependencies: ["Bytes", "Digests", "EventLog", "LMDB", "Locks", "Tables"],
      swiftSettings: settings),
    .target(
      name: "Projections", dependencies: ["Bytes", "Digests", "EventLog", "Locks", "Tables"],
      swiftSettings: settings),
    .target(name: "TextFolding", swiftSettings: settings),
    .target(name: "Chat", swiftSettings: settings),
    .target(name: "ChatComposer", dependencies: ["Chat", "TextFolding", "Locks"], swiftSettings: settings),
    .target(name: "ChatMessageList", dependencies: ["Chat"], swiftSettings: settings),
    .target(
      name: "ChatCodec", dependencies: ["Bytes", "Chat", "EventLog"], exclude: ["intents.proto", "verbatim.proto"],
      swiftSettings: settings),
    .target(
      name: "ChatProjections",
      dependencies: ["Bytes", "Chat", "ChatCodec", "EventLog", "TextFolding", "Tables", "Projections"],
      swiftSettings: settings),
    .target(
      name: "ChatRendering", dependencies: ["Chat", "ChatComposer", "ChatMessageList", "ChatProjections", "Terminal"],
      swiftSettings: settings),
    .target(
      name: "ChatReplay",
      dependencies: [
        "Bytes", "Chat", "ChatCodec", "ChatProjections", "Digests", "EventLog", "JSONLines", "Tables", "Projections",
      ],
      swiftSettings: settings),
    .target(
      name: "Verbatim",
      dependencies: [
        "Bytes", "Chat", "ChatCodec", "ChatComposer", "ChatMessageList", "ChatRendering", "ChatProjections", "Digests",
        "EventLog",
        "EventLogLMDB", "LMDB",
        "Locks", "Projections",
      ],
      swiftSettings: settings),
    .target(name: "Terminal", swiftSettings: settings),
    .target(name: "JSONLines", swiftSettings: settings),
    .target(
      name: "Scenarios",
      dependencies: [
        "Chat", "ChatComposer", "ChatMessageList", "ChatRendering", "ChatProjections", "EventLog", "JSONLines",
        "Verbatim",
      ],
      swiftSettings: settings),
    .target(
      name: "VerbatimCommand",
      dependencies: [
        "Chat", "ChatCodec", "ChatComposer", "ChatMessageList", "ChatRendering", "ChatReplay", "ChatProjections",
        "EventLog",
        "EventLogLMDB", "JSONLines", "Scenarios", "Terminal", "Verbatim", "Projections",
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "VerbatimTool", dependencies: ["VerbatimCommand"], path: "Tools/verbatim", swiftSettings: settings),
    .executableTarget(
      name: "scenes", dependencies: ["Verbatim"], path: "Tools/scenes", swiftSettings: settings),

    .target(
      name: "LogContract", dependencies: ["ChildProcess", "EventLog"], path: "Tests/LogContract",
      swiftSettings: settings),
    .target(name: "SeededRandom", path: "Tests/SeededRandom", swiftSettings: settings),
    .target(
      name: "ChatSamples", dependencies: ["Chat", "SeededRandom"], path: "Tests/ChatSamples", swiftSettings: settings),
    .target(name: "ChildProcess", path: "Tests/ChildProcess", swiftSettings: settings),
    .target(
      name: "PseudoTerminal", dependencies: ["ChildProcess"], path: "Tests/PseudoTerminal", swiftSettings: settings),
    .target(name: "Browser", dependencies: ["ChildProcess"], path: "Tests/Browser", swiftSettings: settings),
    .executableTarget(
      name: "LogWorker", dependencies: ["ChildProcess", "EventLog", "EventLogLMDB", "LMDB", "SeededRandom"],
      path: "Tests/LogWorker", swiftSettings: settings),
    .executableTarget(
      name: "ProjectionWorker",
      dependencies: ["Bytes", "ChildProcess", "EventLog", "EventLogLMDB", "SeededRandom", "Tables", "Projections"],
      path: "Tests/ProjectionWorker", swiftSettings: settings),
    .executableTarget(
      name: "ChatWorker",
      dependencies: [
        "Chat", "ChatCodec", "ChatSamples", "ChatProjections", "ChildProcess", "EventLog", "EventLogLMDB",
        "SeededRandom",
        "Projections",
      ],
      path: "Tests/ChatWorker", swiftSettings: settings),
    .executableTarget(
      name: "WorkspaceWorker",
      dependencies: ["ChatCodec", "ChatSamples", "ChildProcess", "Locks", "SeededRandom", "Verbatim"],
      path: "Tests/WorkspaceWorker", swiftSettings: settings),
    .executableTarget(
      name: "Saboteur", dependencies: ["Bytes", "EventLog", "Tables", "Verbatim", "VerbatimCommand", "Projections"],
      path: "Tests/Saboteur", swiftSettings: settings),
    .executableTarget(
      name: "TerminalWorker", dependencies: ["Terminal"], path: "Tests/TerminalWorker", swiftSettings: settings),
    .testTarget(name: "DigestsTests", dependencies: ["Digests", "SeededRandom"], swiftSettings: settings),
    .testTarget(name: "BytesTests", dependencies: ["Bytes", "SeededRandom"], swiftSettings: settings),
    .testTarget(
      name: "LMDBTests", dependencies: ["Bytes", "CLMDB", "ChildProcess", "LMDB", "SeededRandom"],
      swiftSettings: settings),
    .testTarget(
      name: "TablesTests", dependencies: ["Bytes", "ChildProcess", "Digests", "LMDB", "SeededRandom", "Tables"],
      swiftSettings: settings),
    .testTarget(
      name: "EventLogTests",
      dependencies: ["Bytes", "ChildProcess", "Digests", "EventLog", "LogContract", "SeededRandom"],
      swiftSettings: settings),
    .testTarget(
      name: "EventLogLMDBTests",
      dependencies: [
        "Bytes", "ChildProcess", "EventLog", "EventLogLMDB", "LMDB", "LogContract", "LogWorker", "SeededRandom",
        "Tables",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "TerminalTests",
      dependencies: ["ChildProcess", "PseudoTerminal", "SeededRandom", "Terminal", "TerminalWorker"],
      swiftSettings: settings),
    .testTarget(
      name: "VerbatimCommandTests",
      dependencies: [
        "ChildProcess", "EventLog", "EventLogLMDB", "JSONLines", "PseudoTerminal", "Verbatim", "VerbatimCommand",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "ProjectionsTests",
      dependencies: [
        "Bytes", "ChildProcess", "Digests", "EventLog", "EventLogLMDB", "SeededRandom", "Tables", "ProjectionWorker",
        "Projections",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "ScenariosTests", dependencies: ["EventLog", "JSONLines", "Scenarios", "Verbatim"],
      swiftSettings: settings),
    .testTarget(name: "TextFoldingTests", dependencies: ["TextFolding", "SeededRandom"], swiftSettings: settings),
    .testTarget(name: "ChatTests", dependencies: ["Chat", "ChatSamples", "SeededRandom"], swiftSettings: settings),
    .testTarget(
      name: "ChatMessageListTests", dependencies: ["Chat", "ChatMessageList", "SeededRandom"], swiftSettings: settings),
    .testTarget(
      name: "ChatRenderingTests",
      dependencies: [
        "Browser", "Chat", "ChatComposer", "ChatMessageList", "ChatRendering", "ChatProjections", "SeededRandom",
        "Terminal",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "ChatComposerTests", dependencies: ["Chat", "ChatComposer", "ChatSamples", "ChildProcess", "SeededRandom"],
      swiftSettings: settings),
    .testTarget(
      name: "ChatCodecTests",
      dependencies: ["Bytes", "Chat", "ChatCodec", "ChatSamples", "ChildProcess", "EventLog", "SeededRandom"],
      swiftSettings: settings),
    .testTarget(
      name: "ChatProjectionsTests",
      dependencies: [
        "Bytes", "Chat", "ChatCodec", "ChatSamples", "ChatProjections", "ChatWorker", "ChildProcess", "Digests",
        "EventLog",
        "EventLogLMDB", "TextFolding", "SeededRandom", "Tables", "Projections",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "VerbatimTests",
      dependencies: [
        "Bytes", "Chat", "ChatCodec", "ChatComposer", "ChatSamples", "ChatProjections", "ChildProcess", "Digests",
        "EventLog",
        "EventLogLMDB", "Locks", "SeededRandom", "Tables", "Verbatim", "Projections", "WorkspaceWorker",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "ChatReplayTests", dependencies: ["ChildProcess", "Digests", "LMDB"], swiftSettings: settings),
    .testTarget(name: "BrowserTests", dependencies: ["Browser"], swiftSettings: settings),
    .testTarget(name: "TidyTests", swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
