// A complete page in one file.
internal import ChatMessageList
internal import Foundation

extension HTMLFactory {
  /// Returns a complete page around drawn output: a single file that runs no script and loads nothing but pictures, and
  /// these only with ``loadsPictures``. Its Content-Security-Policy enforces this.
  ///
  /// - Parameters:
  ///   - title: The title of the page, for its window and for screen readers.
  ///   - language: The language of the texts, as `en` or `pt-BR`.
  ///   - direction: The base direction; nil for left to right.
  ///   - parts: The contents from top to bottom.
  public func page(
    title: String, language: String = "en", direction: PageDirection? = nil, _ parts: HTML...
  ) -> String {
    let content = HTML.joined(parts)
    let main = HTML.element(
      "main", ["id": elementID("main"), "tabindex": "-1"],
      [.element("h1", ["dir": "auto"], text: title), content])
    let direction = direction.map { " dir=\"\($0.rawValue)\"" } ?? ""
    return """
      <!DOCTYPE html>
      <html lang="\(language.escaped(for: .attribute))"\(direction)>
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="\(rule.escaped(for: .attribute))">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta name="referrer" content="no-referrer">
      <title>\(title.escaped(for: .text))</title>
      <style>
      \(PageStyle.sheet)</style>
      </head>
      <body>
      \(skips(to: content.markup).markup)\(main.markup)
      </body>
      </html>

      """
  }

  /// The Content-Security-Policy of the page.
  private var rule: String {
    let forms = formAddress.map { $0.isWeb ? $0.origin ?? "https:" : "'self'" } ?? "'none'"
    let pictures = loadsPictures ? "data: http: https: 'self'" : "data:"
    return
      "default-src 'none'; style-src 'unsafe-inline'; img-src \(pictures); form-action \(forms); base-uri 'none'"
  }

  /// Returns skip links, which are visible when focused.
  private func skips(to markup: String) -> HTML {
    let links = [
      ("messages", words.skipToMessages), ("unread", words.skipToUnread), ("composer", words.skipToComposer),
    ]
    // Escaped text contains no quotation mark: a match is an element's id.
    let present = links.filter { markup.contains(" id=\"\(elementID($0.0))\"") }
    if present.isEmpty { return HTML() }
    return .element(
      "nav", ["class": "skip"],
      present.map { .element("a", ["href": "#" + elementID($0.0)], text: $0.1) })
  }
}

/// The base direction of a page.
public enum PageDirection: String, Sendable {
  /// Lines begin on the left.
  case leftToRight = "ltr"
  /// Lines begin on the right.
  case rightToLeft = "rtl"
}
