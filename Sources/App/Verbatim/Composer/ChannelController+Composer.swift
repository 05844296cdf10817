// The composer of a user for a channel or a thread.
public import Chat
public import ChatComposer
internal import Locks

extension ChannelController {
  /// Returns the user's open composer; it continues with the unsent contents from this device.
  ///
  /// Further calls in this process return the same instance while it is referenced and no other process has written to
  /// the composer. Throws if the client has no device.
  @MainActor
  public func composer(thread: Message.ID? = nil) async throws -> LiveComposer {
    let workspace = client.workspace
    var open = try await openComposer(thread: thread)
    if await open.isElsewhere(in: workspace) { open = try await openComposer(thread: thread) }
    if let known = workspace.liveComposers.withLock({ $0[open.key] }), known.open === open, let live = known.composer {
      try await live.open()
      return live
    }
    var options = workspace.configuration.composer
    options.draftMessagesEnabled = workspace.configuration.draftMessagesEnabled
    if options.uploads == nil { options.uploads = BlobUploads(workspace.blobs) }
    let live = LiveComposer(open.composer, host: WorkspaceHost(client, open), options: options)
    workspace.liveComposers.withLock { composers in
      composers = composers.filter { $0.value.composer != nil }
      composers[open.key] = LiveComposerReference(composer: live, open: open)
    }
    try await live.open()
    return live
  }
}

extension OpenComposer {
  /// Returns whether another process has written to the composer, so that nothing more is recorded here. A read error
  /// is ignored: the next recording throws it.
  fileprivate func isElsewhere(in workspace: Workspace) async -> Bool {
    await workspace.offThread { _ in (try? self.isOpenElsewhere()) ?? false }
  }
}

extension ThreadController {
  /// Returns the user's open composer for the thread.
  @MainActor
  public func composer() async throws -> LiveComposer { try await channel.composer(thread: parent.id) }
}

/// A weak reference to a live composer.
internal struct LiveComposerReference: Sendable {
  weak let composer: LiveComposer?
  /// The open composer that records its events.
  let open: OpenComposer
}
