// Shorthands for expectations about rows.
import ChatMessageList
import Foundation

extension MessageLayout {
  /// The row ids, from top to bottom.
  var ids: [String] { rows.map(\.id) }

  /// The group position of each bubble, one letter each.
  var positions: String {
    rows.filter(\.isBubble).map { row in
      switch row.position {
      case .single: "s"
      case .first: "f"
      case .middle: "m"
      case .last: "l"
      }
    }.joined()
  }

  /// Returns the row of a message that must exist.
  subscript(id: String) -> MessageRow { row(ofMessage: id)! }
}

extension LayoutOptions {
  /// Returns the options with a change.
  func with(_ change: (inout LayoutOptions) -> Void) -> LayoutOptions {
    var options = self
    change(&options)
    return options
  }

  /// The default options without separators between groups.
  static var bare: LayoutOptions {
    verbatim.with { options in
      options.showsDaySeparators = false
      options.showsConversationStart = false
    }
  }
}

let day = 86400.0
