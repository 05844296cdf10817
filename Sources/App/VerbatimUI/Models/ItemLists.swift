// The lists of channels, threads and drafts: drawn from their models, and pressed.
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
    draw(model.drafts, isLoaded: model.isLoaded, hasMore: model.isLoaded && !model.hasLoadedAll)
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
