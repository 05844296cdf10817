// A composer drawn by an app: a modifier, an own send button, own pickers and an own input.
import Foundation
import VerbatimUI

struct Pages: HTMLFactory {
  let context = RenderingContext()
  let actionURL: String? = "/act"

  // The background of the whole composer.

  func makeComposerModifier(_ composer: HTML) -> HTML {
    .element("div", ["style": "background: red"], [composer])
  }

  // A send button that is hidden while there is nothing to send, and shows the seconds of a slow mode.

  func makeTrailingComposer(_ items: [ComposerItem], isEnabled: Bool, hasContent: Bool, cooldown: Int) -> HTML {
    if cooldown > 0 { return HTML(text: "wait \(cooldown) s") }
    return hasContent ? control(.send, HTML(text: isEnabled ? "GO" : "…")) : HTML()
  }

  // A button that opens the picker of media and closes any.

  func makeLeadingComposer(_ items: [ComposerItem], picker: Composer.Picker, config: ChannelConfig) -> HTML {
    guard config.has(.uploads) else { return HTML() }
    let next = picker == .collapsed ? Composer.Picker.expanded(.media) : .collapsed
    return control(.perform(.showPicker(next), id: "picker"), HTML(text: picker == .collapsed ? "+" : "×"))
  }

  // An input with all that a composer knows.

  func makeComposerInput(_ slot: ComposerSlot) -> HTML {
    var parts = [HTML.element("textarea", ["name": "text"], [HTML(text: slot.text)])]
    parts.append(HTML(text: "\(slot.text.count) of \(slot.maxMessageLength), caret at \(slot.selectedRangeLocation)"))
    if let command = slot.command { parts.append(HTML(text: "command \(command.id)")) }
    if let quote = slot.quotedMessage { parts.append(control(slot.onQuoteRemove, HTML(text: quote.text))) }
    if slot.cooldownDuration > 0 || slot.shouldScroll { parts.append(HTML(text: "…")) }
    for asset in slot.addedAssets + slot.addedCustomAttachments {
      let id = asset.attachment.id
      parts.append(control(slot.onCustomAttachmentTap(id), HTML(text: asset.attachment.title?.string ?? "file")))
      parts.append(control(slot.removeAttachmentWithId(id), HTML(text: "×")))
    }
    for file in slot.addedFileURLs { parts.append(HTML(text: file)) }
    return .element("div", ["class": "input"], parts)
  }
}

// A program that uses it.

let workspace = try Workspace.open(at: NSTemporaryDirectory() + "composer")
let ada = workspace.client(user: "ada", device: "phone")
try await ada.me.create(name: "Ada")
try await ada.channel("general").create("team")

var options = ComposerOptions()
options.appearance.onCustomAttachmentTap = { _, attachment in print("tapped: \(attachment.title ?? "")") }
let chat = try await ChatUI(Pages(), composer: options).open(ada.channel("general"))
print(chat.draw().actions.contains(.send))
chat.composer.text = "Hello"
try chat.composer.perform(.attach(Attachment("poll", .custom("poll", payload: []), title: "Lunch?")))
let drawn = chat.draw()
print(drawn.markup.contains("background: red"), drawn.markup.contains("5 of 5000, caret at 5"))
_ = try await chat.press(.tapAttachment("poll"))
for action in drawn.actions where action == .send { _ = try await chat.press(action) }
print(try await ada.channel("general").messages().messages.map(\.content.text))

// Prints:
//   false
//   true true
//   tapped: Lunch?
//   [Hello]
