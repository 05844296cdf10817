// The lists of channels, threads, drafts and others: drawn, and pressed.
internal import Chat
internal import ChatProjections
public import ChatRendering
public import Verbatim

extension ViewFactory {
  /// Draws the channels of a model.
  @MainActor
  public func draw(_ model: ChannelListModel) -> Output {
    draw(model.channels, isLoaded: model.isLoaded, hasMore: model.hasMore)
  }

  /// Draws the threads of a model.
  @MainActor
  public func draw(_ model: ThreadListModel) -> Output {
    draw(model.threads, isLoaded: model.isLoaded, hasMore: model.hasMore)
  }

  /// Draws the drafts of a model.
  @MainActor
  public func draw(_ model: DraftListModel) -> Output {
    draw(model.drafts, isLoaded: model.isLoaded, hasMore: model.hasMore)
  }
}

extension ChannelListModel {
  /// Performs a pressed action of the drawn list; returns what is left to the app.
  public func press(_ action: SlotAction) async throws -> PressOutcome {
    switch action {
    case .loadMore(.channels): loadMore()
    case .openChannel(let channel): return .openChannel(channel)
    default: throw PressError.otherList(action.id)
    }
    return .done
  }
}

extension ThreadListModel {
  /// Performs a pressed action of the drawn list; returns what is left to the app.
  public func press(_ action: SlotAction) async throws -> PressOutcome {
    switch action {
    case .loadMore(.threads): loadMore()
    case .openThread(let parent): return .openThread(parent)
    default: throw PressError.otherList(action.id)
    }
    return .done
  }
}

extension CurrentUserController {
  /// Performs a pressed action of a drawn list that has no model, as of found messages or invitations; returns what is
  /// left to the app.
  public func press(_ action: SlotAction) async throws -> PressOutcome {
    switch action {
    case .openMessage(let message): return .openMessage(message)
    case .openChannel(let channel): return .openChannel(channel)
    case .review(let intent, let message): try await client.submit(.review(.message(message), intent))
    case .unmute(.user(let user)): try await client.user(user).unmute()
    case .unmute(.channel(let channel)): try await client.channel(channel).unmute()
    case .join(let channel): try await client.channel(channel).join()
    case .decline(let channel): try await client.channel(channel).decline()
    case .unsave(let message): try await client.channel(message.channel).unsave(message.id)
    case .cancelScheduled(let message): try await client.channel(message.channel).cancelScheduled(message.id)
    case .unblock(let user): try await client.user(user).unblock()
    default: throw PressError.otherList(action.id)
    }
    return .done
  }
}

extension DraftListModel {
  /// Performs a pressed action of the drawn list; returns what is left to the app.
  public func press(_ action: SlotAction) async throws -> PressOutcome {
    switch action {
    case .loadMore(.drafts): loadMore()
    case .openDraft(let draft): return .openDraft(draft)
    case .deleteDraft(let draft):
      if let item = drafts.first(where: { $0.key == draft }) { try await delete(item) }
    default: throw PressError.otherList(action.id)
    }
    return .done
  }
}
