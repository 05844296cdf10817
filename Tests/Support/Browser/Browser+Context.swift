// The context of a user's windows in a browser, deleted with its object.
import ChildProcess

extension Browser {
  /// The cookies, storage and cache that windows share, as those of one user do; other contexts have their own.
  ///
  /// Its windows keep it alive.
  package final class Context: Sendable {
    /// The servers that pages of a context can reach.
    enum Reach { case nothing, thisMachine }

    let wire: Wire
    let id: String
    // Kept so that the browser lives as long as its contexts.
    let browser: Browser

    init(_ browser: Browser, _ wire: Wire, reach: Reach) throws {
      (self.browser, self.wire) = (browser, wire)
      // A proxy that does not exist, also for this machine, makes every server unreachable.
      let proxy = ["proxyServer": "http://no-proxy.invalid:1", "proxyBypassList": "<-loopback>"]
      let created: Created = try wire.ask("Target.createBrowserContext", reach == .nothing ? proxy : [:])
      id = created.browserContextId
    }

    deinit { wire.post("Target.disposeBrowserContext", ["browserContextId": id]) }

    /// Opens an empty window of some size, in points.
    package func window(width: Int = 800, height: Int = 800, scheme: Browser.Scheme = .light) throws -> Window {
      let page = try Page(self)
      try page.prepare(width: width, height: height, scheme: scheme)
      let window = Window(page)
      try window.observeLongTasks()
      return window
    }

    /// Opens an address that a server of this machine serves, in a new window; waits until it is loaded.
    package func visit(
      _ address: String, width: Int = 800, height: Int = 800, scheme: Browser.Scheme = .light,
      within seconds: Int = Deadline.seconds
    ) throws -> Window {
      let window = try window(width: width, height: height, scheme: scheme)
      try window.visit(address, within: seconds)
      return window
    }
  }
}

private struct Created: Decodable { let browserContextId: String }
