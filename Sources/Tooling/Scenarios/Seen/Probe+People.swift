// Probes of joining, blocks, reviews, polls, saved and scheduled messages, and notifications.
internal import Chat
internal import ChatProjections
internal import JSONLines
internal import Verbatim

extension Probe {
  static let people: [Probe] = [
    Probe("invitations", "the channels to which the user is invited") { player in
      .texts(try await player.client.me.invitations().map(\.id.text))
    },
    Probe("publicChannels", "the public channels") { player in
      .texts(try await player.client.channels.publicChannels().channels.map(\.id.text))
    },
    Probe("archived", "the channels in the user's archive") { player in
      let page = try await player.client.channels.page(where: ChannelFilter(isArchived: true))
      return .texts(page.channels.map(\.channel.id.text))
    },
    Probe("blocked", "the users whom the user blocks") { player in
      .texts(try await player.client.me.blockedUsers().map(\.text))
    },
    Probe("reviews", "the flagged messages that wait for a decision: of, flags, claimed") { player in
      .array(
        try await player.channel.openReviews().items.map { item in
          let message = if case .message(let key) = item.review.target { key.id.text } else { "" }
          return .members([
            "of": .string(message), "flags": .number("\(item.openFlags.count)"),
            "claimed": .text(item.review.claim?.actor.user?.text),
          ])
        })
    },
    Probe("decisions", "the decisions about the flags of the channel's newest flagged message") { player in
      let messages = try await player.channel.messages(limit: 100).messages.reversed()
      for message in messages {
        let review = try await player.channel.review(of: message.key.id)
        if let review { return .texts(review.review.decisions.map(\.outcome.text)) }
      }
      return .null
    },
    Probe("polls", "the polls of the channel: of, options with their votes, open") { player in
      let messages = try await player.channel.messages(limit: 100).messages
      let now = player.workspace.now
      return .array(
        messages.compactMap { message in
          guard let poll = message.poll else { return nil }
          return .members([
            "of": .string(message.key.id.text),
            "options": .texts(poll.options.map { "\($0.text): \($0.votes)" }), "open": .bool(poll.isOpen(at: now)),
          ])
        })
    },
    Probe("saved", "the messages that the user saved: message, note, reminded") { player in
      .array(
        try await player.client.me.savedMessages().items.map { item in
          .members([
            "message": .string(item.saved.key.message.id.text), "note": .text(item.saved.note?.string),
            "reminded": .bool(item.saved.reminded != nil),
          ])
        })
    },
    Probe("scheduled", "the messages that the user scheduled: id, text, failure") { player in
      .array(
        try await player.client.me.scheduledMessages().map { message in
          .members([
            "id": .string(message.key.message.id.text), "text": .string(message.content.text.string),
            "failure": .text(
              message.failure?.values["refusal"].flatMap { if case .text(let text) = $0 { text.string } else { nil } }),
          ])
        })
    },
    Probe(
      "notified",
      "the users who are notified of the messages of the channel or thread, each with the reason: an array by message"
    ) { player in
      var members: [JSON.Member] = []
      for message in try await player.page().messages {
        let recipients = try await player.workspace.recipients(of: message.key)
        let reasons = JSON.texts(recipients.map { "\($0.user): \($0.reason)" })
        members.append(JSON.Member(key: message.key.id.text, value: reasons))
      }
      return .object(members)
    },
  ]
}
