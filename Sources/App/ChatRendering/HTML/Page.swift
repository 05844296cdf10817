// A whole page that stands alone in one file.
internal import ChatMessageList
internal import Foundation

extension HTMLFactory {
  /// A whole page around what is drawn: it stands alone in one file, runs no script, and loads nothing but pictures,
  /// and these only where ``loadsPictures`` says so. A rule in the page has browsers hold it to that.
  ///
  /// - Parameters:
  ///   - title: What the page is called, in its window and to those who hear it.
  ///   - language: The language of its words, as `en` or `pt-BR`.
  ///   - direction: Where its lines begin; nil for the left.
  ///   - parts: What is on it, from the top down.
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

  /// What browsers let the page do.
  private var rule: String {
    let forms = formAddress.map { $0.isWeb ? $0.origin ?? "https:" : "'self'" } ?? "'none'"
    let pictures = loadsPictures ? "data: http: https: 'self'" : "data:"
    return
      "default-src 'none'; style-src 'unsafe-inline'; img-src \(pictures); form-action \(forms); base-uri 'none'"
  }

  /// Links that pass over what comes before, seen once they have the focus.
  private func skips(to markup: String) -> HTML {
    let places = [
      ("messages", words.skipToMessages), ("unread", words.skipToUnread), ("composer", words.skipToComposer),
    ]
    // No words hold a quotation mark any more: what reads like the name of an element is one.
    let known = places.filter { markup.contains(" id=\"\(elementID($0.0))\"") }
    if known.isEmpty { return HTML() }
    return .element(
      "nav", ["class": "skip"],
      known.map { .element("a", ["href": "#" + elementID($0.0)], text: $0.1) })
  }
}

/// Where the lines of a page begin.
public enum PageDirection: String, Sendable {
  /// On the left.
  case leftToRight = "ltr"
  /// On the right.
  case rightToLeft = "rtl"
}
