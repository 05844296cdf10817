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
    .library(name: "VerbatimUI", targets: ["VerbatimUI"]),
    .library(name: "VerbatimTesting", targets: ["VerbatimTesting"]),
    .library(name: "VerbatimCommand", targets: ["VerbatimCommand"]),
    .library(name: "Chat", targets: ["Chat", "ChatCodec"]),
    .library(name: "EventLog", targets: ["EventLog"]),
    .library(name: "EventLogLMDB", targets: ["EventLogLMDB"]),
    .library(name: "EventLogPostgres", targets: ["EventLogPostgres"]),
    .executable(name: "verbatim", targets: ["VerbatimTool"]),
  ],
  targets: [
    .systemLibrary(
      name: "CLMDB", path: "Sources/Storage/CLMDB", pkgConfig: "lmdb",
      providers: [.apt(["liblmdb-dev"]), .brew(["lmdb"])]),
    // Its library is loaded when it is needed, and not linked.
    .systemLibrary(name: "CPostgres", path: "Sources/Storage/CPostgres"),
    .systemLibrary(name: "CFiles", path: "Sources/Support/CFiles"),
    .systemLibrary(
      name: "CSodium", path: "Sources/Support/CSodium", pkgConfig: "libsodium",
      providers: [.apt(["libsodium-dev"]), .brew(["libsodium"])]),
    .systemLibrary(
      name: "CXXHash", path: "Sources/Support/CXXHash", pkgConfig: "libxxhash",
      providers: [.apt(["libxxhash-dev"]), .brew(["xxhash"])]),
    .systemLibrary(
      name: "CMicroHTTPD", path: "Sources/Support/CMicroHTTPD", pkgConfig: "libmicrohttpd",
      providers: [.apt(["libmicrohttpd-dev"]), .brew(["libmicrohttpd"])]),

    .target(name: "Errors", path: "Sources/Support/Errors", swiftSettings: settings),
    .target(name: "Locks", path: "Sources/Support/Locks", swiftSettings: settings),
    .target(name: "Bindings", path: "Sources/Support/Bindings", swiftSettings: settings),
    .target(name: "Timestamps", path: "Sources/Support/Timestamps", swiftSettings: settings),
    .target(
      name: "Digests", dependencies: ["CSodium", "CXXHash"], path: "Sources/Support/Digests", swiftSettings: settings),
    .target(name: "Bytes", dependencies: ["Digests"], path: "Sources/Support/Bytes", swiftSettings: settings),
    .target(name: "Files", dependencies: ["CFiles"], path: "Sources/Support/Files", swiftSettings: settings),
    .target(
      name: "LMDBPages", dependencies: ["Digests", "Errors", "Files"], path: "Sources/Storage/LMDBPages",
      swiftSettings: settings),
    .target(
      name: "LMDB", dependencies: ["Bytes", "CLMDB", "Errors", "Files", "Locks"], path: "Sources/Storage/LMDB",
      swiftSettings: settings),
    .target(
      name: "EventLog", dependencies: ["Bytes", "Digests", "Locks", "Timestamps"], path: "Sources/Storage/EventLog",
      exclude: ["block.proto"], swiftSettings: settings),
    .target(
      name: "ContentKeys", dependencies: ["Bytes", "Digests", "EventLog", "Files", "Locks", "Timestamps"],
      path: "Sources/Storage/ContentKeys", swiftSettings: settings),
    .target(
      name: "Tables", dependencies: ["Bytes", "Digests", "Errors", "Files", "LMDB", "LMDBPages", "Locks"],
      path: "Sources/Storage/Tables",
      swiftSettings: settings),
    .target(
      name: "EventIndex",
      dependencies: ["Bytes", "Errors", "EventLog", "Files", "LMDB", "LMDBPages", "Locks", "Tables"],
      path: "Sources/Storage/EventIndex", swiftSettings: settings),
    .target(
      name: "EventLogLMDB",
      dependencies: [
        "Bytes", "Digests", "Errors", "EventIndex", "EventLog", "Files", "LMDB", "LMDBPages", "Locks", "Tables",
      ], path: "Sources/Storage/EventLogLMDB", swiftSettings: settings),
    .target(
      name: "EventLogPostgres",
      dependencies: ["CPostgres", "Digests", "Errors", "EventIndex", "EventLog", "Files", "Locks"],
      path: "Sources/Storage/EventLogPostgres", swiftSettings: settings),
    .target(
      name: "Projections", dependencies: ["Bytes", "Digests", "Errors", "EventLog", "JSONLines", "Locks", "Tables"],
      path: "Sources/Storage/Projections",
      swiftSettings: settings),
    .target(name: "TextFolding", path: "Sources/Support/TextFolding", swiftSettings: settings),
    .target(
      name: "Chat", dependencies: ["Digests", "Timestamps"], path: "Sources/Domain/Chat", swiftSettings: settings),
    .target(
      name: "ChatComposer", dependencies: ["Chat", "Errors", "TextFolding", "Locks"],
      path: "Sources/Domain/ChatComposer", swiftSettings: settings),
    .target(
      name: "ChatMessageList", dependencies: ["Bindings", "Chat"], path: "Sources/Domain/ChatMessageList",
      swiftSettings: settings),
    .target(
      name: "ChatCodec", dependencies: ["Bytes", "Chat", "EventLog"], path: "Sources/Domain/ChatCodec",
      exclude: ["intents.proto", "verbatim.proto"],
      swiftSettings: settings),
    .target(
      name: "ChatProjections",
      dependencies: ["Bytes", "Chat", "ChatCodec", "Errors", "EventLog", "TextFolding", "Tables", "Projections"],
      path: "Sources/Domain/ChatProjections",
      swiftSettings: settings),
    .target(
      name: "ChatRendering", dependencies: ["Chat", "ChatComposer", "ChatMessageList", "ChatProjections"],
      path: "Sources/App/ChatRendering", swiftSettings: settings),
    .target(
      name: "TerminalRendering",
      dependencies: ["Chat", "ChatComposer", "ChatMessageList", "ChatProjections", "ChatRendering", "Terminal"],
      path: "Sources/App/TerminalRendering", swiftSettings: settings),
    .target(
      name: "ChatReplay",
      dependencies: [
        "Bytes", "Chat", "ChatCodec", "ChatProjections", "Digests", "Errors", "EventLog", "JSONLines", "Locks",
        "Projections", "Tables",
      ], path: "Sources/Tooling/ChatReplay",
      swiftSettings: settings),
    .target(
      name: "Verbatim",
      dependencies: [
        "Bytes", "Chat", "ChatCodec", "ChatProjections", "ContentKeys", "Digests", "Errors", "EventLog", "EventLogLMDB",
        "EventLogPostgres", "Files",
        "Locks", "Projections", "Tables", "Timestamps",
      ], path: "Sources/App/Verbatim", swiftSettings: settings),
    .target(
      name: "VerbatimUI",
      dependencies: [
        "Bindings", "Chat", "ChatCodec", "ChatComposer", "ChatMessageList", "ChatProjections", "ChatRendering",
        "Errors", "EventLog", "Locks", "Projections", "Verbatim",
      ], path: "Sources/App/VerbatimUI", swiftSettings: settings),
    .target(
      name: "VerbatimTesting",
      dependencies: ["Chat", "EventLog", "Locks", "Projections", "RandomNumbers", "Tables", "Verbatim"],
      path: "Sources/App/VerbatimTesting", swiftSettings: settings),
    .target(name: "Terminal", dependencies: ["Locks"], path: "Sources/Support/Terminal", swiftSettings: settings),
    .target(
      name: "WebServer", dependencies: ["CMicroHTTPD", "Locks"], path: "Sources/Support/WebServer",
      swiftSettings: settings),
    .target(name: "JSONLines", path: "Sources/Support/JSONLines", swiftSettings: settings),
    .target(name: "RandomNumbers", path: "Sources/Support/RandomNumbers", swiftSettings: settings),
    .target(
      name: "Scenarios",
      dependencies: [
        "Chat", "ChatComposer", "ChatMessageList", "ChatRendering", "ChatProjections", "Errors", "EventLog",
        "JSONLines", "Locks", "RandomNumbers", "TerminalRendering", "Verbatim", "VerbatimUI",
      ], path: "Sources/Tooling/Scenarios",
      swiftSettings: settings),
    .target(
      name: "Studio", dependencies: ["Chat", "ChatCodec", "EventLog", "Locks", "WebServer"],
      path: "Sources/Tooling/Studio", resources: [.embedInCode("Assets")], swiftSettings: settings),
    .target(
      name: "VerbatimCommand",
      dependencies: [
        "Chat", "ChatCodec", "ChatComposer", "ChatMessageList", "ChatRendering", "ChatReplay", "ChatProjections",
        "ContentKeys", "Digests", "Errors", "EventLog", "EventLogLMDB", "EventLogPostgres", "Files", "JSONLines",
        "Locks", "Projections", "RandomNumbers", "Scenarios", "Studio", "Tables", "Terminal", "TerminalRendering",
        "Verbatim", "VerbatimUI", "WebServer",
      ], path: "Sources/Tooling/VerbatimCommand",
      swiftSettings: settings),
    .executableTarget(
      name: "VerbatimTool", dependencies: ["VerbatimCommand"], path: "Tools/verbatim", swiftSettings: settings),
    .executableTarget(
      name: "scenes", dependencies: ["VerbatimUI"], path: "Tools/scenes", swiftSettings: settings),

    .target(
      name: "LogContract", dependencies: ["ChildProcess", "EventLog"], path: "Tests/Support/LogContract",
      swiftSettings: settings),
    .target(
      name: "SeededRandom", dependencies: ["RandomNumbers"], path: "Tests/Support/SeededRandom",
      swiftSettings: settings),
    .target(
      name: "ChatSamples", dependencies: ["Chat", "SeededRandom"], path: "Tests/Support/ChatSamples",
      swiftSettings: settings),
    .target(
      name: "ChildProcess", dependencies: ["Locks"], path: "Tests/Support/ChildProcess", swiftSettings: settings),
    .target(
      name: "PseudoTerminal", dependencies: ["ChildProcess"], path: "Tests/Support/PseudoTerminal",
      swiftSettings: settings),
    .target(
      name: "PostgresServer", dependencies: ["ChildProcess", "EventLog", "EventLogPostgres", "Locks"],
      path: "Tests/Support/PostgresServer",
      swiftSettings: settings),
    .target(name: "TestThreads", path: "Tests/Support/TestThreads", swiftSettings: settings),
    .target(name: "WebClient", path: "Tests/Support/WebClient", swiftSettings: settings),
    .target(
      name: "Browser", dependencies: ["ChildProcess", "Locks"], path: "Tests/Support/Browser",
      swiftSettings: settings),
    .executableTarget(
      name: "LogWorker", dependencies: ["ChildProcess", "EventLog", "EventLogLMDB", "LMDB", "SeededRandom"],
      path: "Tests/Process/LogWorker", swiftSettings: settings),
    .executableTarget(
      name: "ProjectionWorker",
      dependencies: ["Bytes", "ChildProcess", "EventLog", "EventLogLMDB", "SeededRandom", "Tables", "Projections"],
      path: "Tests/Process/ProjectionWorker", swiftSettings: settings),
    .executableTarget(
      name: "ChatWorker",
      dependencies: [
        "Chat", "ChatCodec", "ChatSamples", "ChatProjections", "ChildProcess", "EventLog", "EventLogLMDB", "Locks",
        "SeededRandom",
        "Projections",
      ], path: "Tests/Process/ChatWorker", swiftSettings: settings),
    .executableTarget(
      name: "WorkspaceWorker",
      dependencies: ["ChatCodec", "ChatSamples", "ChildProcess", "Locks", "SeededRandom", "Verbatim", "VerbatimUI"],
      path: "Tests/Process/WorkspaceWorker", swiftSettings: settings),
    .executableTarget(
      name: "Saboteur", dependencies: ["Bytes", "EventLog", "Tables", "Verbatim", "VerbatimCommand", "Projections"],
      path: "Tests/Process/Saboteur", swiftSettings: settings),
    .target(
      name: "CrashImages", dependencies: ["ChildProcess", "Digests", "SeededRandom"],
      path: "Tests/Support/CrashImages", swiftSettings: settings),
    .executableTarget(
      name: "TortureWorker",
      dependencies: [
        "ChildProcess", "ContentKeys", "CrashImages", "Digests", "EventLogLMDB", "LMDBPages", "Locks", "SeededRandom",
        "Tables", "Verbatim", "VerbatimUI",
      ], path: "Tests/Process/TortureWorker", swiftSettings: settings),
    .executableTarget(
      name: "TerminalWorker", dependencies: ["Terminal"], path: "Tests/Process/TerminalWorker",
      swiftSettings: settings),
    .target(name: "SwiftUIStandIn", path: "Tests/Support/SwiftUIStandIn", swiftSettings: settings),
    .testTarget(
      name: "FrontDoorTests", dependencies: ["SwiftUIStandIn", "VerbatimUI"],
      path: "Tests/Unit/FrontDoorTests",
      swiftSettings: settings),
    .testTarget(
      name: "VerbatimTestingTests", dependencies: ["VerbatimTesting"], path: "Tests/Unit/VerbatimTestingTests",
      swiftSettings: settings),
    .testTarget(
      name: "DigestsTests", dependencies: ["Digests", "SeededRandom"], path: "Tests/Unit/DigestsTests",
      swiftSettings: settings),
    .testTarget(
      name: "BytesTests", dependencies: ["Bytes", "SeededRandom"], path: "Tests/Unit/BytesTests",
      swiftSettings: settings),
    .testTarget(
      name: "FilesTests", dependencies: ["ChildProcess", "Files"], path: "Tests/Unit/FilesTests",
      swiftSettings: settings),
    .testTarget(
      name: "LMDBPagesTests", dependencies: ["CLMDB", "LMDBPages", "SeededRandom"], path: "Tests/Unit/LMDBPagesTests",
      swiftSettings: settings),
    .testTarget(
      name: "LMDBTests", dependencies: ["Bytes", "CLMDB", "Files", "LMDB", "LMDBPages", "SeededRandom"],
      path: "Tests/Unit/LMDBTests",
      swiftSettings: settings),
    .testTarget(
      name: "TablesTests",
      dependencies: ["Bytes", "ChildProcess", "Digests", "Files", "LMDB", "LMDBPages", "SeededRandom", "Tables"],
      path: "Tests/Unit/TablesTests",
      swiftSettings: settings),
    .testTarget(
      name: "EventLogTests",
      dependencies: [
        "Bytes", "ChildProcess", "Digests", "EventLog", "Locks", "LogContract", "PostgresServer", "SeededRandom",
      ],
      path: "Tests/Unit/EventLogTests",
      swiftSettings: settings),
    .testTarget(
      name: "EventLogLMDBTests",
      dependencies: [
        "Bytes", "ChildProcess", "Digests", "EventLog", "EventLogLMDB", "EventLogPostgres", "Files", "LMDB",
        "LMDBPages", "Locks", "LogContract", "LogWorker", "PostgresServer", "SeededRandom", "Tables", "TestThreads",
      ], path: "Tests/Unit/EventLogLMDBTests",
      swiftSettings: settings),
    .testTarget(
      name: "EventLogPostgresTests",
      dependencies: [
        "ChildProcess", "EventLog", "EventLogPostgres", "Locks", "LogContract", "PostgresServer", "SeededRandom",
        "TestThreads",
      ], path: "Tests/Unit/EventLogPostgresTests", swiftSettings: settings),
    .testTarget(
      name: "TerminalTests",
      dependencies: ["ChildProcess", "PseudoTerminal", "SeededRandom", "Terminal", "TerminalWorker", "TestThreads"],
      path: "Tests/Unit/TerminalTests",
      swiftSettings: settings),
    .testTarget(
      name: "VerbatimCommandTests",
      dependencies: [
        "Bytes", "ChatCodec", "ChatComposer", "ChatSamples", "ChildProcess", "ContentKeys", "EventLog", "EventLogLMDB",
        "JSONLines", "Locks",
        "PostgresServer",
        "PseudoTerminal", "RandomNumbers", "SeededRandom", "TestThreads", "Verbatim", "Terminal", "VerbatimCommand",
        "VerbatimUI",
        "WebClient", "WebServer",
      ], path: "Tests/Unit/VerbatimCommandTests",
      swiftSettings: settings),
    .testTarget(
      name: "ProjectionsTests",
      dependencies: [
        "Bytes", "ChildProcess", "Digests", "EventIndex", "EventLog", "EventLogLMDB", "Locks", "SeededRandom", "Tables",
        "ProjectionWorker", "Projections", "TestThreads",
      ], path: "Tests/Unit/ProjectionsTests",
      swiftSettings: settings),
    .testTarget(
      name: "ScenariosTests", dependencies: ["Chat", "ChatCodec", "EventLog", "JSONLines", "Scenarios", "Verbatim"],
      path: "Tests/Unit/ScenariosTests",
      swiftSettings: settings),
    .testTarget(
      name: "TextFoldingTests", dependencies: ["TextFolding", "SeededRandom"], path: "Tests/Unit/TextFoldingTests",
      swiftSettings: settings),
    .testTarget(
      name: "ChatTests", dependencies: ["Chat", "ChatSamples", "SeededRandom"], path: "Tests/Unit/ChatTests",
      swiftSettings: settings),
    .testTarget(
      name: "ChatMessageListTests", dependencies: ["Bindings", "Chat", "ChatMessageList", "SeededRandom"],
      path: "Tests/Unit/ChatMessageListTests", swiftSettings: settings),
    .testTarget(
      name: "ChatRenderingTests",
      dependencies: [
        "Bindings", "Browser", "Chat", "ChatComposer", "ChatMessageList", "ChatRendering", "ChatProjections",
        "SeededRandom", "Terminal", "TerminalRendering",
      ], path: "Tests/Unit/ChatRenderingTests",
      swiftSettings: settings),
    .testTarget(
      name: "ChatComposerTests",
      dependencies: ["Chat", "ChatComposer", "ChatSamples", "ChildProcess", "Locks", "SeededRandom", "TestThreads"],
      path: "Tests/Unit/ChatComposerTests",
      swiftSettings: settings),
    .testTarget(
      name: "ChatCodecTests",
      dependencies: ["Bytes", "Chat", "ChatCodec", "ChatSamples", "ChildProcess", "EventLog", "SeededRandom"],
      path: "Tests/Unit/ChatCodecTests",
      swiftSettings: settings),
    .testTarget(
      name: "ChatProjectionsTests",
      dependencies: [
        "Bytes", "Chat", "ChatCodec", "ChatSamples", "ChatProjections", "ChatWorker", "ChildProcess", "Digests",
        "EventLog",
        "EventLogLMDB", "TestThreads", "TextFolding", "SeededRandom", "Tables", "Projections",
      ], path: "Tests/Unit/ChatProjectionsTests",
      swiftSettings: settings),
    .testTarget(
      name: "ContentKeysTests", dependencies: ["ContentKeys", "Digests", "EventLog", "Locks", "SeededRandom"],
      path: "Tests/Unit/ContentKeysTests", swiftSettings: settings),
    .testTarget(
      name: "VerbatimTests",
      dependencies: [
        "Bytes", "Chat", "ChatCodec", "ChatComposer", "ChatSamples", "ChatProjections", "ChildProcess", "ContentKeys",
        "Digests", "EventLog",
        "EventLogLMDB", "EventLogPostgres", "Locks", "PostgresServer", "Projections", "SeededRandom", "Tables",
        "TerminalRendering",
        "TestThreads", "Verbatim", "VerbatimUI",
        "WorkspaceWorker",
      ], path: "Tests/Unit/VerbatimTests",
      swiftSettings: settings),
    .testTarget(
      name: "ChatReplayTests", dependencies: ["ChildProcess", "Digests", "LMDB", "TestThreads"],
      path: "Tests/Unit/ChatReplayTests",
      swiftSettings: settings),
    .testTarget(
      name: "BrowserTests", dependencies: ["Browser", "TestThreads", "WebServer"], path: "Tests/Unit/BrowserTests",
      swiftSettings: settings),
    .testTarget(
      name: "PageTests", dependencies: ["ChildProcess", "Locks", "TestThreads"], path: "Tests/Unit/PageTests",
      swiftSettings: settings),
    .testTarget(
      name: "WebServerTests", dependencies: ["Locks", "SeededRandom", "WebClient", "WebServer"],
      path: "Tests/Unit/WebServerTests", swiftSettings: settings),
    .testTarget(
      name: "StudioTests", dependencies: ["EventLog", "Locks", "SeededRandom", "Studio", "WebClient", "WebServer"],
      path: "Tests/Unit/StudioTests", swiftSettings: settings),
    .testTarget(
      name: "StudioPageTests", dependencies: ["Browser", "ChildProcess", "TestThreads"],
      path: "Tests/Unit/StudioPageTests",
      swiftSettings: settings),
    .testTarget(
      name: "CrashImagesTests", dependencies: ["ChildProcess", "CrashImages", "SeededRandom", "TestThreads"],
      path: "Tests/Unit/CrashImagesTests", swiftSettings: settings),
    .testTarget(name: "TidyTests", path: "Tests/Unit/TidyTests", swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
