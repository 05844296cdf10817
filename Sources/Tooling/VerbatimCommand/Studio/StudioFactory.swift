// The factory of the studio's chat.
internal import Chat
internal import ChatComposer
internal import ChatRendering
internal import Foundation
internal import Verbatim

/// The factory of the studio's chat: buttons are pressed through a module of the page, and attached pictures are loaded
/// from the studio itself, nothing from other servers.
struct StudioFactory: HTMLFactory, Sendable {
  var context: RenderingContext
  var actionURL: String? { "/api/chat/act" }

  func localAddress(of url: String) -> String? {
    Blob.ID(url: UserText(url)).map { "/api/blob?id=" + $0.text }
  }
}

extension HTML {
  /// The markup for a page whose content security policy forbids style attributes: a module sets them.
  var studioMarkup: String {
    // Escaped text contains no quotation mark: a match is an attribute.
    markup.replacing(" style=\"", with: " data-style=\"")
  }
}
