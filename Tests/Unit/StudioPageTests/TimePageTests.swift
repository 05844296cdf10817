// Threat: the slider shows a chat that never was, or a link to a moment shows another one.
import Browser
import ChildProcess
import Foundation
import Testing
import TestThreads

@Suite(.waitsForBrowser, .serialized) struct `The time page` {
  private let studio: StudioProcess
  private let context: Browser.Context
  private let window: Window

  init() throws {
    studio = try StudioProcess(of: Workspaces.lively())
    context = try Browser.shared().context()
    window = try context.visit(studio.address, width: 1280, height: 900)
  }

  private func go(_ query: String, in window: Window? = nil) throws {
    let window = window ?? self.window
    try window.visit(studio.base + "/time" + query)
    try window.wait(for: Self.isShown)
  }

  /// Whether the chat at the position of the field is shown.
  private static let isShown = """
    document.querySelector('#position') !== null && [
      '0', document.querySelector('.changes [href*="/events?position="]')?.href.match(/position=(\\d+)/)[1],
    ].includes(document.querySelector('#position').value)
    """

  private func head() throws -> Int {
    try window.evaluate("fetch('/api/workspace').then(answer => answer.json()).then(answer => answer.head)")
  }

  @Test func `a dragged slider shows the chat as it was at each position, and its link shows the same`() throws {
    let head = try head()
    try go("?user=ada&channel=general&position=\(head)")
    let line: [String: Double] = try window.evaluate(
      "(({left, width, top, height}) => ({left, width, top, height}))"
        + "(document.querySelector('input[type=range]').getBoundingClientRect())")
    let y = line["top"]! + line["height"]! / 2
    let (from, to) = (line["left"]! + line["width"]! * 0.9, line["left"]! + line["width"]! * 0.3)
    try window.drag(from: Window.Point(from, y), to: Window.Point(to, y), steps: 20)
    // The page draws the last place of the slider, and writes it into the address, some frames later.
    try window.wait(
      for: """
        Number(document.querySelector('#position').value) < \(head * 4 / 10) && (\(Self.isShown))
          && location.search.includes('position=' + document.querySelector('#position').value)
        """)
    let position: String = try window.evaluate("document.querySelector('#position').value")
    #expect((1..<head).contains(Int(position)!))
    let text = try window.text(of: ".panel.chat")
    let address: String = try window.evaluate("location.href")
    #expect(address.contains("position=\(position)"))
    let other = try context.visit(address, width: 1280, height: 900)
    try other.wait(for: Self.isShown)
    #expect(try other.text(of: ".panel.chat") == text)
    // The command shows the same messages.
    let shown = try studio.run("show", studio.workspace, "general", "--as", "ada", "--at", position, "--limit", "1")
    if let words = shown.split(separator: "\n").last(where: { $0.contains("  ") }) {
      let last = words.split(separator: " ").last.map(String.init) ?? ""
      #expect(text.contains(last), "\(shown)")
    }
    #expect(window.problems == [] && other.problems == [])
  }

