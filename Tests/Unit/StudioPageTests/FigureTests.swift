// Threat: the studio is slow where nobody measures it. Run with VERBATIM_FIGURES=1; VERBATIM_PROGRAM and
// VERBATIM_WORKSPACE name a release build and a large workspace, which is not copied.
import Browser
import Foundation
import Testing
import TestThreads

private let environment = ProcessInfo.processInfo.environment

@Suite(.waitsForBrowser, .serialized, .enabled(if: environment["VERBATIM_FIGURES"] != nil))
struct `Figures of the studio` {
  private let studio: StudioProcess
  private let context: Browser.Context

  init() throws {
    if let path = environment["VERBATIM_WORKSPACE"] {
      studio = try StudioProcess(at: path)
    } else {
      studio = try StudioProcess(of: Workspaces.lively())
    }
    context = try Browser.shared().context()
    _ = try context.visit(studio.address)
  }

  private func report(_ name: String, _ values: [Double]) {
    let sorted = values.sorted()
    func at(_ share: Double) -> String {
      String(format: "%.1f", sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))])
    }
    print("\(name): p50 \(at(0.5)) p95 \(at(0.95)) p99 \(at(0.99)) of \(sorted.count), in ms")
  }

  @Test func `from a send to the pixels in another window, and from a key to its record`() throws {
    func open(_ user: String) throws -> Window {
      let window = try context.visit(studio.base + "/chat?user=\(user)&channel=general", width: 1000, height: 800)
      try window.wait(for: "document.querySelectorAll('.messages .row').length > 3")
      try window.run(
        """
        window.seen = {}; window.acked = []
        const now = () => performance.timeOrigin + performance.now()
        new MutationObserver(() => {
          const found = document.querySelector('.messages').textContent.match(/figure-\\d+[.]/g) ?? []
          for (const text of found.filter(text => !(text in seen))) {
            seen[text] = 0
            requestAnimationFrame(() => setTimeout(() => { seen[text] = now() }))
          }
        }).observe(document.querySelector('.messages'), { childList: true, subtree: true })
        document.addEventListener('keydown', () => { window.pressed = now() }, true)
        new MutationObserver(() => {
          if (document.body.dataset.waiting === '0') acked.push(now() - window.pressed)
        }).observe(document.body, { attributes: true })
        window.echoed = []
        document.addEventListener('input', () => {
          window.typed = now()
          const own = pressed
          requestAnimationFrame(() => setTimeout(() => echoed.push(now() - own)))
        }, true)
        """)
      return window
    }
    let (ada, ben) = (try open("ada"), try open("ben"))
    var pixels: [Double] = []
    for number in 0..<150 {
      try ada.focus("textarea")
      try ada.insert("figure-\(number).")
      try ada.wait(for: "document.body.dataset.waiting === '0'")
      try ada.press(.enter)
      try ben.wait(for: "seen['figure-\(number).'] > 0")
      let pressed: Double = try ada.evaluate("pressed")
      let shown: Double = try ben.evaluate("seen['figure-\(number).']")
      pixels.append(shown - pressed)
    }
    report("send to pixels in another window", pixels)
    try ada.run("acked.length = echoed.length = 0")
    try ada.focus("textarea")
    for number in 1...240 {
      try ada.type(number % 6 == 0 ? " " : "o")
      try ada.wait(for: "echoed.length === \(number) && document.body.dataset.waiting === '0'")
    }
    report("key to its pixels in the same window", try ada.evaluate("echoed"))
    report("key to its record in the studio", try ada.evaluate("acked"))
    try ada.forgetLongTasks()
    try ada.type("some more words")
    print("longest task of the chat page: \(try ada.longestTask()) ms")
  }

  @Test func `jumps to random events and instants, and random positions of the past`() throws {
    let window = try context.visit(studio.base + "/events", width: 1280, height: 900)
    try window.wait(for: Self.isOutlined)
    try window.run(
      """
      window.take = async (count, path) => {
        const times = []
        for (let number = 0; number < count; number += 1) {
          const address = path()
          const start = performance.now()
          await (await fetch('/api/' + address)).json()
          times.push(performance.now() - start)
        }
        return times
      };
      (async () => {
      const get = async (path) => (await fetch('/api/' + path)).json()
      const { head, users, channels } = await get('workspace')
      const at = (position) => `past?position=${position}&user=ada&channel=general`
      const of = async (position) => Date.parse((await get(at(position))).recorded)
      const [first, last] = [await of(1), await of(head)]
      const pick = (items) => items[Math.floor(Math.random() * items.length)].id
      const random = () => 1 + Math.floor(Math.random() * head)
      let next = Math.floor(head / 3)
      window.paths = {
        event: () => `row?position=${random()}`,
        instant: () => `row?instant=${new Date(first + Math.random() * (last - first)).toISOString()}`,
        past: () => `past?position=${random()}&user=${pick(users)}&channel=${pick(channels)}`,
        next: () => at(next += 1),
      }
      })()
      """)
    for (name, path, count) in [
      ("jump to a random event", "event", 200), ("jump to a random instant", "instant", 200),
      ("channel, lists and changes at a random position", "past", 300), ("the same at the next event", "next", 300),
    ] {
      report(name, try window.evaluate("take(\(count), paths.\(path))"))
    }
  }

  @Test func `a drag across the log, and an hour of playback`() throws {
    let window = try context.visit(studio.base + "/time?user=ada&channel=general", width: 1280, height: 900)
    try window.wait(for: Self.isOutlined)
    try window.wait(for: "document.querySelector('.changes .change, .changes dl') !== null")
    let box: [Double] = try window.evaluate(
      "(({left, width, top, height}) => [left, width, top + height / 2])"
        + "(document.querySelector('input[type=range]').getBoundingClientRect())")
    try window.run(
      """
      window.shown = []
      new MutationObserver(() => shown.push(Number(document.querySelector('#position').value)))
        .observe(document.querySelector('.now'), { childList: true })
      """)
    try window.forgetLongTasks()
    let parts = 60
    func point(_ part: Int) -> Window.Point {
      Window.Point(box[0] + box[1] * (0.02 + 0.96 * Double(part) / Double(parts)), box[2])
    }
    for part in 0..<parts {
      // Each part of the drag ends when something is drawn, as for a person who looks.
      let count: Int = try window.evaluate("shown.length")
      try window.drag(from: point(part), to: point(part + 1), steps: 4) {
        try window.wait(for: "shown.length > \(count)")
      }
    }
    print("longest task of a drag: \(try window.longestTask()) ms")
    let head: Int = try window.evaluate("Number(document.querySelector('#position').max)")
    let shown: [Int] = try window.evaluate("shown")
    #expect(shown.count >= parts && shown == shown.sorted())
    #expect(shown.first.map { $0 < head / 10 } == true && shown.last.map { $0 > head * 9 / 10 } == true)
    try window.wait(for: "document.querySelectorAll('.list li').length > 0")
    try window.wait(
      for: "document.querySelector('.facts a').textContent.replace(/\\D/g, '') === "
        + "document.querySelector('#position').value")
    print("\(shown.count) positions drawn during a drag across \(head) events")

    try window.run(
      """
      const set = (id, value) => {
        document.querySelector(id).value = value
        document.querySelector(id).dispatchEvent(new Event('change'))
      }
      set('#speed', '8')
      set('#position', Math.floor(\(head) / 3))
      """)
    try window.click(".play")
    let minutes = Int(environment["VERBATIM_FIGURES"] ?? "") ?? 1
    let health = "fetch('/api/health').then(answer => answer.json())"
    for part in 0...4 {
      // What is compiled and cached at first is not growth.
      let start: Double = try window.evaluate("performance.now()")
      let seconds = part == 0 ? 15 : minutes * 15
      try window.wait(for: "performance.now() > \(start + Double(seconds) * 1000)", within: seconds + 60)
      try window.collectGarbage()
      let metrics = try window.metrics()
      let memory: Int = try window.evaluate("\(health).then(health => health.process.memory)")
      let position: String = try window.evaluate("document.querySelector('#position').value")
      print(
        "playback at \(position): heap \(metrics.heapByteCount) bytes, nodes \(metrics.nodeCount), "
          + "listeners \(metrics.listenerCount), studio \(memory) bytes")
    }
  }

  private static let isOutlined =
    "fetch('/api/rows?count=1').then(answer => answer.json()).then(rows => rows.isComplete)"
}
