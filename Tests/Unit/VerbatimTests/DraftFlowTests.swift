// Threat: a draft is lost, wrong, or reappears after any step, with drafts on and off, at once, reopened, and killed.
import ChildProcess
import Foundation
import Testing
import Verbatim
import VerbatimUI
import WorkspaceWorker

@MainActor @Suite struct `The life cycle of a draft` {
  @Test(arguments: DraftStep.allCases, DraftSortPosition.allCases)
  func `each step has its documented outcome, also after a restart`(step: DraftStep, place: DraftSortPosition)
    async throws
  {
    for isOn in [true, false] {
      let flow = Flow(of: place, isOn: isOn)
      var workspace = try await flow.populated()
      let composer = try await flow.composer(in: workspace)
      #expect(composer.text == (isOn ? "stored" : ""))
      try await step.take(in: composer)
      try await flow.check(outcome(of: step, isOn: isOn), in: workspace, "at once")
      await workspace.close()
      workspace = try flow.open()
      try await flow.check(outcome(of: step, isOn: isOn), in: workspace, "reopened")
      await workspace.close()
    }
  }

  @Test(arguments: DraftStep.allCases, DraftSortPosition.allCases)
  func `each step has its documented outcome after a kill`(step: DraftStep, place: DraftSortPosition) async throws {
    for isOn in [true, false] {
      let flow = Flow(of: place, isOn: isOn)
      await (try flow.populated()).close()
      let child = try flow.folder.startWorker(
        "draft", step.rawValue, place.thread?.text ?? "-", isOn ? "on" : "off")
      #expect(try child.lines() == [])
      #expect(child.wait() == .signal(SIGKILL))
      let workspace = try flow.open()
      try await flow.check(outcome(of: step, isOn: isOn), in: workspace, "killed")
      await workspace.close()
    }
  }
}

/// The target of the draft under test.
enum DraftSortPosition: String, CaseIterable {
  case channel, thread

  var thread: Message.ID? { self == .thread ? "parent" : nil }
  var draft: Draft.Key { Draft.Key(by: Worker.written.user, in: Worker.meeting, thread: thread) }
}

/// The expected contents after a step.
private struct Outcome: Equatable {
  /// The draft's text; nil if there is none.
  var draft: String?
  /// The composer's text after reopening it.
  var composer: String
  /// The texts of the sent messages.
  var said: [String] = []
}

/// Returns the documented outcome of a step for a draft with the text “stored”.
private func outcome(of step: DraftStep, isOn: Bool) -> Outcome {
  switch (step, isOn) {
  case (.leave, true): Outcome(draft: "stored more", composer: "stored more")
  case (.leave, false): Outcome(draft: "stored", composer: " more")
  case (.publish, true): Outcome(composer: "", said: ["stored"])
  case (.publish, false): Outcome(draft: "stored", composer: "", said: ["x"])
  case (_, true): Outcome(composer: "")
  case (_, false): Outcome(draft: "stored", composer: "")
  }
}

/// A workspace with drafts, on one of which a step is done.
@MainActor
private struct Flow {
  let folder = WorkspaceFolder()
  private let place: DraftSortPosition
  private let isOn: Bool

  init(of place: DraftSortPosition, isOn: Bool) { (self.place, self.isOn) = (place, isOn) }

  func open() throws -> Workspace { try folder.openAsWorker { $0.draftMessagesEnabled = isOn } }

  /// Opens the workspace with a draft for a channel, and one for a thread in it.
  func populated() async throws -> Workspace {
    let workspace = try open()
    _ = try await Worker.populate(workspace, 2)
    let parent = Message.Key(Worker.meeting, "parent")
    try await workspace.submit(.message(parent, .send(Message.Content("parent"))), by: .user(Worker.user(1)))
    for place in DraftSortPosition.allCases {
      try await workspace.submit(
        .draft(place.draft, .update(Composition("stored"), editedAt: workspace.now)),
        by: .user(Worker.written.user, on: "phone"))
    }
    return workspace
  }

  func composer(in workspace: Workspace) async throws -> LiveComposer {
    try await workspace.client(user: Worker.written.user, device: Worker.written.device).channel(Worker.meeting)
      .composer(thread: place.thread)
  }

  /// Expects an outcome, and that opening the composer does not change it.
  func check(_ expected: Outcome, in workspace: Workspace, _ when: String) async throws {
    let comment = Comment(rawValue: "drafts \(isOn ? "on" : "off"), \(when)")
    let before = try await found(in: workspace)
    let composer = try await composer(in: workspace)
    let after = try await found(in: workspace)
    let outcome = Outcome(draft: before.draft, composer: composer.text, said: before.said)
    #expect(outcome == expected, comment)
    #expect(after == before, comment)
    #expect(before.other == "stored", comment)
  }

  private struct Found: Equatable, Sendable {
    var draft, other: String?
    var said: [String]
  }

  private func found(in workspace: Workspace) async throws -> Found {
    let (draft, other) = (place.draft, (place == .channel ? DraftSortPosition.thread : .channel).draft)
    let (user, channel) = (Worker.written.user, Worker.meeting)
    return try await workspace.read { reading in
      let said = try reading.chat.messages(in: channel, limit: 50, for: user).messages
      let replies = try reading.chat.replies(to: Message.Key(channel, "parent"), limit: 50, for: user).messages
      return Found(
        draft: try reading.chat.draft(draft)?.content?.text.userText.string,
        other: try reading.chat.draft(other)?.content?.text.userText.string,
        said: (said.dropFirst() + replies).map(\.content.text.string))
    }
  }
}
