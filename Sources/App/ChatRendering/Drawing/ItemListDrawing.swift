// Drawing lists of items with a factory.
internal import ChatMessageList
public import ChatProjections

extension ViewFactory {
  /// Draws a list of channels, from top to bottom; `isLoaded` is false until they were read once.
  public func draw(_ channels: [ChannelItem], isLoaded: Bool = true, hasMore: Bool = false) -> Output {
    draw(.channels, channels.map { makeChannelListItem($0) }, isLoaded, hasMore)
  }

  /// Draws a list of threads, from top to bottom; `isLoaded` is false until they were read once.
  public func draw(_ threads: [ThreadItem], isLoaded: Bool = true, hasMore: Bool = false) -> Output {
    draw(.threads, threads.map { makeThreadListItem($0) }, isLoaded, hasMore)
  }

  /// Draws a list of drafts, from top to bottom; `isLoaded` is false until they were read once.
  public func draw(_ drafts: [DraftItem], isLoaded: Bool = true, hasMore: Bool = false) -> Output {
    draw(.drafts, drafts.map { makeDraftListItem($0) }, isLoaded, hasMore)
  }

  /// Draws a list of another kind, from top to bottom; `isLoaded` is false until it was read once.
  public func draw(
    _ kind: ItemListKind, _ items: [ListItem], isLoaded: Bool = true, hasMore: Bool = false
  ) -> Output {
    draw(kind, items.map { makeListItem($0) }, isLoaded, hasMore)
  }

  private func draw(_ kind: ItemListKind, _ items: [Output], _ isLoaded: Bool, _ hasMore: Bool) -> Output {
    makeItemList(
      ItemListSlot(
        kind: kind, items: items, empty: items.isEmpty && isLoaded ? makeEmptyItemList(kind) : Output(),
        loading: isLoaded ? Output() : makeLoading(), loadMore: hasMore ? makeLoadMore(kind) : Output()))
  }
}
