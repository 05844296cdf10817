// The composer of a person, for a channel or a thread.
public import Chat
public import ChatComposer
internal import Locks

extension ChannelController {
  /// The person's composer for it, open: it goes on with what this device wrote there and did not send.
  ///
  /// Who asks again in this process gets the same one, as long as somebody has it and no other process has written to
  /// it. A client without a device has none.
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
  /// Whether another process has written to it, and what is done here goes nowhere. What cannot be read is told where
  /// something is recorded.
  fileprivate func isElsewhere(in workspace: Workspace) async -> Bool {
    await workspace.offThread { _ in (try? self.isOpenElsewhere()) ?? false }
  }
}

extension ThreadController {
  /// The person's composer for it, open.
  @MainActor
  public func composer() async throws -> LiveComposer { try await channel.composer(thread: parent.id) }
}

/// A live composer for as long as somebody has it.
internal struct LiveComposerReference: Sendable {
  weak let composer: LiveComposer?
  /// What records it.
  let open: OpenComposer
}
