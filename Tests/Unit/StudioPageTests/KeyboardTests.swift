// Threat: something on a page needs a mouse, or the focus cannot be seen.
import Browser
import Foundation
import Testing
import TestThreads

@Suite(.waitsForBrowser, .serialized) struct `The studio by keyboard alone` {
  private let studio: StudioProcess
  private let context: Browser.Context

  init() throws {
    studio = try StudioProcess(of: Workspaces.lively())
    context = try Browser.shared().context()
    _ = try context.visit(studio.address)
  }

  /// The pages with the sign that each is complete.
  private static let pages = [
    ("/chat?user=ada&channel=general", "document.querySelectorAll('.messages .row').length > 3"),
    ("/time?user=ada&channel=general&position=602", "document.querySelector('.changes .change') !== null"),
    ("/events", "document.querySelectorAll('.ev-lines [role=row]').length > 5"),
    ("/health", "document.querySelectorAll('.health .panel').length > 3"),
  ]

  @Test(arguments: pages) func `every control is reached with the tabulator key, and its focus is seen`(
    path: String, isComplete: String
  ) throws {
    let window = try context.visit(studio.base + path, width: 1280, height: 900)
    try window.wait(for: isComplete)
    try window.run(
      """
      const shows = element => {
        const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element)
        return outlineStyle !== 'none' && outlineWidth !== '0px' || boxShadow !== 'none'
      }
      window.reached = new Set(); window.unseen = new Set()
      document.addEventListener('focusin', ({ target }) => {
        reached.add(target)
        // The slider shows it at the track around it.
        if (!shows(target) && !shows(target.closest('.track') ?? target)) unseen.add(target.outerHTML.slice(0, 120))
      })
      window.controls = () => [...document.querySelectorAll(
        'a[href], button, input, select, textarea, summary, [tabindex="0"]')].filter(each => each.checkVisibility()
          && !each.disabled && each.tabIndex >= 0 && each.closest('dialog:not([open])') === null)
      // Of a group of radio buttons one is reached, and the arrow keys choose another.
      window.missed = () => controls().filter(each => !reached.has(each)
        && !(each.type === 'radio' && [...reached].some(other => other.name === each.name)))
        .map(each => each.outerHTML.slice(0, 120))
      document.activeElement?.blur()
      """)
    #expect(try window.evaluate("controls().length > 5", as: Bool.self))
    for _ in 0..<400 where try !window.evaluate("missed().length === 0", as: Bool.self) {
      try window.press(.tab)
    }
    let missed: [String] = try window.evaluate("missed()")
    let unseen: [String] = try window.evaluate("[...unseen]")
    #expect(missed == [])
    #expect(unseen == [])
    #expect(window.problems == [])
  }

  @Test func `an event is found, followed into the past and played, and the log is verified`() throws {
    let window = try context.visit(studio.base + "/events", width: 1280, height: 900)
    try window.wait(for: "document.querySelectorAll('.ev-lines [role=row]').length > 5")
    try window.tab(to: "each.id === 'filter-text'")
    try window.type("e")
    try window.tab(to: "each.matches('[role=treegrid]')")
    try window.press(.home)
    try window.press(.arrowDown)
    try window.wait(for: "document.querySelector('.ev-lines [aria-selected=true]')?.ariaRowIndex === '3'")
    try window.press(.enter)
    try window.wait(for: "document.querySelector('.ev-detail').contains(document.activeElement)")
    try window.wait(for: "document.querySelector('.ev-detail a[href^=\"/time?\"]') !== null")
    try window.tab(to: "each.matches('.ev-detail a[href^=\"/time?\"]')")
    try window.press(.enter)
    try window.wait(for: "location.pathname === '/time' && document.querySelector('.changes .change') !== null")
    let position = "Number(document.querySelector('#position').value)"
    try window.tab(to: "each.matches('input[type=range]')")
    try window.press(.home)
    try window.wait(for: "\(position) === 0")
    try window.press(.pageUp)
    try window.wait(for: "\(position) === 1000")
    try window.tab(to: "each.matches('.play')")
    try window.press(.enter)
    try window.wait(for: "\(position) > 1000")
    try window.tab(to: "each.matches('nav a[href^=\"/health\"]')", .shift)
    try window.press(.enter)
    try window.wait(for: "location.pathname === '/health' && document.querySelectorAll('.health .panel').length > 3")
    try window.tab(to: "each.textContent === 'Verify'")
    try window.press(.enter)
    try window.wait(for: "document.querySelector('main > .panel [role=status]').textContent !== ''")
    #expect(window.problems == [])
  }
}

extension Window {
  /// Presses the tabulator key until an element, `each`, fulfills a condition.
  func tab(to condition: String, _ modifiers: Key.Modifiers = []) throws {
    let isThere = "(each => \(condition))(document.activeElement)"
    for _ in 0..<400 where try !evaluate(isThere, as: Bool.self) { try press(.tab, modifiers) }
    try #require(try evaluate(isThere, as: Bool.self), "\(condition)")
  }
}
