// Threat: the studio is slow where nobody measures it. Run with VERBATIM_FIGURES=1; VERBATIM_PROGRAM and
// VERBATIM_WORKSPACE name a release build and a large workspace, which is not copied.
import Browser
import Foundation
import Testing

private let environment = ProcessInfo.processInfo.environment

@Suite(.ownThread, .serialized, .enabled(if: environment["VERBATIM_FIGURES"] != nil)) struct `Figures of the studio` {
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
          if (document.body.dataset.waiting === '0') acked.push(now() - window.typed)
        }).observe(document.body, { attributes: true })
        document.addEventListener('input', () => { window.typed = now() }, true)
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
    try ada.run("acked.length = 0")
    try ada.focus("textarea")
    for _ in 0..<40 {
      try ada.type("hello ")
      try ada.wait(for: "document.body.dataset.waiting === '0'")
    }
    report("key to its record in the studio", try ada.evaluate("acked"))
    try ada.forgetLongTasks()
    try ada.type("some more words")
    print("longest task of the chat page: \(try ada.longestTask()) ms")
  }

  @Test func `a drag across the log, and an hour of playback`() throws {
    let window = try context.visit(studio.base + "/time?user=ada&channel=general", width: 1280, height: 900)
    try window.wait(for: "document.querySelector('.changes .change, .changes dl') !== null", within: 120)
    try window.forgetLongTasks()
    let box: [Double] = try window.evaluate(
      "(({left, width, top, height}) => [left, width, top + height / 2])"
        + "(document.querySelector('input[type=range]').getBoundingClientRect())")
    try window.drag(
      from: Window.Point(box[0] + box[1] * 0.02, box[2]), to: Window.Point(box[0] + box[1] * 0.98, box[2]), steps: 200)
    print("longest task of a drag: \(try window.longestTask()) ms")
    try window.run("document.querySelector('#speed').value = '8'")
    try window.run("document.querySelector('#speed').dispatchEvent(new Event('change'))")
    try window.focus("input[type=range]")
    try window.press(.home)
    try window.click(".play")
    try window.collectGarbage()
    let before = try window.metrics()
    // Shortened pauses and eight times the speed: minutes for an hour of the log.
    let minutes = Int(environment["VERBATIM_FIGURES"] ?? "") ?? 1
    let start: Double = try window.evaluate("performance.now()")
    try window.wait(for: "performance.now() > \(start + Double(minutes) * 60_000)", within: minutes * 60 + 60)
    try window.collectGarbage()
    let after = try window.metrics()
    let position: String = try window.evaluate("document.querySelector('#position').value")
    print(
      "playback to \(position): heap \(before.heapByteCount) to \(after.heapByteCount) bytes, "
        + "nodes \(before.nodeCount) to \(after.nodeCount), listeners \(before.listenerCount) to \(after.listenerCount)"
    )
  }
}
