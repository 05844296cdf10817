// Ben types in a composer: he picks a mention, executes a command, and continues after a crash in the middle of a word.
import Foundation
import VerbatimUI

extension Scenes {
  /// Writes a message with a picked mention, a refused action, an animated picture, and a command.
  @MainActor
  static func write(at path: String) async throws {
    let workspace = try Workspace.open(at: path, creates: false)
    let channel = workspace.client(user: "ben", device: "laptop").channel("general")
    let composer = try await channel.composer()
    try await type("Here is @ad", in: composer)
    try composer.pick("ada")
    show(composer)
    try await type("👩‍👩‍👧x", in: composer)
    try composer.perform(.backspace)
    show(composer)
    try await composer.send()
    print("Sent; the composer is empty.")
    do throws(ComposerError) { try await composer.send() } catch { print("Sent again: \(error)") }

    try await type("/giphy yay", in: composer)
    try await composer.send()
    guard let picture = try await channel.messages(limit: 1).messages.last, picture.content.kind == .ephemeral else {
      throw Problem("`/giphy` should have shown a picture to Ben alone and did not.")
    }
    try await composer.act(.send, on: picture)
    print("A picture was found, shown to Ben alone, and sent.")

    try await type("/mu", in: composer)
    try composer.pick("mute")
    try await type("@ad", in: composer)
    try composer.pick("ada")
    try await type("8h", in: composer)
    try await composer.send()
    print("The command did what it is for; the composer is empty.")
    await workspace.close()
  }

  /// Types half a word; the process is killed in the middle of it.
  @MainActor
  static func breakOff(at path: String) async throws {
    let workspace = try Workspace.open(at: path, creates: false)
    let composer = try await workspace.client(user: "ben", device: "laptop").channel("general").composer()
    try await type("What I always wanted to sa", in: composer)
    try await composer.flush()
    kill(getpid(), SIGKILL)
  }

  /// Shows the recovered text after the crash, and sends it.
  @MainActor
  static func goOn(at path: String) async throws {
    let workspace = try Workspace.open(at: path, creates: false)
    let composer = try await workspace.client(user: "ben", device: "laptop").channel("general").composer()
    show(composer)
    try composer.perform(.type("y"))
    try await composer.send()
    await workspace.close()
  }

  @MainActor
  static func type(_ text: String, in composer: LiveComposer) async throws {
    for letter in text { try composer.perform(.type(String(letter))) }
    while composer.suggestions?.isLoading == true { await Task.yield() }
    show(composer)
  }

  /// Shows the text with its caret, and the suggestions below it.
  @MainActor
  static func show(_ composer: LiveComposer) {
    let (text, caret) = (composer.composer.content.text, composer.composer.selection.upperBound)
    let chips = composer.presentation.input.filter { $0.id != .text }.map { "[\($0.label ?? $0.id.string)] " }.joined()
    let (before, behind) = (text.userText(of: .start..<caret), text.userText(of: caret..<text.end))
    print("> \(chips)\(before)▏\(behind)")
    for item in composer.suggestions?.items ?? [] { print("    \(item.title)  \(item.detail ?? "")") }
  }
}
