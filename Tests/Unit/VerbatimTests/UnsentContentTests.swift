// Threat: words that were to be recorded nowhere are in a file of the workspace.
import Chat
import ChatComposer
import Foundation
import PostgresServer
import Testing
import VerbatimUI

@testable import Verbatim

@MainActor
@Suite struct `Unsent content in a workspace` {
  private let folder = WorkspaceFolder()

  /// Returns the files of the workspace that have a text in them.
  private func files(with text: String) throws -> [String] {
    let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    return try paths.filter { path in
      let path = folder.path + "/" + path
      var isDirectory: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
      return try !isDirectory.boolValue
        && Data(contentsOf: URL(filePath: path)).range(of: Data(text.utf8)) != nil
    }
  }

  @Test(.directoryOnly("it reads the files of a directory"), arguments: ComposerRecording.allCases)
  func `that is not to be recorded is in no file, and the draft of another device arrives`(
    recording: ComposerRecording
  ) async throws {
    let workspace = try folder.open {
      $0.recordingInChannel = { $0 == "general" ? recording : .keystrokes }
      $0.draftMessagesEnabled = true
    }
    let ada = workspace.client(user: "ada", device: "phone")
    try await ada.me.create(name: "Ada")
    for channel: Channel.ID in ["general", "other"] { try await ada.channel(channel).create() }
    let composer = try await ada.channel("general").composer()
    #expect(composer.options.recording == recording)
    #expect(try await ada.channel("other").composer().options.recording == .keystrokes)
    // One action, so that its text is in one piece in a file.
    try composer.perform(.paste("embarrassing"))
    try composer.perform(.setText(""))
    try composer.perform(.paste("harmless"))
    try await composer.flush()
    // On a busy machine the typing could be over by now.
    let recorded = try workspace.store.head().recorded
    let typing = try await ada.workspace.read { try $0.chat.typing(in: "general", at: recorded) }
    #expect(typing.map(\.user) == ["ada"])
    try await composer.leave()
    let laptop = try await workspace.client(user: "ada", device: "laptop").channel("general").composer()
    #expect(laptop.text == "harmless")
    try await laptop.send()
    await workspace.close()
    #expect(try files(with: "embarrassing").isEmpty == (recording != .keystrokes))
    #expect(try !files(with: "harmless").isEmpty)
  }

  @Test(arguments: ComposerRecording.allCases)
  func `a composer that is opened by another process is open elsewhere`(recording: ComposerRecording) async throws {
    let workspace = try folder.open { $0.recording = recording }
    let ada = workspace.client(user: "ada", device: "phone")
    try await ada.me.create(name: "Ada")
    try await ada.channel("general").create()
    let composer = try await ada.channel("general").composer()
    try composer.perform(.type("a"))
    try await composer.flush()
    // A second opening has composers of its own, as another process.
    let second = try folder.open(creates: false) { $0.recording = recording }
    let other = try await second.client(user: "ada", device: "phone").channel("general").composer()
    try other.perform(.type("b"))
    try await other.flush()
    await until { composer.stopped == .openElsewhere }
    await second.close()
    await workspace.close()
  }
}
