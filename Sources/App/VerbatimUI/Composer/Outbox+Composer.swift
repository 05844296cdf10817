// The composer of an outbox's user while the log cannot be reached.
public import Chat
public import ChatComposer
public import Verbatim

extension Outbox {
  /// Returns the open composer of the outbox's user and device for a channel or a thread.
  ///
  /// Its actions, drafts and messages are added to the outbox, and take effect in the workspace at delivery, in order
  /// and once. Another call returns the same instance while it is referenced; after a restart of the process, it
  /// continues with the unsent content, also if all entries were delivered.
  ///
  /// `context` is what the app knows of the channel; without one, everything is allowed until delivery. `users` finds
  /// the users to mention. `previous` is the composer of this device as last seen in the workspace: the outbox
  /// continues from it unless it has a composer already. An attachment is sent once it has an address: give an upload
  /// provider that works offline, or attach what is uploaded already.
  @MainActor
  public func composer(
    in channel: Channel.ID, thread: Message.ID? = nil, options: ComposerOptions = ComposerOptions(),
    knowing context: ComposerContext = ComposerContext(), users: any UserDirectory = NoUsers(),
    continuing previous: Composer? = nil
  ) async throws -> LiveComposer {
    let key = Composer.Key(of: user, on: device, in: channel, thread: thread)
    let id = OutboxComposerID(outbox: ObjectIdentifier(self), key: key)
    while let reference = outboxComposers[id] {
      if let live = reference.composer {
        try await live.open()
        return live
      }
      // One that was released on another thread has its turn here to record what it holds, and the outbox may not have
      // all of it.
      if !reference.isGone {
        await Task.yield()
        continue
      }
      try await reference.host?.flush()
      if outboxComposers[id]?.composer == nil { outboxComposers[id] = nil }
    }
    let host = OutboxHost(self, key, knowing: context, users: users)
    var composer = composer(key)
    if composer == nil, let previous, previous.key == key {
      // A command that was executing has started in the workspace; opening records that it was interrupted.
      try host.record(previous.restoring.filter { if case .commandStarted = $0 { false } else { true } })
      composer = previous
    }
    let live = LiveComposer(composer ?? Composer(key), host: host, options: options)
    outboxComposers = outboxComposers.filter { $0.value.composer != nil || $0.value.host != nil }
    let reference = OutboxComposerReference(live, host)
    outboxComposers[id] = reference
    live.whenGone = { reference.isGone = true }
    try await live.open()
    return live
  }
}

private struct OutboxComposerID: Hashable {
  let outbox: ObjectIdentifier
  let key: Composer.Key
}

/// The live composers of outboxes that are in use in this process.
@MainActor private var outboxComposers: [OutboxComposerID: OutboxComposerReference] = [:]

/// Weak references to a live composer and its host, which keep their outbox, and so the outbox's identity.
@MainActor
private final class OutboxComposerReference {
  weak let composer: LiveComposer?
  weak let host: OutboxHost?
  /// Whether the composer was deallocated and has recorded its last events.
  var isGone = false

  init(_ composer: LiveComposer, _ host: OutboxHost) {
    self.composer = composer
    self.host = host
  }
}
