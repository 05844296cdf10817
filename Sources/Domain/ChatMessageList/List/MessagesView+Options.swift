// The chainable options of a view.
#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

// MARK: Layout

extension MessagesView {
  /// Returns a view with all layout options replaced.
  public func layoutOptions(_ options: LayoutOptions<Message>) -> Self { with { $0.options = options } }

  /// Returns a view with other grouping options: what a group shows once.
  public func groupingOptions(_ options: [MessageGroupingOption]) -> Self { with { $0.options.grouping = options } }

  /// Returns a view whose closure decides whether a message ends its group, given the next message; it replaces the
  /// rules of time and sender. The last message always ends its group.
  public func configureMessageEndsGroup(_ ends: @escaping (Message, Message) -> Bool) -> Self {
    with { $0.options.messageEndsGroup = ends }
  }

  /// Returns a view with a maximum message width, as a fraction of the list's width.
  public func messageMaxWidth(_ fraction: Double) -> Self { messageMaxWidth { $0.width * fraction } }

  /// Returns a view with a maximum message width computed from the list's size.
  public func messageMaxWidth(_ width: @escaping (ListGeometry) -> Double) -> Self {
    with { $0.options.maxWidth = width }
  }

  /// Returns a view with a list size.
  public func geometry(_ geometry: ListGeometry) -> Self { with { $0.options.geometry = geometry } }

  /// Returns a view with a corner radius for messages.
  public func messageCornerRadius(_ radius: Double) -> Self { with { $0.options.cornerRadius = radius } }

  /// Returns a view that shows the time beside each message while the list is swiped sideways
  /// (``MessageList/isSwiped``).
  public func showTimestampsOnSwipe(_ shows: Bool = true) -> Self {
    with { $0.options.showsTimestampsOnSwipe = shows }
  }
}

// MARK: Drawing

extension MessagesView {
  /// Returns a view that draws this header above a message or its group.
  public func messageHeader(@OutputBuilder<Output> _ header: @escaping (Message) -> Output) -> Self {
    with { $0.builders.header = header }
  }

  /// Returns a view that draws this footer below a message or its group.
  public func messageFooter(@OutputBuilder<Output> _ footer: @escaping (Message) -> Output) -> Self {
    with { $0.builders.footer = footer }
  }

  /// Returns a view that draws this avatar of the sender.
  public func messageAvatar(@OutputBuilder<Output> _ avatar: @escaping (Message) -> Output) -> Self {
    with { $0.builders.avatar = avatar }
  }

  /// Returns a view with this context menu of a message, of whatever kind it is; an empty output means no menu. It
  /// replaces the default menu, which messages with actions or with ``messageMenuItems(_:)`` have.
  public func messageContextMenu(@OutputBuilder<Output> _ menu: @escaping (Message) -> Output) -> Self {
    with { $0.builders.contextMenu = menu }
  }

  /// Returns a view with these actions of the app in the default menu of a message, below the actions of the row.
  ///
  /// The output of an item carries the item's id and the message's: `SlotAction.custom(_:message:)`.
  public func messageMenuItems(_ items: @escaping (Message) -> [MessageMenuItem]) -> Self {
    with { $0.builders.menuItems = items }
  }

  /// Returns a view that draws this placeholder in place of an image, or of each image attached to a message, while it
  /// is not loaded.
  public func messageImagePlaceholder(@OutputBuilder<Output> _ placeholder: @escaping (Message) -> Output) -> Self {
    with { $0.builders.imagePlaceholder = placeholder }
  }

  /// Returns a view with this formatter of message times.
  public func messageTimestampFormatter(_ format: @escaping (Date) -> String) -> Self {
    with { $0.builders.timestamp = format }
  }

  /// Returns a view with a renderer for a custom kind. The first renderer of an id is used; the list reports a second
  /// one as a problem.
  public func customRenderer(
    forTypeWithID id: String, @OutputBuilder<Output> _ draw: @escaping (Message, CustomRendererInfo) -> Output
  ) -> Self {
    with { view in
      if view.builders.custom[id] == nil {
        view.builders.custom[id] = draw
      } else {
        view.builders.duplicateRenderers.append(id)
      }
    }
  }
}

// MARK: Life cycle

extension MessagesView {
  /// Returns a view with a pull-to-refresh handler, which usually loads earlier messages.
  public func refreshable(_ refresh: @escaping () async throws -> Void) -> Self { with { $0.refresh = refresh } }

  /// Returns a view with a handler that runs when the list appears.
  public func proxyOnAppear(_ body: @escaping (MessageListProxy) -> Void) -> Self { with { $0.appears = body } }

  /// Returns a view with a handler that runs after messages changed, with the messages in layout order.
  public func proxyOnMessagesChange(_ body: @escaping (MessageListProxy, [Message]) -> Void) -> Self {
    with { $0.messagesChanged = body }
  }

  private func with(_ change: (inout Self) -> Void) -> Self {
    var view = self
    change(&view)
    return view
  }
}
