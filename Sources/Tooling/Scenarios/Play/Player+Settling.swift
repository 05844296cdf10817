// Waiting until all that a line set off has come to rest, so that the next finds it so.
internal import Chat
internal import ChatComposer

extension Player {
  /// Waits until what goes on beside the typing is over, and all that was done is where it stays.
  func settle() async throws {
    // What one composer has recorded last, another may have to look at.
    for _ in 0..<2 { for composer in openComposers { try await settle(composer) } }
    for list in lists.values { try await list.settle() }
  }

  private func settle(_ composer: LiveComposer) async throws {
    await composer.waitUntilIdle(withAnswers: !stage.holds("people") && !stage.holds("previews"))
    try await waitForAsking(composer)
    try await waitForUploads(of: composer)
    // What could not be recorded was told where it was done.
    try? await composer.flush()
  }

  private var openComposers: [LiveComposer] {
    composers.values.filter { $0.stopped == nil }.sorted { $0.key.text < $1.key.text }
  }

  /// Where answers are held, whoever asks has to have asked.
  private func waitForAsking(_ composer: LiveComposer) async throws {
    guard stage.holds("people"), settings.suggesting.people != nil, let list = composer.suggestions, list.isLoading
    else { return }
    try await wait("what was typed was not asked for") { self.stage.isAwaited("people", for: list.query.string) }
  }

  /// What hangs on a message and lies on the device alone is being uploaded.
  private func waitForUploads(of composer: LiveComposer) async throws {
    guard composer.composer.isOpen else { return }
    for composed in composer.composer.content.attachments {
      guard case .device = composed.attachment.location else { continue }
      switch composed.upload {
      case .done, .failed: continue
      case .local, .uploading:
        let id = composed.attachment.id
        try await wait("the upload of \(id) did not begin") {
          let upload = composer.composer.content.attachments.first { $0.attachment.id == id }?.upload
          return self.stage.isUploading(id) && upload != .local
        }
      }
    }
    try? await composer.flush()
  }

  /// Waits for sends that nothing holds any more.
  func finishSends() async throws {
    let running = sends
    sends = []
    for (index, send) in running.enumerated() {
      do { try await send.value } catch {
        sends += running[(index + 1)...]
        throw error
      }
    }
  }
}

extension Composer.Key {
  /// All of it as one text, to put composers in an order.
  var text: String { [user.text, device.text, channel.text, thread?.text ?? ""].joined(separator: "/") }
}

/// Waits until a condition holds; throws a failure with the given text at the deadline.
@MainActor
func wait(_ failure: @autoclosure () -> String, until isSo: () async throws -> Bool) async throws {
  let clock = ContinuousClock()
  let end = clock.now.advanced(by: Deadline.ofStep)
  var turns = 0
  while try await !isSo() {
    guard clock.now < end else { throw ScenarioFailure(failure()) }
    turns += 1
    if turns < 100 { await Task.yield() } else { try await Task.sleep(for: .milliseconds(1)) }
  }
}

/// A scenario cannot be played here and now.
public struct ScenarioFailure: Error, CustomStringConvertible {
  /// What happened.
  public let description: String

  init(_ description: String) { self.description = description }
}
