// Who draws pages.
public import ChatMessageList
internal import Foundation

/// Who draws pages: a method for every slot, each with a default, so that an app's own struct replaces one and leaves
/// the others.
///
/// What is drawn works without a script. Where forms can be sent (``actionURL``), what can be done is a button that
/// sends `action` with the id of the action (``SlotAction/pageID``); where they cannot, the page is one to be read.
public protocol HTMLFactory: ViewFactory where Output == HTML {
  /// A page. It is said once more, for the compiler to infer it: by the methods alone it would try for hours.
  associatedtype Output = HTML
  /// Where forms are sent; nil for pages to be read, which is so where nothing else is said.
  var actionURL: String? { get }
  /// Whether pictures are loaded from where they are, which tells that place who looks and when; otherwise there are
  /// links to them. Pictures that are at hand as bytes are always shown.
  var loadsPictures: Bool { get }
  /// What the names of all elements begin with: another one for each list of a page that has several.
  var idPrefix: String { get }
}

extension HTMLFactory {
  /// Nowhere.
  public var actionURL: String? { nil }
  /// They are not.
  public var loadsPictures: Bool { false }
  /// Nothing.
  public var idPrefix: String { "" }
}

/// Draws pages as they are where an app replaces nothing.
public struct PageFactory: HTMLFactory, Sendable {
  /// Words, names and calendars.
  public var context: RenderingContext
  /// Where forms are sent; nil for pages to be read.
  public var actionURL: String?
  /// Whether pictures are loaded from where they are.
  public var loadsPictures: Bool
  /// What the names of all elements begin with.
  public var idPrefix: String

  /// Draws with words and names, for reading unless forms can be sent somewhere.
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
  /// What the element of a row is called: by its message, so that what quotes the message finds it.
  public func elementID(of row: MessageRow) -> String {
    if let message = row.messageID { return elementID(ofMessage: message) }
    return row.kind == .unreadSeparator ? elementID("unread") : elementID("row-" + row.id.encodedID)
  }

  /// What the element of a message is called.
  public func elementID(ofMessage id: String) -> String { elementID("message-" + id.encodedID) }

  func elementID(_ name: String) -> String { idPrefix.encodedID + name }
}

extension String {
  fileprivate var encodedID: String { encoded(by: "_", keeping: "-.") }
}

// MARK: What can be done

extension HTMLFactory {
  var words: PageWords { context.words.page }

  /// Where forms are sent, where that is a place that takes them.
  var formAddress: WebAddress? { actionURL.flatMap { WebAddress($0) }.flatMap { $0.takesForms ? $0 : nil } }

  /// Something that can be done: a button that sends it, or what is written on it where nothing can be sent.
  ///
  /// The button is in no form yet: ``form(_:_:)`` puts one around it and others.
  func control(_ action: SlotAction, _ label: HTML, label spoken: String? = nil, isOn: Bool? = nil) -> HTML {
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

  /// A form around buttons, or the same room where nothing can be sent.
  func form(_ look: String, _ content: HTML) -> HTML {
    guard let formAddress else { return .element("div", ["class": look], content) }
    return .element("form", ["class": look, "method": "post", "action": formAddress.string], content)
  }
}

// MARK: Times

extension HTMLFactory {
  /// A time in words, with the instant for programs.
  func time(_ words: String, of date: Date?) -> HTML {
    .element("time", ["datetime": date.flatMap { $0.written }, "dir": "auto"], text: words)
  }
}

extension Date {
  /// The instant in UTC as ISO 8601 writes it; nil for one out of all reason.
  var written: String? {
    guard self >= .distantPast, self <= .distantFuture else { return nil }
    return formatted(.iso8601)
  }
}
