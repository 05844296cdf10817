// Drafts: switched on once, kept and deleted by the composer, listed and followed by an app.
import Foundation
import VerbatimUI

var configuration = Configuration()
configuration.draftMessagesEnabled = true
let workspace = try Workspace.open(at: NSTemporaryDirectory() + "drafts", configuration: configuration)
let ada = workspace.client(user: "ada", device: "phone")
try await ada.me.create(name: "Ada")
for name in ["one", "two", "three"] as [Channel.ID] {
  try await ada.channel(name).create("team")
  let composer = try await ada.channel(name).composer()
  composer.text = "Draft \(name)"
  try await composer.leave()
}

// The drafts of the user, page by page.

do {
  let drafts = try await ada.me.loadDraftMessages(query: DraftListQuery(pagination: Pagination(pageSize: 2)))
  print("Draft messages loaded: \(drafts.map(\.key.channel))")
} catch {
  print("Failed to load draft messages: \(error)")
}
do {
  let drafts = try await ada.me.loadMoreDraftMessages()
  print("Draft messages loaded: \(drafts.map(\.key.channel)), all: \(ada.me.hasLoadedAllDrafts)")
} catch {
  print("Failed to load more draft messages: \(error)")
}

// A callback whenever they change, and the events of single drafts.

let (lists, changes) = (ada.me.draftMessageChanges, try ada.changes)
ada.me.didChangeDraftMessages = { drafts in _ = drafts.map(\.content.text) }
let composer = try await ada.channel("two").composer()
try await composer.send()
for await drafts in lists where drafts.count == 2 {
  print("Left: \(drafts.map(\.key.channel))")
  break
}
for try await change in changes {
  if let event = DraftUpdatedEvent(change) { print("updated in \(event.channel)") }
  if let event = DraftDeletedEvent(change) {
    print("deleted in \(event.channel): \(event.reason)")
    break
  }
}

// Prints:
//   Draft messages loaded: [three, two]
//   Draft messages loaded: [one], all: true
//   Left: [three, one]
//   deleted in two: sent
