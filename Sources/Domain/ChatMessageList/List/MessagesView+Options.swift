// The options of a view, which chain.
#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

// MARK: Layout

extension MessagesView {
  /// Other options, all at once.
  public func layoutOptions(_ options: LayoutOptions<Message>) -> Self { with { $0.options = options } }

  /// What a group shows once, in place of what it showed once before.
  public func groupingOptions(_ options: [MessageGroupingOption]) -> Self { with { $0.options.grouping = options } }

  /// Whether a group ends with its message, given the next; in place of time and sender. The last message always ends
  /// one.
  public func configureMessageEndsGroup(_ ends: @escaping (Message, Message) -> Bool) -> Self {
    with { $0.options.messageEndsGroup = ends }
  }

  /// How wide a message may become, as a part of the list's width.
  public func messageMaxWidth(_ fraction: Double) -> Self { messageMaxWidth { $0.width * fraction } }

  /// How wide a message may become.
  public func messageMaxWidth(_ width: @escaping (ListGeometry) -> Double) -> Self {
    with { $0.options.maxWidth = width }
  }

  /// How large the list is.
  public func geometry(_ geometry: ListGeometry) -> Self { with { $0.options.geometry = geometry } }

  /// How round messages are.
  public func messageCornerRadius(_ radius: Double) -> Self { with { $0.options.cornerRadius = radius } }

  /// Whether times are shown while the list is swiped aside.
  public func showTimestampsOnSwipe(_ shows: Bool = true) -> Self {
    with { $0.options.showsTimestampsOnSwipe = shows }
  }
}

// MARK: Drawing

extension MessagesView {
  /// What is above a message or its group.
  public func messageHeader(@OutputBuilder<Output> _ header: @escaping (Message) -> Output) -> Self {
    with { $0.builders.header = header }
  }

  /// What is below a message or its group.
  public func messageFooter(@OutputBuilder<Output> _ footer: @escaping (Message) -> Output) -> Self {
    with { $0.builders.footer = footer }
  }

  /// The picture of who said it.
  public func messageAvatar(@OutputBuilder<Output> _ avatar: @escaping (Message) -> Output) -> Self {
    with { $0.builders.avatar = avatar }
  }

  /// What one can do with a message.
  public func messageContextMenu(@OutputBuilder<Output> _ menu: @escaping (Message) -> Output) -> Self {
    with { $0.builders.contextMenu = menu }
  }

  /// What stands for a picture while it is loaded.
  public func messageImagePlaceholder(@OutputBuilder<Output> _ placeholder: @escaping (Message) -> Output) -> Self {
    with { $0.builders.imagePlaceholder = placeholder }
  }

  /// A time in words.
  public func messageTimestampFormatter(_ format: @escaping (Date) -> String) -> Self {
    with { $0.builders.timestamp = format }
  }

  /// Draws an app's own kind. The first renderer for an id holds; a second is reported by the list.
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

// MARK: Life

extension MessagesView {
  /// What is to happen when the list is pulled down: earlier messages are loaded, as a rule.
  public func refreshable(_ refresh: @escaping () async throws -> Void) -> Self { with { $0.refresh = refresh } }

  /// What is to happen when the list appears.
  public func proxyOnAppear(_ body: @escaping (MessageListProxy) -> Void) -> Self { with { $0.appears = body } }

  /// What is to happen when messages have changed: with the messages as they are laid out.
  public func proxyOnMessagesChange(_ body: @escaping (MessageListProxy, [Message]) -> Void) -> Self {
    with { $0.messagesChanged = body }
  }

  private func with(_ change: (inout Self) -> Void) -> Self {
    var view = self
    change(&view)
    return view
  }
}
