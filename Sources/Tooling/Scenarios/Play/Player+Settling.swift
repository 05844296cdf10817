// Waits until all effects of a line are complete, so that the next line is deterministic.
internal import Chat
internal import ChatComposer

extension Player {
  /// Waits until all background work is complete and all effects are stored.
  func settle() async throws {
    // Twice: the last recorded change of one composer can affect another.
    for _ in 0..<2 { for composer in openComposers { try await settle(composer) } }
    for list in lists.values { try await list.settle() }
  }

  private func settle(_ composer: LiveComposer) async throws {
    let isHeld = ["people", "previews", "gifs"].contains { stage.holds($0) }
    await composer.waitUntilIdle(withAnswers: !isHeld)
    try await waitForAsking(composer)
    try await waitForUploads(of: composer)
    // A failure to record was already reported at the action.
    try? await composer.flush()
  }

  private var openComposers: [LiveComposer] {
    composers.values.filter { $0.stopped == nil }.sorted { $0.key.text < $1.key.text }
  }

  /// While suggestions are held, waits until they were requested.
  private func waitForAsking(_ composer: LiveComposer) async throws {
    guard stage.holds("people"), settings.suggesting.people != nil, let list = composer.suggestions, list.isLoading
    else { return }
    try await wait("the suggestions for the typed text were not requested") {
      self.stage.isAwaited("people", for: list.query.string)
    }
  }

  /// Waits until the uploads of attachments stored on the device have begun.
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

  /// Waits for the sends that are no longer held.
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
  /// The key as one text, by which composers are sorted.
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

/// A failure to play a scenario.
public struct ScenarioFailure: Error, CustomStringConvertible {
  /// A description of the failure.
  public let description: String

  init(_ description: String) { self.description = description }
}
