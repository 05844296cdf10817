// Markup that keeps user text literal by construction.
internal import ChatMessageList
internal import Foundation

/// A fragment of a page: markup built from text and elements, with the actions on it.
///
/// Text is escaped, elements are closed, and addresses are followed only if ``WebAddress`` knows them to be harmless,
/// so that no user text becomes markup. An app's own markup is trusted as it is: ``init(trusted:)``.
///
/// Every action that it carries is in the markup: as the value of a button, or in `data-actions` of the innermost
/// element around it.
public struct HTML: DrawnOutput, Hashable, Sendable {
  /// The actions that can be performed on the output, in drawing order.
  public private(set) var actions: [SlotAction] = []
  private var body = ""
  /// The actions that no element lists yet.
  private var untold: [SlotAction] = []

  /// Creates empty markup.
  public init() {}

  /// Creates markup that shows a text literally, whatever it contains.
  public init(text: String) { body = text.escaped(for: .text) }

  /// Creates markup of the app's own, unchanged: it must be well-formed and contain no user text.
  public init(trusted markup: String) { body = markup }

  /// The markup.
  public var markup: String {
    untold.isEmpty ? body : "<span\(Self.attribute(Self.actions, Self.value(of: untold)))>\(body)</span>"
  }

  /// Whether there is neither markup nor an action.
  public var isEmpty: Bool { body.isEmpty && actions.isEmpty }

  /// Whether there is no markup, with or without actions.
  public var isInvisible: Bool { body.isEmpty }

  /// Appends markup.
  public mutating func append(_ other: HTML) {
    body += other.body
    actions += other.actions
    untold += other.untold
  }

  /// Adds an action, which the element around the output lists.
  public mutating func carry(_ action: SlotAction) {
    actions.append(action)
    untold.append(action)
  }

  /// Returns the markup without its unlisted actions, and these.
  private func taken() -> (HTML, [SlotAction]) {
    var rest = self
    rest.untold = []
    return (rest, untold)
  }
}

// MARK: Elements

extension HTML {
  /// The attributes of an element: names and values; one without a value is omitted.
  public typealias Attributes = KeyValuePairs<StaticString, String?>

  /// Returns an element with its content.
  ///
  /// An address that is not safe to follow is omitted. Traps for an element or an attribute that runs a program: a page
  /// contains none.
  public static func element(_ tag: StaticString, _ attributes: Attributes = [:], _ content: HTML = HTML()) -> HTML {
    let name = "\(tag)"
    precondition(!forbidden.contains(name), "A page cannot contain <\(name)>, which runs or loads content.")
    var (output, untold) = content.taken()
    var start = "<\(name)"
    for case (let key, let value?) in attributes { start += attribute(key, value) }
    if !untold.isEmpty { start += attribute(actions, value(of: untold)) }
    output.body = empty.contains(name) ? start + ">" : "\(start)>\(output.body)</\(name)>"
    return output
  }

  /// Returns an element with a text.
  public static func element(_ tag: StaticString, _ attributes: Attributes = [:], text: String) -> HTML {
    element(tag, attributes, HTML(text: text))
  }

  /// Returns an element with several parts.
  public static func element(_ tag: StaticString, _ attributes: Attributes = [:], _ parts: [HTML]) -> HTML {
    element(tag, attributes, .joined(parts))
  }

  /// Returns a button that submits an action and lists it itself.
  static func button(_ action: SlotAction, _ attributes: Attributes = [:], _ label: HTML) -> HTML {
    var output = label
    let others = attributes.map { attribute($0, $1) }.joined()
    output.body =
      "<button type=\"submit\" name=\"action\"\(attribute("value", action.pageID))\(others)>\(label.body)</button>"
    output.actions.append(action)
    return output
  }

  /// Elements that run or load something, or change how the rest of the page is parsed.
  private static let forbidden: Set = [
    "script", "style", "iframe", "frame", "object", "embed", "applet", "base", "link", "meta", "template", "svg",
    "math", "plaintext", "xmp", "noscript", "noembed", "noframes", "title",
  ]
  /// Void elements, which have no content and no end tag.
  private static let empty: Set = ["br", "hr", "img", "input", "wbr"]
  private static let addresses: Set = ["href", "action", "formaction", "cite", "src", "poster"]
  private static let actions: StaticString = "data-actions"

  private static func attribute(_ key: StaticString, _ value: String?) -> String {
    let name = "\(key)"
    precondition(
      !name.hasPrefix("on") && !name.hasPrefix("srcs") && name != "srcdoc",
      "A page cannot contain '\(name)', which runs or loads content.")
    guard let value else { return "" }
    if addresses.contains(name), WebAddress(value) == nil, !(name == "src" && value.isPictureData) { return "" }
    return " \(name)=\"\(value.escaped(for: .attribute))\""
  }

  private static func value(of actions: [SlotAction]) -> String { actions.map(\.pageID).joined(separator: " ") }
}

extension SlotAction {
  /// The action's name in a page: its id with all but plain characters percent-encoded, so that it survives a form and
  /// a space-separated list.
  public var pageID: String { id.encoded(by: "%", keeping: ":/.-_~,@+") }

  /// Returns the action id of a page's name; nil if the encoding is invalid.
  public static func id(ofPageID text: String) -> String? { text.removingPercentEncoding }
}
