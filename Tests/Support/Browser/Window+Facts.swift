// Facts of a window's page: its problems, its requests, its memory and its long tasks; and whether it is offline.

extension Window {
  /// The memory of a page.
  package struct Metrics: Hashable, Sendable {
    /// The size of the JavaScript objects in bytes.
    package let heapByteCount: Int
    /// The number of DOM nodes, also of those that are not in the document.
    package let nodeCount: Int
    package let documentCount: Int
    package let listenerCount: Int
  }

  /// The addresses that were requested so far, in order, also of redirections and web sockets.
  package var requests: [String] { events.compactMap(\.requested) }

  /// The problems so far: requests to other origins than those visited, own requests that failed, violations of the
  /// content security policy, errors on the console, failed scripts, dialogs.
  ///
  /// The browser itself requests `/favicon.ico`, after the page is loaded, for a page that names no icon.
  package var problems: [String] { problems(allowing: []) }

  /// Returns the problems so far, except those whose description contains one of these texts.
  ///
  /// A test that provokes a failure allows it: `answers 404 for http://127.0.0.1:8080/missing`, `net::ERR_FAILED`.
  package func problems(allowing texts: [String]) -> [String] {
    let events = events
    let addresses = Dictionary(
      events.compactMap { event in event.requestID.flatMap { id in event.requested.map { (id, $0) } } },
      uniquingKeysWith: { $1 })
    let failures = Set(events.filter(\.isFailure).compactMap { $0.requestID.flatMap { addresses[$0] } })
    let told = events.compactMap { event -> String? in
      if let address = event.requested { return isOwn(address) ? nil : complaint(loading: address) }
      if let problem = event.failure(of: event.requestID.flatMap { addresses[$0] }) { return problem }
      return event.loggedProblem(besides: failures) ?? event.commonProblem
    }
    return told.unique.filter { problem in !texts.contains(where: problem.contains) }
  }

  /// Returns the memory of the page.
  package func metrics() throws -> Metrics {
    let answer: Answer = try page.ask("Performance.getMetrics")
    let values = Dictionary(answer.metrics.map { ($0.name, Int($0.value)) }, uniquingKeysWith: { $1 })
    func value(_ name: String) throws -> Int {
      guard let value = values[name] else { throw Browser.Failure.refused("Performance.getMetrics", "no \(name)") }
      return value
    }
    return Metrics(
      heapByteCount: try value("JSHeapUsedSize"), nodeCount: try value("Nodes"), documentCount: try value("Documents"),
      listenerCount: try value("JSEventListeners"))
  }

  /// Removes all JavaScript objects that the page does not use.
  package func collectGarbage() throws {
    // The browser keeps the results of scripts, and the objects that were written to the console.
    try page.tell("Runtime.releaseObjectGroup", ["objectGroup": objectGroup])
    try page.tell("Runtime.discardConsoleEntries")
    try page.tell("HeapProfiler.collectGarbage")
  }

  /// Lets all further requests of the window fail as if it were offline, or connects it again.
  ///
  /// A response that is being received, such as a stream of events, continues.
  package func setOffline(_ isOffline: Bool) throws {
    try page.tell(
      "Network.emulateNetworkConditions",
      ["offline": isOffline, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1])
  }

  /// Returns the duration of the longest task of the page's thread in milliseconds, since the page began to load or
  /// since the last `forgetLongTasks`; 0 if none took more than 50.
  package func longestTask() throws -> Double { try page.evaluate("globalThis[\(longTasks)].longest()") }

  /// Forgets the long tasks so far.
  package func forgetLongTasks() throws { try run("globalThis[\(longTasks)].forget()") }

  /// Observes long tasks in each page, from before its scripts run.
  func observeLongTasks() throws { try runFirst(observing) }

  /// Runs a script in each page that is visited from now on, before its own scripts.
  package func runFirst(_ script: String) throws {
    try page.tell("Page.addScriptToEvaluateOnNewDocument", ["source": script])
  }
}

private struct Answer: Decodable {
  struct Metric: Decodable {
    let name: String
    let value: Double
  }

  let metrics: [Metric]
}

/// The name of the observer in a page.
private let longTasks = "Symbol.for('long tasks, observed by a test')"

/// Tasks that the browser has not yet reported are awaited: it does so after the next task.
private let observing = """
  (() => {
    let longest = 0
    const keep = entries => { for (const entry of entries) longest = Math.max(longest, entry.duration) }
    const observer = new PerformanceObserver(list => keep(list.getEntries()))
    observer.observe({ type: 'longtask', buffered: true })
    const turn = () => new Promise(done => setTimeout(done))
    const current = async () => {
      await turn()
      await turn()
      keep(observer.takeRecords())
    }
    globalThis[\(longTasks)] = {
      longest: async () => (await current(), longest),
      forget: async () => (await current(), longest = 0, undefined),
    }
  })()
  """
