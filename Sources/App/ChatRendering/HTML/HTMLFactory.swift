// The protocol of factories for HTML pages.
public import ChatMessageList
internal import Foundation

/// A factory for HTML: a method for every slot, each with a default, so that an app's own struct replaces single slots.
///
/// The output works without a script. If forms can be sent (``actionURL``), an action is a button that submits `action`
/// with the action's id (``SlotAction/pageID``); otherwise the page is read-only.
public protocol HTMLFactory: ViewFactory where Output == HTML {
  /// The output type, HTML. It is repeated for the compiler, whose inference from the methods alone would take hours.
  associatedtype Output = HTML
  /// The address to which forms are sent; nil, the default, for a read-only page.
  var actionURL: String? { get }
  /// Whether pictures are loaded from their servers, which reveals the reader and the time to them; if false, there are
  /// links. Pictures available as bytes are always shown, and so are those of ``/ChatComposer/GIFCatalogue``.
  var loadsPictures: Bool { get }
  /// The prefix of all element ids, which differs for each list on a page with several.
  var idPrefix: String { get }
  /// Returns the address under which the page's own server has a resource; nil, the default, for one of another server.
  /// Pictures at such addresses are always shown.
  func localAddress(of url: String) -> String?
}

extension HTMLFactory {
  /// No address: the page is read-only.
  public var actionURL: String? { nil }
  /// The default, false: pictures are links.
  public var loadsPictures: Bool { false }
  /// The empty prefix.
  public var idPrefix: String { "" }
  /// Nil, the default: the page has no server of its own.
  public func localAddress(of url: String) -> String? { nil }
}

/// The default factory for HTML.
public struct PageFactory: HTMLFactory, Sendable {
  /// The texts, names and calendar.
  public var context: RenderingContext
  /// The address to which forms are sent; nil for a read-only page.
  public var actionURL: String?
  /// Whether pictures are loaded from their servers.
  public var loadsPictures: Bool
  /// The prefix of all element ids.
  public var idPrefix: String

  /// Creates a factory; pages are read-only unless an address for forms is given.
  public init(
    _ context: RenderingContext = RenderingContext(), actionURL: String? = nil, loadsPictures: Bool = false,
    idPrefix: String = ""
  ) {
    (self.context, self.actionURL) = (context, actionURL)
    (self.loadsPictures, self.idPrefix) = (loadsPictures, idPrefix)
  }
}

// MARK: Names of elements

extension HTMLFactory {
  /// Returns the element id of a row: that of its message if it has one, so that quotes can link to it.
  public func elementID(of row: MessageRow) -> String {
    if let message = row.messageID { return elementID(ofMessage: message) }
    return row.kind == .unreadSeparator ? elementID("unread") : elementID("row-" + row.id.encodedID)
  }

  /// Returns the element id of a message.
  public func elementID(ofMessage id: String) -> String { elementID("message-" + id.encodedID) }

  func elementID(_ name: String) -> String { idPrefix.encodedID + name }
}

extension String {
  fileprivate var encodedID: String { encoded(by: "_", keeping: "-.") }
}

// MARK: Actions

extension HTMLFactory {
  var words: PageWords { context.words.page }

  /// The address to which forms are sent, if it accepts forms.
  var formAddress: WebAddress? { actionURL.flatMap { WebAddress($0) }.flatMap { $0.takesForms ? $0 : nil } }

  /// Returns a control for an action: a submit button, or its label alone if no form can be sent.
  ///
  /// The slots of a composer are within a form already; elsewhere the button needs one around it: ``form(_:_:)``.
  /// `spoken` is read aloud in place of the content, and `isOn` is the state of a toggle.
  public func control(_ action: SlotAction, _ label: HTML, label spoken: String? = nil, isOn: Bool? = nil) -> HTML {
    if formAddress != nil {
      return .button(action, ["aria-label": spoken, "aria-pressed": isOn.map { "\($0)" }], label)
    }
    var content = label
    content.carry(action)
    let look = isOn == true ? "control on" : "control"
    guard let spoken else { return .element("span", ["class": look], content) }
    return .element(
      "span", ["class": look], [.element("span", ["aria-hidden": "true"], content), .spoken(spoken)])
  }

  /// Returns a form around buttons, or a plain container if no form can be sent.
  public func form(_ look: String, _ content: HTML) -> HTML {
    guard let formAddress else { return .element("div", ["class": look], content) }
    return .element("form", ["class": look, "method": "post", "action": formAddress.string], content)
  }
}

// MARK: Icons

extension HTMLFactory {
  /// Returns the icon of a name with a space after it; empty if there is none.
  public func icon(_ name: String?) -> HTML {
    guard let icon = context.icon(name).map({ HTML($0) }), !icon.isEmpty else { return HTML() }
    return .joined([icon, HTML(text: " ")])
  }
}

// MARK: Times

extension HTMLFactory {
  /// Returns a time as text with a machine-readable instant.
  func time(_ words: String, of date: Date?) -> HTML {
    .element("time", ["datetime": date.flatMap { $0.written }, "dir": "auto"], text: words)
  }
}

extension Date {
  /// The instant in UTC in ISO 8601; nil if it is out of range.
  var written: String? {
    guard self >= .distantPast, self <= .distantFuture else { return nil }
    return formatted(.iso8601)
  }
}
