// The events of a page that the browser reports, and which of them are problems.
import Foundation

/// A message of the DevTools protocol: an event if it has a method, a response if it has an ID.
///
/// Of an event's parameters, only those are read that indicate a problem or the end of loading.
struct Event: Decodable {
  struct Thrown: Decodable, CustomStringConvertible {
    struct Value: Decodable {
      let description: String?
      let value: Text?
    }

    let text: String
    let exception: Value?

    var description: String { exception?.description ?? "\(text) \(exception?.value?.text ?? "")" }
  }

  struct Entry: Decodable {
    let level: String
    let text: String
    let url: String?
  }

  struct Request: Decodable { let url: String }

  struct Parameters: Decodable {
    let name: String?
    let type: String?
    let message: String?
    let requestId: String?
    let loaderId: String?
    let url: String?
    let args: [Thrown.Value]?
    let entry: Entry?
    let exceptionDetails: Thrown?
    let request: Request?
  }

  /// A value of any type as text.
  struct Text: Decodable {
    let text: String

    init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      let number = try? value.decode(Decimal.self)
      text = (try? value.decode(String.self)) ?? number.map { "\($0)" } ?? ""
    }
  }

  let id: Int?
  let sessionId: String?
  let method: String?
  let params: Parameters?

  /// Returns the problem that this event reports, if any, in a page whose own load has this ID.
  func problem(load: String?) -> String? {
    guard let params else { return nil }
    return switch method {
    case "Runtime.exceptionThrown": params.exceptionDetails.map { "a script failed: \($0)" }
    case "Runtime.consoleAPICalled":
      ["error", "assert"].contains(params.type) ? "the console says: \(words)" : nil
    case "Log.entryAdded":
      params.entry.flatMap { $0.level == "error" ? "\($0.text) (\($0.url ?? "no address"))" : nil }
    case "Network.requestWillBeSent":
      params.request.flatMap { params.requestId == load ? nil : complaint(loading: $0.url) }
    case "Network.webSocketCreated": "the page loads \(params.url ?? "")"
    case _ where isDialog: "the page opens a dialog: \(params.message ?? "")"
    case "Inspector.targetCrashed": "the page crashed"
    default: nil
    }
  }

  /// Whether the event is the end of the load with an ID.
  func isEnd(ofLoad load: String?) -> Bool {
    method == "Page.lifecycleEvent" && params?.name == "load" && params?.loaderId == load
  }

  /// Whether the page waits for the user in a dialog.
  var isDialog: Bool { method == "Page.javascriptDialogOpening" }

  private var words: String {
    (params?.args ?? []).map { $0.value?.text ?? $0.description ?? "" }.joined(separator: " ")
  }
}

/// Returns the problem of loading an external resource; nil if the resource is part of the page.
func complaint(loading address: String) -> String? {
  let isWithin = ["data:", "blob:", "about:"].contains(where: address.hasPrefix)
  return isWithin ? nil : "the page loads \(address)"
}
