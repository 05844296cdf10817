// A browser without a window, in which tests look at pages.
import ChildProcess
package import Foundation

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A headless Chromium, which ends with this object or with the tests, however they end.
///
/// Starting it costs most, so that one serves many looks, also several at once. It reaches no network.
package final class Browser: Sendable {
  /// The colours that a reader prefers.
  package enum Scheme: String, Sendable, CaseIterable { case light, dark }

  /// What a browser did not do.
  package enum Failure: Error, Equatable, CustomStringConvertible {
    case missing
    case ended(said: String)
    case silent(String, seconds: Int)
    case refused(String, String)
    case script(String)

    package var description: String {
      switch self {
      case .missing:
        "there is no browser to look at pages with: run `Tools/setup --checks`, which installs Debian's chromium, or, "
          + "on macOS, install Google Chrome"
      case .ended(let said): "the browser has ended: \(said)"
      case .silent(let what, let seconds): "the browser did not come to “\(what)” in \(seconds) seconds"
      case .refused(let method, let reason): "the browser refused “\(method)”: \(reason)"
      case .script(let problem): "the script failed: \(problem)"
      }
    }
  }

  /// Where a browser may lie: its names on the PATH, and its paths.
  package static let places = [
    "chromium", "chromium-browser", "google-chrome", "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
  ]

  private static let common = Result {
    // What is left to the operating system, a browser that does not hear of the end, would outlive the tests.
    atexit { Browser.endShared() }
    return try start()
  }

  private let wire: Wire
  private let folder: URL

  /// The browser that all tests of a process share. It ends with the process.
  package static func shared() throws -> Browser { try common.get() }

  private static func endShared() { if let browser = try? common.get() { _ = browser.wire.end() } }

  /// Starts the first of some browsers that is there.
  package static func start(among places: [String] = Browser.places) throws -> Browser {
    guard let program = places.lazy.compactMap(path).first else { throw Failure.missing }
    if geteuid() == 0 { return try Browser(program, isSandboxed: false) }
    do { return try Browser(program, isSandboxed: true) } catch Failure.ended(let said) where said.contains("sandbox") {
      // Containers often do not let a process make the sandbox that Chromium wants; the pages are our own.
      return try Browser(program, isSandboxed: false)
    }
  }

  private init(_ program: String, isSandboxed: Bool) throws {
    // Not where a user's temporary files lie: on macOS, a socket in there would have too long a path.
    folder = URL(fileURLWithPath: "/tmp/verbatim-browser-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    let arguments = [program] + switches(profile: folder.path) + (isSandboxed ? [] : ["--no-sandbox"])
    wire = try Wire(
      ["/bin/sh", "-c", script, folder.path] + arguments, environment: ["HOME": folder.path, "TMPDIR": folder.path])
    try wire.tell("Browser.getVersion")
  }

  deinit {
    // A browser that ends as asked has its folder removed by its shell.
    if !wire.end() { try? FileManager.default.removeItem(at: folder) }
  }

  /// Opens a page that is given as its text.
  package func look(
    at html: String, width: Int = 800, height: Int = 800, scheme: Scheme = .light, within seconds: Int = 60
  ) throws -> Sight {
    let file = folder.appendingPathComponent("page-\(UUID().uuidString).html")
    try Data(html.utf8).write(to: file)
    return try look(at: file, width: width, height: height, scheme: scheme, within: seconds)
  }

  /// Opens a page in a window of some size, in points; waits until it is loaded and drawn.
  ///
  /// The page shares nothing with other looks. Its scrollbars take no place.
  package func look(
    at file: URL, width: Int = 800, height: Int = 800, scheme: Scheme = .light, within seconds: Int = 60
  ) throws -> Sight {
    let page = try Page(self, wire)
    try page.prepare(width: width, height: height, scheme: scheme)
    return try Sight(page, file, within: seconds)
  }

  private static func path(of place: String) -> String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    let paths = place.hasPrefix("/") ? [place] : folders.map { "\($0)/\(place)" }
    return paths.first(where: FileManager.default.isExecutableFile)
  }
}

/// Runs a browser that speaks with whoever reads its output and writes its input, which end it when they close these.
/// What it says last is told, and its folder removed, also when the tests are no more. It keeps nothing open of theirs,
/// so that whoever waits for the end of what they say waits for them alone.
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
    // No page and no errand of the browser's own gets out.
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND",
  ]
}
