// Pages: what belongs to a message.
internal import ChatComposer
public import ChatMessageList
internal import Foundation

extension HTMLFactory {
  /// An article with its parts, named by who said it and when.
  public func makeMessageRow<M>(_ slot: MessageSlot<M>, _ parts: MessageParts<HTML>) -> HTML {
    let row = slot.row
    if row.kind == .system { return .element("div", ["class": "system"], parts.bubble) }
    let width = row.maxWidth.asWidth.map { "max-width:\($0)" }
    let above = row.timestamp == .top ? parts.timestamp : HTML()
    // What only its author sees waits for them to choose: they need not look for the buttons.
    let isWaiting = row.content == .ephemeral
    let below = [row.timestamp == .top ? HTML() : parts.timestamp, parts.status].filter { !$0.isEmpty }
    return .element(
      "article",
      [
        "class": row.look, "aria-label": label(of: slot), "title": row.swipeTimestamp ? slot.time : nil,
      ],
      [
        parts.avatar,
        .element(
          "div", ["class": "body", "style": width],
          [
            parts.header, above, annotations(of: row), box(slot, [parts.quote, parts.bubble]), parts.reactions,
            parts.thread, below.isEmpty ? HTML() : .element("p", ["class": "about"], below), parts.footer,
            isWaiting ? parts.menu : HTML(),
          ]),
        isWaiting ? HTML() : parts.menu,
      ])
  }

  /// Who said it.
  public func makeMessageHeader<M>(_ slot: MessageSlot<M>) -> HTML {
    guard slot.row.authorName, let name = name(of: slot) else { return HTML() }
    return .element("p", ["class": "author"], .name(name))
  }

  /// The first letters of their name in a circle, or their picture where pictures are loaded; or as much room.
  public func makeAvatar<M>(_ slot: MessageSlot<M>) -> HTML {
    if slot.row.avatar == .spacer { return .element("span", ["class": "avatar room", "aria-hidden": "true"]) }
    let sender = slot.chat?.sender
    if loadsPictures, let image = sender?.image, WebAddress(image) != nil {
      return .element(
        "img", ["class": "avatar", "src": image, "alt": "", "loading": "lazy", "referrerpolicy": "no-referrer"])
    }
    let color = AvatarColor(of: sender?.id ?? "\(slot.row.side)")
    return .element(
      "span", ["class": "avatar", "aria-hidden": "true", "style": "background:\(color.css)"],
      text: (name(of: slot) ?? "").initials)
  }

  /// Buttons behind one that shows them; where nothing can be sent there is no menu to see.
  public func makeContextMenu<M>(_ slot: MessageSlot<M>) -> HTML {
    // What is said of the thread opens it.
    let hasThread = (slot.chat?.thread?.replyCount ?? 0) > 0
    let actions = slot.row.actions.elements.filter { $0 != .thread || !hasThread }
    if actions.isEmpty { return HTML() }
    let id = slot.message.messageID
    guard formAddress != nil else { return actions.reduce(into: HTML()) { $0.carry(.message($1, id)) } }
    let items = actions.map { action in
      let label = HTML(text: context.label(of: action))
      return HTML.element("li", [:], control(.message(action, id), label))
    }
    let dots = HTML.element("span", ["aria-hidden": "true"], text: "⋯")
    let summary = HTML.element("summary", ["title": words.menu], [dots, .spoken(words.menu)])
    return .element("details", ["class": "menu"], [summary, form("actions", .element("ul", [:], items))])
  }

  /// Buttons.
  public func makeEphemeralActions<M>(_ slot: MessageSlot<M>) -> HTML {
    let buttons = EphemeralAction.allCases.map { action in
      let label = HTML(text: context.label(of: action))
      return control(.ephemeral(action, message: slot.message.messageID), label)
    }
    return form("actions", .joined(buttons))
  }

  /// The time, with the instant for programs.
  public func makeTimestamp<M>(_ slot: MessageSlot<M>) -> HTML { time(slot.time, of: slot.row.date) }

  /// What there is to say of the message.
  public func makeStatus<M>(_ slot: MessageSlot<M>) -> HTML {
    let status = context.status(of: slot.row)
    if status.isEmpty { return HTML() }
    let isFailed = if case .failed? = slot.row.delivery { slot.row.showsDelivery } else { false }
    return .element("span", ["class": isFailed ? "status failed" : "status", "dir": "auto"], text: status)
  }

