// A headless browser in which tests inspect pages.
import ChildProcess
package import Foundation

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A headless Chromium, which ends with this object or with the tests, however they end.
///
/// Starting it is expensive, so one browser serves many pages, also concurrently. It reaches no other machine.
package final class Browser: Sendable {
  /// The color scheme that a reader prefers.
  package enum Scheme: String, Sendable, CaseIterable { case light, dark }

  /// A failure of the browser.
  package enum Failure: Error, Equatable, CustomStringConvertible {
    case missing
    case ended(said: String)
    case silent(String, seconds: Int)
    case refused(String, String)
    case script(String)
    case unmet(String, seconds: Int, problem: String?, shown: String)
    case element(String)
    case checkerMissing(path: String)

    package var description: String {
      switch self {
      case .missing:
        "there is no browser to look at pages with: run `Tools/setup --checks`, which installs Debian's chromium, or, "
          + "on macOS, install Google Chrome"
      case .ended(let said): "the browser has ended: \(said)"
      case .silent(let what, let seconds): "the browser did not come to “\(what)” in \(seconds) seconds"
      case .refused(let method, let reason): "the browser refused “\(method)”: \(reason)"
      case .script(let problem): "the script failed: \(problem)"
      case .unmet(let condition, let seconds, let problem, let shown):
        "the page did not fulfil “\(condition)” within \(seconds) seconds"
          + (problem.map { "; the last evaluation failed: \($0)" } ?? "")
          + (shown.isEmpty ? "" : "; it ended with “\(shown)”")
      case .element(let problem): "the user cannot reach the element: \(problem)"
      case .checkerMissing(let path): "there is no axe at \(path): run `Tools/setup --checks`, which installs it"
      }
    }
  }

  /// The possible locations of a browser: names on the PATH, and paths.
  package static let places = [
    "chromium", "chromium-browser", "google-chrome", "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
  ]

  private static let common = Result {
    // Without this, a browser that does not notice the end of its pipes would outlive the tests.
    atexit { Browser.endShared() }
    return try start()
  }

  private let wire: Wire
  private let folder: URL

  /// Returns the browser that all tests of a process share. It ends with the process.
  package static func shared() throws -> Browser { try common.get() }

  private static func endShared() { if let browser = try? common.get() { _ = browser.wire.end() } }

  /// Starts the first browser that exists at one of the locations.
  package static func start(among places: [String] = Browser.places) throws -> Browser {
    guard let program = places.lazy.compactMap(path).first else { throw Failure.missing }
    if geteuid() == 0 { return try Browser(program, isSandboxed: false) }
    do { return try Browser(program, isSandboxed: true) } catch Failure.ended(let said) where said.contains("sandbox") {
      // Containers often do not permit the sandbox that Chromium wants; the pages are trusted.
      return try Browser(program, isSandboxed: false)
    }
  }

  private init(_ program: String, isSandboxed: Bool) throws {
    // Outside the user's temporary directory: on macOS, the path of a socket in there would be too long.
    folder = URL(fileURLWithPath: "/tmp/verbatim-browser-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    let arguments = [program] + switches(profile: folder.path) + (isSandboxed ? [] : ["--no-sandbox"])
    wire = try Wire(
      ["/bin/sh", "-c", script, folder.path] + arguments, environment: ["HOME": folder.path, "TMPDIR": folder.path])
    try wire.tell("Browser.getVersion")
  }

  deinit {
    // A browser that ends regularly has its directory removed by its shell.
    if !wire.end() { try? FileManager.default.removeItem(at: folder) }
  }

  /// Opens a page that is given as its text.
  package func look(
    at html: String, width: Int = 800, height: Int = 800, scheme: Scheme = .light,
    within seconds: Int = Deadline.seconds
  ) throws -> Sight {
    let file = folder.appendingPathComponent("page-\(UUID().uuidString).html")
    try Data(html.utf8).write(to: file)
    return try look(at: file, width: width, height: height, scheme: scheme, within: seconds)
  }

  /// Opens a page in a window of some size, in points; waits until it is loaded and drawn.
  ///
  /// The page shares nothing with other pages, and reaches nothing, not even servers of this machine. Its scrollbars
  /// take no space.
  package func look(
    at file: URL, width: Int = 800, height: Int = 800, scheme: Scheme = .light, within seconds: Int = Deadline.seconds
  ) throws -> Sight {
    let page = try Page(Context(self, wire, reach: .nothing))
    try page.prepare(width: width, height: height, scheme: scheme)
    return try Sight(Window(page), file, within: seconds)
  }

  /// Creates a context: the cookies, the storage and the cache of a user, which no other context shares.
  package func context() throws -> Context { try Context(self, wire, reach: .thisMachine) }

  /// Opens an address that a server of this machine serves, in a window and a context of its own; waits until it is
  /// loaded.
  package func visit(
    _ address: String, width: Int = 800, height: Int = 800, scheme: Scheme = .light,
    within seconds: Int = Deadline.seconds
  ) throws -> Window {
    try context().visit(address, width: width, height: height, scheme: scheme, within: seconds)
  }

  private static func path(of place: String) -> String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    let paths = place.hasPrefix("/") ? [place] : folders.map { "\($0)/\(place)" }
    return paths.first(where: FileManager.default.isExecutableFile)
  }
}

/// Runs a browser that communicates through standard input and output, and ends when they are closed. Its last output
/// is reported, and its directory removed, even after the end of the tests. It inherits no other files, so that a
/// reader of the tests' output waits only for the tests.
private let script = """
  exec 2>/dev/null
  "$@" 3<&0 4>&1 </dev/null >"$0/said" 2>&1
  tail -n 5 "$0/said"
  rm -rf "$0" || { sleep 1; rm -rf "$0"; }
  """

private func switches(profile: String) -> [String] {
  [
    "--headless", "--remote-debugging-pipe", "--user-data-dir=\(profile)", "--no-first-run", "--disable-gpu",
    "--disable-dev-shm-usage", "--disable-breakpad", "--disable-extensions", "--use-mock-keychain",
    // Neither a page nor the browser's background services reach another machine; the rules also apply to addresses.
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
  ]
}
