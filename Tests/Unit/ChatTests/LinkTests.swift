// Tests of links in texts: detected ones, and texts that only look like links.
import Chat
import Testing

struct Links {
  @Test(arguments: [
    "http://a", "https://a.example", "see https://a.example/b?c", "HTTP://A", "hTtPs://a", "www.a.example", "WWW.A",
    "(www.a)", "über www.bücher.example", "看www.a.example", "https://[::1]/", "http://ü.example", "xhttp://a",
    "www.ü.example", "a\nwww.a", "www. www.a",
  ])
  func `a link is detected anywhere in a text`(text: UserText) {
    #expect(text.hasLink)
    Scene.general.when(.message(.m3, .send(Message.Content(text))), by: .gil)
      .thenRefused(.notAllowed(.sendLinks, in: "general"))
  }

  @Test(arguments: [
    "www.", "http://", "https:// ", "http: //a", "http:/a", "www", "wwww.a", "awww...so cute", "Awww.yes", "www...",
    "www. a", "httpx//a", "a.example", "a@b.example", "ftp.example",
  ])
  func `a text that only looks like a link is none`(text: UserText) {
    #expect(!text.hasLink)
    Scene.general.when(.message(.m3, .send(Message.Content(text))), by: .gil)
      .then(.message(.m3, .sent(Message.Content(text))))
  }

  @Test func `a link is found after 100,000 letters, and none without it`() {
    let noise = String(repeating: "w", count: 100_000)
    #expect(!UserText(noise).hasLink)
    #expect(UserText(noise + " www.a").hasLink)
  }
}