  @Test func `a keystroke shows the half-written message with its caret, and the row that it changed`() throws {
    let typed = try studio.run("events", studio.workspace, "--type", "composerTyped", "--json", "--limit", "40")
    let event = try #require(
      try typed.split(separator: "\n").compactMap { line in
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      }.last)
    let position = try #require(event["position"] as? Int)
    let channel = try #require((event["stream"] as? String)?.split(separator: "/")[3])
    let user = try #require(event["actor"] as? String)
    try go("?user=\(user)&channel=\(channel)&position=\(position)")
    try window.wait(for: "document.querySelector('.composers .caret') !== null")
    #expect(try window.text(of: ".composers").isEmpty == false)
    let changes = try window.text(of: ".changes")
    #expect(changes.contains("composers") && changes.contains("content"))
    #expect(window.problems == [])
  }

  @Test func `keys step by events, and playback goes on by itself`() throws {
    let head = try head()
    try go("?user=ada&channel=general&position=\(head / 2)")
    try window.focus("input[type=range]")
    try window.press(.arrowRight)
    try window.wait(for: "document.querySelector('#position').value === '\(head / 2 + 1)' && (\(Self.isShown))")
    try window.press(.pageUp)
    try window.wait(for: "Number(document.querySelector('#position').value) >= \(min(head, head / 2 + 900))")
    try window.press(.home)
    try window.wait(for: "document.querySelector('#position').value === '0'")
    try window.press(.arrowRight)
    try window.click(".play")
    try window.wait(for: "Number(document.querySelector('#position').value) > 20")
    #expect(window.problems == [])
  }

  @Test func `playback waits for a long pause, which can be shortened and played faster`() throws {
    let recorded = try studio.run("events", studio.workspace, "--json").split(separator: "\n").map { line in
      let event = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      return try Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(event?["recorded"] as? String ?? "")
    }
    let pause = try #require(
      recorded.indices.dropLast().first { recorded[$0 + 1].timeIntervalSince(recorded[$0]) > 60 })
    try go("?user=ada&channel=general&position=\(pause + 1)")
    let shorten = "[...document.querySelectorAll('label')].find(each => /Shorten/.test(each.textContent)).click()"
    try window.run(shorten)
    try window.click(".play")
    try window.wait(for: "document.querySelector('.wait').textContent.startsWith('A pause of ')")
    #expect(try window.evaluate("document.querySelector('#position').value") == "\(pause + 1)")
    try window.press("8")
    try window.wait(for: "document.querySelector('#speed').value === '8'")
    try window.run(shorten)
    try window.wait(for: "Number(document.querySelector('#position').value) > \(pause + 10)")
    #expect(window.problems == [])
  }

  @Test func `Show in Time keeps the channel and the filter, and event steps follow the filter`() throws {
    let list = try studio.run("events", studio.workspace, "--type", "messageSent", "--json")
    let sent = try list.split(separator: "\n").compactMap { line in
      try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    }
    let positions = sent.compactMap { $0["position"] as? Int }
    let index = try #require(sent.firstIndex { ($0["stream"] as? String)?.hasSuffix("general") == false })
    let channel = try #require((sent[index]["stream"] as? String)?.split(separator: "/").last)
    try window.visit(studio.base + "/events?type=messageSent&position=\(positions[index])")
    try window.wait(for: "document.querySelector('.ev-detail a[href^=\"/time\"]') !== null")
    try window.run("document.querySelector('.ev-detail a[href^=\"/time\"]').click()")
    try window.wait(for: "location.pathname === '/time' && (\(Self.isShown))")
    let shown: [String] = try window.evaluate("['#user', '#channel'].map(each => document.querySelector(each).value)")
    #expect(shown == [try #require(sent[index]["actor"] as? String), String(channel)])
    try window.run("document.querySelector('.stepper.event button:last-child').click()")
    let next = positions[index + 1]
    try window.wait(for: "document.querySelector('#position').value === '\(next)' && (\(Self.isShown))")
    let link: String = try window.evaluate("document.querySelector('.changes [href*=\"/events?position=\"]').search")
    #expect(link == "?position=\(next)&type=messageSent")
    try window.run("document.querySelector('.filter button').click()")
    try window.run("document.querySelector('.stepper.event button:last-child').click()")
    try window.wait(for: "document.querySelector('#position').value === '\(next + 1)'")
    #expect(window.problems == [])
  }

  // What broke: a page said that there was no later event when only a part of the log had been searched.
  @Test func `a step goes on to search until a row is found, or the user goes elsewhere`() throws {
    let sent = try studio.run("events", studio.workspace, "--type", "messageSent", "--json", "--limit", "2")
    let positions = try sent.split(separator: "\n").compactMap { line in
      (try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])?["position"] as? Int
    }
    try go("?user=ada&channel=general&type=messageSent&position=\(positions[0])")
    // The first answers are of a search that has only begun.
    try window.run(
      """
      window.parts = 3
      const ask = window.fetch
      window.fetch = (...call) => (/step.*by=event/.test(call[0]) && parts-- > 0
        ? Promise.resolve(new Response('{"position":null,"progress":0.25}')) : ask(...call))
      """)
    let next = "document.querySelector('.stepper.event button:last-child').click()"
    try window.run(next)
    try window.wait(for: "document.querySelector('#position').value === '\(positions[1])' && (\(Self.isShown))")
    #expect(try window.text(of: ".note").isEmpty)
    try window.run("parts = Infinity; \(next)")
    try window.wait(for: "document.querySelector('.note').textContent === 'Searching: 25 %.'")
    try window.run("document.querySelector('.stepper.block button:last-child').click()")
    try window.wait(for: "document.querySelector('#position').value > \(positions[1])")
    #expect(window.problems == [])
  }

  @Test func `a copied scenario reproduces the channel at its position`() throws {
    let head = try head()
    // The first one begins with the channel, the others in the middle of the conversation.
    for (position, count) in [(head / 5, 2_000), (head, 40), (head / 2, 200), (head - 9, 333)] {
      let address = "/api/scenario?position=\(position)&user=ada&channel=general&events=\(count)"
      let scenario: String = try window.evaluate(
        "fetch('\(address)').then(answer => answer.json()).then(answer => answer.scenario)")
      #expect(scenario.contains(#""type":""#) && scenario.contains(#""expect":{"messages":["#))
      let file = studio.workspace + "-\(position)-\(count).jsonl"
      try scenario.write(toFile: file, atomically: true, encoding: .utf8)
      // It ends with an error where an expectation does not hold.
      try studio.run("run", file)
    }
    try go("?user=ada&channel=general&position=\(head)")
    // The tests of all pages share one clipboard. Where nothing may be copied, a dialog has the text.
    try window.run("navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed'))")
    try window.click("#scenario")
    try window.wait(for: "document.querySelector('dialog textarea')?.value.startsWith('{\"scenario\":1')")
    #expect(window.problems == [])
  }

  @Test func `the chat and time pages of a workspace without users show an error`() throws {
    let folder = FileManager.default.temporaryDirectory.path + "/studio-empty-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try StudioProcess.run(["init", folder])
    let empty = try StudioProcess(at: folder)
    let window = try Browser.shared().visit(empty.address, width: 1000, height: 800)
    for page in ["chat", "time"] {
      try window.visit(empty.base + "/" + page)
      try window.wait(for: "document.querySelector('[role=alert]').textContent.startsWith('There are no users')")
      #expect(try window.text(of: ".mode").contains("Operator: everything is shown"))
    }
    #expect(window.problems == [])
  }

  @Test func `a studio with an unknown user of --as prints no address`() throws {
    let studio = try Child([StudioProcess.program, "studio", studio.workspace, "--as", "nobody"])
    #expect(try studio.line() == nil)
    #expect(studio.wait() == .exit(1))
  }

  @Test func `with one user's view nothing else is shown`() throws {
    // Not of the workspace that the other studio writes to: a copy of a file in use may be torn.
    let own = try StudioProcess(of: Workspaces.lively(), "--as", "ada")
    let window = try Browser.shared().visit(own.address, width: 1280, height: 800)
    for path in [
      "rows", "event?position=3", "names", "graph?position=3", "health", "verify",
      "scenario?position=50&channel=general&user=ada",
    ] {
      #expect(try window.evaluate("fetch('/api/\(path)').then(answer => answer.status)") == 403, "\(path)")
    }
    #expect(
      try window.evaluate("fetch('/api/past?position=50&channel=general&user=ben').then(a => a.status)") == 403)
    let past: String = try window.evaluate(
      "fetch('/api/past?position=500&channel=general&user=ada').then(a => a.text())")
    #expect(past.contains("\"changes\":[]") && past.contains("\"event\":null"))
    let pages: [String] = try window.evaluate("[...document.querySelectorAll('nav a')].map(link => link.textContent)")
    #expect(pages == ["Chat", "Time"])
    try window.visit(own.base + "/events")
    try window.wait(for: "document.body.textContent.includes('start the studio without --as')")
  }
}
