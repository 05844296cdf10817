// Whole pages: what browsers let them do, and who can read them.
import ChatMessageList
@testable import ChatRendering
import Foundation
import Testing

struct `A whole page` {
  private func page(_ factory: PageFactory = PageFactory(), title: String = "Chat", language: String = "en") -> String {
    factory.page(title: title, language: language, factory.drawList(everyList()[0]), factory.draw(everyComposer()))
  }

  /// What is between the tags of a page, behind the part that no strict reader takes.
  private func body(of page: String) -> String {
    String(page[page.range(of: "<body>")!.lowerBound..<page.range(of: "</body>")!.upperBound])
  }

  private func rule(of page: String) -> String? {
    page.split(separator: "\n").first { $0.contains("Content-Security-Policy") }.map(String.init)
  }

  @Test func `stands alone: it runs nothing and loads nothing`() {
    let page = page()
    #expect(page.hasPrefix("<!DOCTYPE html>\n<html lang=\"en\">"))
    #expect(page.contains("name=\"viewport\"") && page.contains("charset=\"utf-8\""))
    #expect(!page.contains("<script") && !page.contains("<link") && !page.contains("@import"))
    #expect(!PageStyle.sheet.contains("url(") && !PageStyle.sheet.contains("<"))
    #expect(
      rule(of: page)?.contains("default-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;; img-src data:;") ?? false
    )
    #expect(rule(of: page)?.contains("form-action &#39;none&#39;") ?? false)
    #expect(expectStrict(body(of: page)).all("img").allSatisfy { $0.attributes["src"]?.hasPrefix("data:") ?? false })
  }

  @Test(arguments: [
    (PageFactory(actionURL: "/act"), "form-action &#39;self&#39;"),
    (PageFactory(actionURL: "https://example.org:8080/act?a;b"), "form-action https://example.org:8080;"),
    (PageFactory(actionURL: "https://a;script-src%20*@b/"), "form-action https:;"),
    (PageFactory(loadsPictures: true), "img-src data: http: https: &#39;self&#39;;"),
  ])
  func `is let do no more than it has to`(factory: PageFactory, expected: String) {
    #expect(rule(of: page(factory))?.contains(expected) ?? false)
  }

  @Test(arguments: hostile)
  func `is whole whatever it is called`(text: String) {
    let page = page(title: text, language: text)
    expectStrict(body(of: page))
    #expect(page.components(separatedBy: "<").count == self.page().components(separatedBy: "<").count)
  }

  @Test func `has one main part, and links that pass over the rest`() {
    let read = expectStrict(body(of: page()))
    #expect(read.all("main").count == 1)
    let skips = read.all("a").prefix(3).compactMap { $0.attributes["href"]?.dropFirst() }.map(String.init)
    #expect(skips == ["messages", "unread", "composer"])
    for id in skips { #expect(read.elements.contains { $0.attributes["id"] == id }) }
    let empty = PageFactory().page(title: "Nothing", HTML(text: " id=\"unread\""))
    #expect(!empty.contains("class=\"skip\""))
  }

  @Test func `may hold two lists, each with names of its own`() {
    let factories = [PageFactory(), PageFactory(idPrefix: "thread-")]
    let lists = factories.map { $0.drawList(everyList()[0]) }
    expectStrict(body(of: factories[0].page(title: "Two", lists[0], lists[1])))
  }

  @Test func `begins its lines where its language does`() {
    #expect(PageFactory().page(title: "", language: "he", direction: .rightToLeft).contains("lang=\"he\" dir=\"rtl\""))
  }
}

struct `Colors of a page` {
  private func contrast(_ a: Double, _ b: Double) -> Double { (max(a, b) + 0.05) / (min(a, b) + 0.05) }

  private func luminance(_ hex: Substring) -> Double {
    let number = Int(hex, radix: 16) ?? 0
    func light(_ part: Int) -> Double {
      let share = Double(part) / 255
      return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * light(number >> 16) + 0.7152 * light(number >> 8 & 0xFF) + 0.0722 * light(number & 0xFF)
  }

  @Test func `can be told apart in the light scheme and in the dark one`() {
    let schemes = PageStyle.sheet.components(separatedBy: "prefers-color-scheme: dark")
    #expect(schemes.count == 2)
    for scheme in schemes.map({ $0.prefix { $0 != "}" } }) {
      var colors: [Substring: Double] = [:]
      for part in scheme.components(separatedBy: "--").dropFirst() {
        let words = part.split { ":; ".contains($0) }
        colors[words[0]] = luminance(words[1].dropFirst())
      }
      let pairs = [
        ("letters", "ground"), ("faint", "ground"), ("link", "ground"), ("wrong", "ground"), ("letters", "other"),
        ("faint", "other"), ("link", "other"), ("own-letters", "own"),
      ]
      for (letters, ground) in pairs {
        guard let a = colors[Substring(letters)], let b = colors[Substring(ground)] else {
          Issue.record("\(letters) or \(ground) is no color")
          continue
        }
        #expect(contrast(a, b) >= 4.5, "\(letters) on \(ground)")
      }
      #expect(contrast(colors["frame"] ?? 0, colors["ground"] ?? 0) >= 3)
    }
  }

  @Test func `behind the letters of names are dark enough for white ones`() {
    for color in AvatarColor.all {
      let hex = color.css.dropFirst()
      #expect(contrast(luminance(hex), 1) >= 4.5, "\(hex)")
    }
    #expect(AvatarColor(of: "ann").css == AvatarColor(of: "ann").css)
    #expect(Set((0..<100).map { AvatarColor(of: "user\($0)").css }).count == AvatarColor.all.count)
  }
}
