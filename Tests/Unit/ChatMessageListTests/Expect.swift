// Short ways to say what rows are to be.
import ChatMessageList
import Foundation

extension MessageLayout {
  /// What the rows are called, from the top down.
  var ids: [String] { rows.map(\.id) }

  /// Of each message with a place in a group, where it stands there: a letter for each.
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

  /// The row of a message that is sure to be there.
  subscript(id: String) -> MessageRow { row(ofMessage: id)! }
}

extension LayoutOptions {
  /// The options with something changed.
  func with(_ change: (inout LayoutOptions) -> Void) -> LayoutOptions {
    var options = self
    change(&options)
    return options
  }

  /// Without what stands between groups besides messages.
  static var bare: LayoutOptions {
    verbatim.with { options in
      options.showsDaySeparators = false
      options.showsConversationStart = false
    }
  }
}

let day = 86400.0
