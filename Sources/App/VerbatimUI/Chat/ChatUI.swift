// The configuration of an app's chat screens: named once, used by all.
public import Chat
public import ChatComposer
public import ChatMessageList
public import ChatRendering
public import Verbatim

/// The configuration of an app's chat screens: the factory that draws them, the options of their composers and those of
/// their message lists.
///
/// ```swift
/// let ui = ChatUI(PlainTextFactory(columns: 80))
/// let chat = try await ui.open(client.channel("general"))
/// print(chat.draw().text(hasColors: false))
/// ```
public struct ChatUI<Factory: ViewFactory> {
  /// The view of the messages of a chat, with the composer as its input bar.
  public typealias Messages = MessagesView<ChatMessage, Factory.Output, LiveComposer>

  /// The factory that draws all screens.
  public var factory: Factory
  /// The options of the composers: commands, attachments, texts and items.
  public var composer: ComposerOptions
  /// The options of the message lists: grouping, headers, renderers, menus.
  public var messages: (Messages) -> Messages

  /// Creates a configuration.
  public init(
    _ factory: Factory, composer: ComposerOptions = ComposerOptions(),
    messages: @escaping (Messages) -> Messages = { $0 }
  ) {
    (self.factory, self.composer, self.messages) = (factory, composer, messages)
  }

  /// Opens the screen of a channel, or of a thread in it.
  @MainActor
  public func open(_ channel: ChannelController, thread: Message.ID? = nil) async throws -> ChatScreen<Factory> {
    let live = try await channel.liveComposer(thread: thread, options: composer)
    // Another screen that is left before this one is made leaves the composer open.
    live.screenCount += 1
    do { try await live.open() } catch {
      live.screenCount -= 1
      throw error
    }
    return ChatScreen(self, channel, thread: thread, composer: live)
  }

  /// Draws a list of channels.
  @MainActor
  public func draw(_ channels: ChannelListModel) -> Factory.Output { factory.draw(channels) }

  /// Draws a list of threads.
  @MainActor
  public func draw(_ threads: ThreadListModel) -> Factory.Output { factory.draw(threads) }

  /// Draws a list of drafts.
  @MainActor
  public func draw(_ drafts: DraftListModel) -> Factory.Output { factory.draw(drafts) }
}

/// The screen of a channel or a thread: its messages, its composer, and the factory that draws both.
@MainActor
public final class ChatScreen<Factory: ViewFactory> {
  /// The configuration of the app.
  public let ui: ChatUI<Factory>
  /// The controller of the channel.
  public let channel: ChannelController
  /// The messages, which are updated while the screen exists.
  public let messages: MessageListModel
  /// The composer of the user.
  public let composer: LiveComposer
  /// The list of the messages with its scroll position.
  public let list: MessageList<ChatMessage, Factory.Output, LiveComposer>
  private var isLeft = false

  /// Creates a screen, which is among the counted ones of the composer.
  fileprivate init(
    _ ui: ChatUI<Factory>, _ channel: ChannelController, thread: Message.ID?, composer: LiveComposer
  ) {
    (self.ui, self.channel, self.composer) = (ui, channel, composer)
    messages = MessageListModel(of: channel, thread: thread)
    list = MessageList(ui.messages(MessagesView(messages, inputBar: composer)))
  }

  /// Draws the messages and the composer; a view that observes its output draws again after each change.
  public func draw() -> Factory.Output {
    ui.factory.draw(list) { composer in ui.factory.draw(composer) }
  }

  /// Performs a pressed action of the drawn output; returns what is left to the app. A notice that was drawn is
  /// removed.
  public func press(_ action: SlotAction) async throws -> PressOutcome {
    composer.notice = nil
    let outcome = try await messages.press(action, in: composer)
    if case .scroll(let id) = outcome { list.scrollTo(id.text) }
    return outcome
  }

  isolated deinit {
    if !isLeft { composer.screenCount -= 1 }
  }

  /// Leaves the screen: the content of the composer becomes the user's draft if drafts are enabled. While another
  /// screen shows the same composer, it stays open.
  public func leave() async throws(ComposerError) {
    if !isLeft { composer.screenCount -= 1 }
    isLeft = true
    // In a task without a preferred executor, no other screen is opened between the look and the leave.
    let leaving = Task { [composer] () async -> Result<Void, ComposerError> in
      do throws(ComposerError) {
        if composer.screenCount > 0 { try await composer.flush() } else { try await composer.leave() }
        return .success(())
      } catch {
        return .failure(error)
      }
    }
    try await leaving.value.get()
  }
}
