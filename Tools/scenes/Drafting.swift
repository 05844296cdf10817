// Ben's draft moves from his phone to his desk: begun on one device, finished and sent on the other, exactly once.
import Foundation
import VerbatimUI

extension Scenes {
  private static let words = "Dinner at seven, at @Ada's?"

  /// Writes a draft on the phone and leaves it.
  @MainActor
  static func leaveOnPhone(at path: String) async throws {
    let workspace = try openKeepingDrafts(path)
    let composer = try await composer(on: "phone", in: workspace)
    try await type("Dinner at seven, at @ad", in: composer)
    try composer.pick("ada")
    try composer.perform(.backspace)
    try await type("'s", in: composer)
    try await composer.leave()
    await workspace.close()
  }

  /// Opens an untouched composer at the desk and waits for the draft from the phone; finishes and sends it when a line
  /// of input requests it.
  @MainActor
  static func finishAtDesk(at path: String) async throws {
    let workspace = try openKeepingDrafts(path)
    let composer = try await composer(on: "desk", in: workspace)
    guard composer.text.isEmpty else { throw Problem("the desk's composer is not empty: \(composer.text)") }
    say("The desk's composer is open, and empty.")
    let deadline = ContinuousClock.now + .seconds(30)
    while composer.text.isEmpty {
      guard ContinuousClock.now < deadline else { throw Problem("no draft came to the desk in half a minute") }
      try await Task.sleep(for: .milliseconds(10))
    }
    try expect(composer.text == "Dinner at seven, at @Ada's", "the desk shows “\(composer.text)”")
    try expect(composer.composer.content.mentions.map(\.user) == ["ada"], "the mention of Ada is lost")
    show(composer)
    say("The desk's composer shows what was left on the phone.")
    guard readLine() != nil else { throw Problem("nobody says that the desk may go on") }
    try await type("?", in: composer)
    try await composer.send()
    say("Sent from the desk.")
    await workspace.close()
  }

  /// Shows, in a later process, that no draft is left on either device and that the message exists once.
  @MainActor
  static func showSentOnce(at path: String) async throws {
    let workspace = try openKeepingDrafts(path)
    let ben = workspace.client(user: "ben")
    let drafts = try await ben.me.loadDraftMessages()
    try expect(drafts.isEmpty, "\(drafts.count) drafts are left")
    for device in ["phone", "desk"] as [Device.ID] {
      let composer = try await composer(on: device, in: workspace)
      try expect(composer.text.isEmpty, "on the \(device) “\(composer.text)” is left")
    }
    let messages = try await workspace.read { try $0.chat.messages(in: "general", limit: 100).messages }
    let count = messages.count { $0.content.text.string == words }
    try expect(count == 1, "the message is there \(count) times")
    print("No draft is left on either device; the message is there once.")
    await workspace.close()
  }

  private static func openKeepingDrafts(_ path: String) throws -> Workspace {
    var configuration = Configuration()
    configuration.draftMessagesEnabled = true
    return try Workspace.open(at: path, creates: false, configuration: configuration)
  }

  @MainActor
  private static func composer(on device: Device.ID, in workspace: Workspace) async throws -> LiveComposer {
    try await workspace.client(user: "ben", device: device).channel("general").composer()
  }

  private static func expect(_ holds: Bool, _ problem: String) throws {
    if !holds { throw Problem(problem) }
  }

  /// Prints a line and flushes it, for a reader of a pipe.
  private static func say(_ line: String) {
    print(line)
    fflush(nil)
  }
}
