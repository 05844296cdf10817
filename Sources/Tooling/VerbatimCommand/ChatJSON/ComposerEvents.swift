// The names and members of composer events in JSON.
internal import Chat
internal import JSONLines

extension Composer.Event {
  /// The name of the event and its members.
  var named: NamedChange {
    switch self {
    case .opened: NamedChange("opened")
    case .filled(let content, let selection):
      NamedChange("filled", JSON.Member("content", content), JSON.Member("selection", selection))
    case .typed(let splice, let kind): NamedChange("typed", splice.members, JSON.Member("kind", kind))
    case .mentionPicked(let user, let splice, let length):
      NamedChange("mentionPicked", [JSON.Member("user", user)] + splice.members, JSON.Member("length", length))
    case .replaced(let splice, let mentions, let selection, let kind):
      NamedChange(
        "replaced", splice.members, JSON.Member("mentions", mentions), JSON.Member("selection", selection),
        JSON.Member("kind", kind))
    case .selectionMoved(let selection): NamedChange("selectionMoved", JSON.Member("selection", selection))
    case .attached(let composed): NamedChange("attached", composed.members)
    case .detached(let id): NamedChange("detached", JSON.Member("id", id))
    case .attachmentChanged(let attachment):
      NamedChange("attachmentChanged", JSON.Member("attachment", attachment))
    case .uploadProgressed(let id, let permille):
      NamedChange("uploadProgressed", JSON.Member("id", id), JSON.Member("permille", permille))
    case .uploadFinished(let id, let url):
      NamedChange("uploadFinished", JSON.Member("id", id), JSON.Member("url", url))
    case .uploadFailed(let id, let failure):
      NamedChange("uploadFailed", JSON.Member("id", id), JSON.Member("failure", failure))
    case .uploadRetried(let id): NamedChange("uploadRetried", JSON.Member("id", id))
    case .previewDismissed(let url): NamedChange("previewDismissed", JSON.Member("url", url))
    case .quoted(let message): NamedChange("quoted", JSON.Member("message", message))
    case .quoteEnded: NamedChange("quoteEnded")
    case .editBegan(let message, let content):
      NamedChange("editBegan", JSON.Member("message", message), JSON.Member("content", content))
    case .editEnded(let end): NamedChange("editEnded", JSON.Member("end", end))
    case .entered(let state, let keeping):
      NamedChange("entered", JSON.Member("state", state), JSON.Member("keeping", keeping))
    case .pickerChanged(let picker): NamedChange("pickerChanged", JSON.Member("picker", picker))
    case .showsInChannelSet(let isOn): NamedChange("showsInChannelSet", JSON.Member("isOn", isOn))
    case .silentSet(let isOn): NamedChange("silentSet", JSON.Member("isOn", isOn))
    case .extraSet(let extra): NamedChange("extraSet", JSON.Member("extra", extra))
    case .commandsShown(let isOn): NamedChange("commandsShown", JSON.Member("isOn", isOn))
    case .commandActivated(let command, let splice):
      NamedChange("commandActivated", JSON.Member("command", command), .optional("splice", splice))
    case .commandTargeted(let user): NamedChange("commandTargeted", .optional("target", user))
    case .commandCleared(let splice): NamedChange("commandCleared", .optional("splice", splice))
    case .commandStarted(let execution):
      NamedChange(
        "commandStarted", JSON.Member("execution", execution.id), JSON.Member("command", execution.command),
        JSON.Member("arguments", execution.arguments))
    case .commandExecuted(let id): NamedChange("commandExecuted", JSON.Member("execution", id))
    case .commandFailed(let id, let failure):
      NamedChange("commandFailed", JSON.Member("execution", id), JSON.Member("failure", failure))
    case .commandInterrupted(let id): NamedChange("commandInterrupted", JSON.Member("execution", id))
    case .sendRefused(let failure): NamedChange("sendRefused", JSON.Member("failure", failure))
    case .actionRefused(let failure): NamedChange("actionRefused", JSON.Member("failure", failure))
    case .sent(let message, let keeping):
      NamedChange("sent", JSON.Member("message", message), .optional("keeping", keeping))
    case .cleared(let keeping): NamedChange("cleared", .optional("keeping", keeping))
    case .left(let keepsContent): NamedChange("left", JSON.Member("keepingContent", keepsContent))
    case .custom(let name, let payload):
      NamedChange("custom", JSON.Member("name", name), JSON.Member(payload: payload))
    case .erased: NamedChange("erased")
    }
  }
}

extension Splice: PrintedValue {
  var json: JSON { .object(members) }

  /// The replaced range and the inserted text.
  fileprivate var members: [JSON.Member] { [JSON.Member("range", range), JSON.Member("text", text)] }
}

extension Composer.Picker: PrintedValue {
  var json: JSON {
    guard case .expanded(let type) = self else { return .string("collapsed") }
    guard case .custom(let name) = type else { return .object(of: JSON.Member("expanded", "\(type)")) }
    return .object(of: JSON.Member("custom", name))
  }
}