  /// The words of the message, which lead to it where it is in the list.
  public func makeQuote<M>(_ quote: MessageQuote, _ slot: MessageSlot<M>) -> HTML {
    var content = HTML.spoken(words.inReplyTo + " ")
    if let author = quote.author {
      content.append(.element("span", ["class": "author"], .name(context.name(of: author))))
    }
    content.append(.element("span", ["class": "said", "dir": "auto"], text: summary(of: quote)))
    if slot.isQuoteInList {
      content.carry(.jump(to: quote.target))
      content = .element("a", ["href": "#" + elementID(ofMessage: quote.target)], content)
    }
    return .element("blockquote", ["class": quote.state == .present ? nil : "gone"], content)
  }

  /// The kinds, with how many reacted so; each a button that reacts so too, or no more.
  public func makeReactions<M>(_ slot: MessageSlot<M>) -> HTML {
    let items = slot.row.reactions.map { reaction in
      let label = HTML.joined([.name(context.reaction(reaction.key)), HTML(text: " \(reaction.count)")])
      return HTML.element(
        "li", ["class": reaction.mine ? "mine" : nil],
        control(
          .react(reaction.key, message: slot.message.messageID), label,
          label: words.reaction(reaction.key, reaction.count, reaction.mine), isOn: reaction.mine))
    }
    return form("reactions", .element("ul", ["role": "list", "aria-label": words.reactions], items))
  }

  /// How many replies there are, of whom, and what waits there.
  public func makeThreadLine<M>(_ thread: MessageThread, _ slot: MessageSlot<M>) -> HTML {
    var parts: [HTML] = []
    if thread.replyCount > 0 { parts.append(HTML(text: context.words.replies(thread.replyCount))) }
    parts += thread.participants.map { .name(context.name(of: $0)) }
    if thread.unread > 0 { parts.append(.element("b", [:], text: context.words.unread(thread.unread))) }
    if thread.hasDraft { parts.append(.element("i", [:], text: context.words.draft)) }
    guard let first = parts.first else { return HTML() }
    let label = parts.dropFirst().reduce(into: first) {
      $0.append(HTML(text: " · "))
      $0.append($1)
    }
    return form("thread", control(.message(.thread, slot.message.messageID), label))
  }
}

// MARK: Parts of rows

extension HTMLFactory {
  /// What a message is called for those who hear it: who said it, and when.
  private func label<M>(of slot: MessageSlot<M>) -> String {
    [name(of: slot) ?? (slot.row.isOwn ? words.you : nil), slot.time].compactMap(\.self).filter { !$0.isEmpty }
      .joined(separator: ", ")
  }

  private func name<M>(of slot: MessageSlot<M>) -> String? { slot.chat?.sender.map { context.name(of: $0) } }

  /// The beginning of what a message says: a quote is no second copy of it.
  func summary(of quote: MessageQuote) -> String {
    let all = context.summary(of: quote)
    let beginning = all.prefix(300)
    return beginning.endIndex == all.endIndex ? all : beginning + " …"
  }

  private func annotations(of row: MessageRow) -> HTML {
    .joined(context.annotations(of: row).map { .element("p", ["class": "remark"], text: $0) })
  }

  /// The box around what a message quotes and says, as round as its row says; an app's own kind has none.
  private func box<M>(_ slot: MessageSlot<M>, _ parts: [HTML]) -> HTML {
    if case .custom = slot.row.content { return .element("div", ["class": "own-kind"], parts) }
    var style = slot.row.cornerRadius.inPixels.map { "border-radius:\($0)" } ?? ""
    if case .text(let text) = slot.message.kind, let color = text.background, slot.row.content != .deletedPlaceholder {
      style += ";background:\(color.css);color:\(color.isLight ? "#000" : "#fff")"
    }
    return .element("div", ["class": "bubble", "style": style], parts)
  }
}

extension MessageRow {
  /// The names of its looks.
  fileprivate var look: String {
    var names = ["message", isOwn ? "own" : "other", "\(side)", "\(position)"]
    switch content {
    case .jumboEmoji: names.append("jumbo")
    case .deletedPlaceholder: names.append("deleted")
    case .ephemeral: names.append("ephemeral")
    default: break
    }
    if delivery == .pending { names.append("pending") }
    return names.joined(separator: " ")
  }
}

extension Double {
  /// A width: a part of what is there up to one, and pixels above; nil where it is none.
  fileprivate var asWidth: String? {
    guard isFinite, self > 0 else { return nil }
    return self <= 1 ? "\(Int((self * 100).rounded()))%" : inPixels
  }

  fileprivate var inPixels: String? {
    guard isFinite, self >= 0, self < 1_000_000 else { return nil }
    return self == rounded() ? "\(Int(self))px" : "\(self)px"
  }
}

extension String {
  /// The first letters of the first two words; letters built of many signs are left out.
  fileprivate var initials: String {
    let words = prefix(200).split { !$0.isLetter && !$0.isNumber }.prefix(2)
    return words.compactMap(\.first).filter { $0.utf8.count <= 16 }.map { $0.uppercased() }.joined()
  }
}
