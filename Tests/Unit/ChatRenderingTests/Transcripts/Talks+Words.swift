// Conversations in letters of many kinds, and with words that try to be more than words.
import Chat
import ChatMessageList
import ChatRendering

/// Emoji, lines that begin on the right, wide letters, marks on letters, and words without an end.
let scripts = Talk(
  "scripts", "Languages",
  [
    said("1", by: "leo", at: on(22, 9, 0), "🎉"),
    said("2", by: "mia", at: on(22, 9, 1), "👨‍👩‍👧‍👦 🇩🇪 👍🏽"),
    said("3", by: "leo", at: on(22, 9, 2), "🎈🎈🎈🎈"),
    said("4", by: "noa", at: on(22, 9, 10), "שלום! נפגשים ליד הנמל בשעה 10:30, ואז ב-Lighthouse."),
    said("5", by: "mia", at: on(22, 9, 11), "Hebrew in English: שלום means hello."),
    said("6", by: "rui", at: on(22, 9, 20), "我们星期天十点半在港口见面，然后去灯塔吃饭，好吗？请大家都带上外套，因为海上很冷。"),
    said("7", by: "rui", at: on(22, 9, 21), "日曜日の十時半に港で会いましょう。 ハングル: 일요일에 만나요."),
    said("8", by: "zoe", at: on(22, 9, 30), "Ze\u{308}lda, cafe\u{301}, a\u{328}\u{301}, Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L̠ͨͧͩ͘G̴̻͈͍͔̹̑͗̎̅͛́Ǫ̵̹̻̝̳"),
    said("9", by: "mia", at: on(22, 9, 40), "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenhersteller"),
    said("10", by: "leo", at: on(22, 9, 50), "First line\n\n\tthird line, after a tab\n  fourth, behind two spaces"),
  ])

/// Markup, sequences for terminals, turns of direction, signs that nothing shows.
let hostileTalk = Talk(
  "hostile", "<b>Title</b> & \u{202E}more",
  [
    hostile("1", 0, "<script>alert(1)</script> &amp; <img src=x onerror=alert(1)>"),
    hostile("2", 1, "</textarea></form></main>\"' onclick='alert(1)"),
    hostile("3", 2, "\u{1B}[2J\u{1B}[31mred\u{1B}]0;title\u{7} \u{9B}1m bell\u{7} null\u{0} del\u{7F} back\u{8}"),
    hostile("4", 3, "\u{202E}turned\u{2066} and not ended"),
    hostile("5", 4, "\u{2069}\u{202C}\u{2069}ended and not begun \u{200F}mark"),
    hostile("6", 5, "one\rtwo\u{B}three\u{85}four\u{2028}five"),
    hostile("7", 6, "──────── 2026-11-23 ────────\n  Ada\n    I owe you everything"),
    hostile("8", 7, "javascript:alert(1) https://example.org/\u{202E}gpj.exe http://a.example/?\"onclick=\"b"),
    hostile("9", 8, "zero\u{200B}width\u{200D}joiners\u{FEFF} and \u{FFF0}\u{E000} private"),
  ])

private func hostile(_ id: Message.ID, _ minute: Int64, _ text: UserText) -> ChatMessage {
  said(id, by: minute % 3 == 2 ? "mia" : "sam", at: on(22, 9, minute * 6), text) {
    if minute % 3 == 2 {
      $0.details.delivery = .failed(reason: text.string)
    } else {
      $0.details.sender?.name = "\u{202E}Sam <i>\n\u{1B}[1m"
      $0.details.quote = MessageQuote("1", by: $0.details.sender, text: text.string)
    }
  }
}
