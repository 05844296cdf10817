// The composer of a user for a channel or a thread.
public import Chat
public import ChatComposer
public import Verbatim

extension ChannelController {
  /// Returns the user's open composer; it continues with the unsent contents from this device.
  ///
  /// Further calls in this process return the same instance, with the options of the first, while it is referenced and
  /// no other process has written to the composer. Attachments are uploaded to the workspace's own blobs unless the
  /// options name another provider. Throws if the client has no device.
  @MainActor
  public func composer(
    thread: Message.ID? = nil, options: ComposerOptions = ComposerOptions()
  ) async throws -> LiveComposer {
    let live = try await liveComposer(thread: thread, options: options)
    try await live.open()
    return live
  }

  /// Returns the user's composer, which the caller opens.
  @MainActor
  internal func liveComposer(thread: Message.ID?, options: ComposerOptions) async throws -> LiveComposer {
    var open = try await openComposer(thread: thread)
    if await open.isElsewhere(in: client.workspace) { open = try await openComposer(thread: thread) }
    return await liveComposer(over: open, options)
  }

  /// Returns the composer that is in use over an open composer, or makes another one once the last one is gone.
  @MainActor
  internal func liveComposer(over open: OpenComposer, _ options: ComposerOptions) async -> LiveComposer {
    let reference = ObjectIdentifier(open)
    while let last = liveComposers[reference] {
      if let live = last.composer { return live }
      // One that was released on another thread has its turn here to record what it holds.
      await Task.yield()
    }
    let workspace = client.workspace
    var options = options
    let configuration = workspace.configuration
    options.draftMessagesEnabled = configuration.draftMessagesEnabled
    options.recording = configuration.recordingInChannel(id) ?? configuration.recording
    if options.uploads == nil { options.uploads = BlobUploads(workspace.blobs) }
    let live = LiveComposer(
      open.composer, host: WorkspaceHost(client, open), options: options,
      registeredCommands: workspace.registeredCommands)
    liveComposers[reference] = LiveComposerReference(composer: live, open: open, workspace: workspace)
    live.whenGone = { liveComposers[reference] = nil }
    return live
  }
}

extension ThreadController {
  /// Returns the user's open composer for the thread.
  @MainActor
  public func composer(options: ComposerOptions = ComposerOptions()) async throws -> LiveComposer {
    try await channel.composer(thread: parent.id, options: options)
  }
}

extension OpenComposer {
  /// Returns whether another process has written to the composer, so that nothing more is recorded here. A read error
  /// is ignored: the next recording throws it.
  fileprivate func isElsewhere(in workspace: Workspace) async -> Bool {
    await workspace.offThread { _ in (try? self.isOpenElsewhere()) ?? false }
  }
}

/// The live composers that are in use in this process; each is removed when it is deallocated.
@MainActor private var liveComposers: [ObjectIdentifier: LiveComposerReference] = [:]

/// A weak reference to a live composer.
private struct LiveComposerReference {
  weak let composer: LiveComposer?
  /// The open composer that records its events; referenced, so that no other has its identity.
  let open: OpenComposer
  /// The workspace of the composer.
  weak let workspace: Workspace?
}

extension Workspace {
  /// The composers of the workspace that are in use in this process.
  @MainActor
  internal var composersInUse: [LiveComposer] {
    liveComposers.values.compactMap { $0.workspace === self ? $0.composer : nil }
  }
}
