// HTML: the parts of a message row.
internal import ChatComposer
public import ChatMessageList
internal import Foundation

extension HTMLFactory {
  /// Returns an article with the parts, labelled by author and time.
  public func makeMessageRow<M>(_ slot: MessageSlot<M>, _ parts: MessageParts<HTML>) -> HTML {
    let row = slot.row
    if row.kind == .system { return .element("div", ["class": "system"], [parts.bubble, parts.menu]) }
    let width = row.maxWidth.asWidth.map { "max-width:\($0)" }
    let above = row.timestamp == .top ? parts.timestamp : HTML()
    // An ephemeral message waits for its author's choice, so its buttons are not hidden in a menu.
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
            parts.header, above, annotations(of: slot), box(slot, [parts.quote, parts.bubble]), parts.poll,
            parts.reactions, parts.thread,
            below.isEmpty ? HTML() : .element("p", ["class": "about"], below), parts.footer,
            isWaiting ? parts.menu : HTML(),
          ]),
        isWaiting ? HTML() : parts.menu,
        // The label of the article already has the time.
        parts.swipeTimestamp.isEmpty
          ? HTML() : .element("div", ["class": "swiped", "aria-hidden": "true"], parts.swipeTimestamp),
      ])
  }

  /// Returns the author's name.
  public func makeMessageHeader<M>(_ slot: MessageSlot<M>) -> HTML {
    guard slot.row.authorName, let name = name(of: slot) else { return HTML() }
    return .element("p", ["class": "author"], .name(name))
  }

  /// Returns a circle with the author's initials, or the picture if pictures are loaded; or a spacer.
  public func makeAvatar<M>(_ slot: MessageSlot<M>) -> HTML {
    if slot.row.avatar == .spacer { return .element("span", ["class": "avatar room", "aria-hidden": "true"]) }
    let sender = slot.chat?.sender
    if loadsPictures, let image = sender?.image, WebAddress(image) != nil {
      return .element(
        "img", ["class": "avatar", "src": image, "alt": "", "loading": "lazy", "referrerpolicy": "no-referrer"])
    }
    // Without a sender the color is that of the side, also for a custom kind, whose row has none.
    let color = AvatarColor(of: sender?.id ?? (slot.row.isOwn ? "trailing" : "leading"))
    return .element(
      "span", ["class": "avatar", "aria-hidden": "true", "style": "background:\(color.css)"],
      text: (name(of: slot) ?? "").initials)
  }

  /// Returns the actions as buttons in a disclosure; without forms, the actions are carried invisibly.
  public func makeContextMenu<M>(_ slot: MessageSlot<M>) -> HTML {
    // The thread line opens the thread.
    let hasThread = (slot.chat?.thread?.replyCount ?? 0) > 0
    let actions = slot.row.actions.elements.filter { $0 != .thread || !hasThread }
    let id = slot.message.messageID
    let entries =
      actions.map { (SlotAction.message($0, id), HTML(text: context.label(of: $0))) }
      + slot.menuItems.map { (SlotAction.custom($0.id, message: id), label(of: $0)) }
    if entries.isEmpty { return HTML() }
    guard formAddress != nil else { return entries.reduce(into: HTML()) { $0.carry($1.0) } }
    let items = entries.map { action, label in HTML.element("li", [:], control(action, label)) }
    let dots = HTML.element("span", ["aria-hidden": "true"], text: "⋯")
    let summary = HTML.element("summary", ["title": words.menu], [dots, .spoken(words.menu)])
    return .element("details", ["class": "menu"], [summary, form("actions", .element("ul", [:], items))])
  }

  private func label(of item: MessageMenuItem) -> HTML {
    .joined([icon(item.icon), .element("span", ["dir": "auto"], text: item.title)])
  }

  /// Returns the buttons.
  public func makeEphemeralActions<M>(_ slot: MessageSlot<M>) -> HTML {
    let buttons = EphemeralAction.allCases.map { action in
      let label = HTML(text: context.label(of: action))
      return control(.ephemeral(action, message: slot.message.messageID), label)
    }
    return form("actions", .joined(buttons))
  }

  /// Returns the time with a machine-readable instant.
  public func makeTimestamp<M>(_ slot: MessageSlot<M>) -> HTML { time(slot.time, of: slot.row.date) }

  /// Returns the status texts.
  public func makeStatus<M>(_ slot: MessageSlot<M>) -> HTML {
    let status = context.status(of: slot.row)
    if status.isEmpty { return HTML() }
    let isFailed = if case .failed? = slot.row.delivery { slot.row.showsDelivery } else { false }
    return .element("span", ["class": isFailed ? "status failed" : "status", "dir": "auto"], text: status)
  }

  /// Returns the quoted text, linked to the message if it is in the list; with forms, a button loads another one.
  public func makeQuote<M>(_ quote: MessageQuote, _ slot: MessageSlot<M>) -> HTML {
    var content = HTML.spoken(words.inReplyTo + " ")
    if let author = quote.author {
      content.append(.element("span", ["class": "author"], .name(context.name(of: author))))
    }
    content.append(.element("span", ["class": "said", "dir": "auto"], text: summary(of: quote)))
    if slot.isQuoteInList {
      content.carry(.jump(to: quote.target))
      content = .element("a", ["href": "#" + elementID(ofMessage: quote.target)], content)
    } else if formAddress != nil, quote.state == .present {
      content = form("open", control(.jump(to: quote.target), content))
    }
    return .element("blockquote", ["class": quote.state == .present ? nil : "gone"], content)
  }

  /// Returns the options with their votes; each of an open poll is a button that votes or takes the vote back.
  public func makePoll<M>(_ poll: MessagePoll, _ slot: MessageSlot<M>) -> HTML {
    let items = poll.options.map { option in
      let votes = HTML(text: " " + context.words.votes(option.votes))
      let label = HTML.joined([.element("span", ["dir": "auto"], text: option.text), votes])
      let action = SlotAction.vote(option.id, message: slot.message.messageID)
      let content = poll.isOpen ? control(action, label, isOn: option.mine) : label
      return HTML.element("li", ["class": option.mine ? "mine" : nil], content)
    }
    let list = HTML.element("ul", ["role": "list", "aria-label": words.poll], items)
    if poll.isOpen { return form("reactions", list) }
    return .joined([list, .element("p", ["class": "about"], text: context.words.pollClosed)])
  }

  /// Returns the reaction kinds with their counts; each is a button that adds or removes the user's own.
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

  /// Returns the number of replies, the participants, the unread replies and the draft mark.
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
  /// Returns a message's label for screen readers: author and time.
  private func label<M>(of slot: MessageSlot<M>) -> String {
    [name(of: slot) ?? (slot.row.isOwn ? words.you : nil), slot.time].compactMap(\.self).filter { !$0.isEmpty }
      .joined(separator: ", ")
  }

  private func name<M>(of slot: MessageSlot<M>) -> String? { slot.chat?.sender.map { context.name(of: $0) } }

  /// Returns the beginning of a quoted message, of limited length.
  func summary(of quote: MessageQuote) -> String { context.summary(of: quote).beginning }

  private func annotations<M>(of slot: MessageSlot<M>) -> HTML {
    .joined(context.annotations(of: slot).map { .element("p", ["class": "remark"], text: $0) })
  }

  /// Returns the bubble around quote and content, with the row's corner radius; a custom kind has none.
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
  /// The CSS classes of the row.
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
  /// A CSS width: up to 1 a fraction of the available width, above it pixels; nil for an invalid value.
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
  /// The initials of the first two words; letters of very many scalars are omitted.
  fileprivate var initials: String {
    let words = prefix(200).split { !$0.isLetter && !$0.isNumber }.prefix(2)
    return words.compactMap(\.first).filter { $0.utf8.count <= 16 }.map { $0.uppercased() }.joined()
  }
}

extension String {
  /// The text, cut to the length that texts beside a message have in the list.
  var beginning: String {
    let beginning = prefix(300)
    return beginning.endIndex == endIndex ? self : beginning + " …"
  }
}
