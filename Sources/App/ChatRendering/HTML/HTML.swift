// Markup that can only be built so that what people wrote stays words.
internal import ChatMessageList
internal import Foundation

/// A piece of a page: markup that is built of words and elements, and what can be done on it.
///
/// Words are escaped, elements are closed, and addresses are followed only where ``WebAddress`` knows them to be
/// harmless, so that nothing that somebody wrote becomes markup. Markup of an app's own is trusted as it is:
/// ``init(trusted:)``.
///
/// Every action that it carries is in the markup: as the value of a button, or in `data-actions` of the innermost
/// element that holds it.
public struct HTML: DrawnOutput, Hashable, Sendable {
  /// What can be done on it, in the order in which it is drawn.
  public private(set) var actions: [SlotAction] = []
  private var body = ""
  /// What can be done on it and no element tells yet.
  private var untold: [SlotAction] = []

  /// Nothing.
  public init() {}

  /// Words, which may hold anything: whatever it is, they are shown and do nothing.
  public init(text: String) { body = text.escaped(for: .text) }

  /// Markup of an app's own, taken as it is: it must be whole, and hold nothing that others wrote.
  public init(trusted markup: String) { body = markup }

  /// The markup.
  public var markup: String {
    untold.isEmpty ? body : "<span\(Self.attribute(Self.actions, Self.value(of: untold)))>\(body)</span>"
  }

  /// Whether there is nothing.
  public var isEmpty: Bool { body.isEmpty && actions.isEmpty }

  /// Whether nothing is to be seen, whatever can be done.
  public var isInvisible: Bool { body.isEmpty }

  /// Puts something behind it.
  public mutating func append(_ other: HTML) {
    body += other.body
    actions += other.actions
    untold += other.untold
  }

  /// Adds something that can be done on it; the element that comes around it tells.
  public mutating func carry(_ action: SlotAction) {
    actions.append(action)
    untold.append(action)
  }

  /// It, without what no element tells, and that.
  private func taken() -> (HTML, [SlotAction]) {
    var rest = self
    rest.untold = []
    return (rest, untold)
  }
}

// MARK: Elements

extension HTML {
  /// What an element is told besides what it holds: names and values; one without a value is left out.
  public typealias Attributes = KeyValuePairs<StaticString, String?>

  /// An element with what it holds.
  ///
  /// An address that cannot be followed safely is left out. Traps where the element or an attribute runs a program:
  /// a page holds none.
  public static func element(_ tag: StaticString, _ attributes: Attributes = [:], _ content: HTML = HTML()) -> HTML {
    let name = "\(tag)"
    precondition(!forbidden.contains(name), "A page holds no <\(name)>: it runs or loads something.")
    var (output, untold) = content.taken()
    var start = "<\(name)"
    for case (let key, let value?) in attributes { start += attribute(key, value) }
    if !untold.isEmpty { start += attribute(actions, value(of: untold)) }
    output.body = empty.contains(name) ? start + ">" : "\(start)>\(output.body)</\(name)>"
    return output
  }

  /// An element with words.
  public static func element(_ tag: StaticString, _ attributes: Attributes = [:], text: String) -> HTML {
    element(tag, attributes, HTML(text: text))
  }

  /// An element with pieces, one behind the other.
  public static func element(_ tag: StaticString, _ attributes: Attributes = [:], _ parts: [HTML]) -> HTML {
    element(tag, attributes, .joined(parts))
  }

  /// A button that sends an action: it tells the action itself.
  static func button(_ action: SlotAction, _ attributes: Attributes = [:], _ label: HTML) -> HTML {
    var output = label
    let others = attributes.map { attribute($0, $1) }.joined()
    output.body =
      "<button type=\"submit\" name=\"action\"\(attribute("value", action.pageID))\(others)>\(label.body)</button>"
    output.actions.append(action)
    return output
  }

  /// Elements that run or load something, or change how the rest of the page is read.
  private static let forbidden: Set = [
    "script", "style", "iframe", "frame", "object", "embed", "applet", "base", "link", "meta", "template", "svg",
    "math", "plaintext", "xmp", "noscript", "noembed", "noframes", "title",
  ]
  /// Elements that hold nothing and have no end.
  private static let empty: Set = ["br", "hr", "img", "input", "wbr"]
  private static let addresses: Set = ["href", "action", "formaction", "cite", "src", "poster"]
  private static let actions: StaticString = "data-actions"

  private static func attribute(_ key: StaticString, _ value: String?) -> String {
    let name = "\(key)"
    precondition(
      !name.hasPrefix("on") && !name.hasPrefix("srcs") && name != "srcdoc",
      "A page holds no '\(name)': it runs or loads something.")
    guard let value else { return "" }
    if addresses.contains(name), WebAddress(value) == nil, !(name == "src" && value.isPictureData) { return "" }
    return " \(name)=\"\(value.escaped(for: .attribute))\""
  }

  private static func value(of actions: [SlotAction]) -> String { actions.map(\.pageID).joined(separator: " ") }
}

extension SlotAction {
  /// What it is called in a page: its id, with all but plain letters written as `%` and two digits, so that it comes
  /// back as it was from a form, and stands among others in a list.
  public var pageID: String { id.encoded(by: "%", keeping: ":/.-_~,@+") }

  /// The id that is called so in a page; nil for what was not made by ``pageID``.
  public static func id(ofPageID text: String) -> String? { text.removingPercentEncoding }
}
