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
    let source: String?

    var problem: String { "\(text) (\(url ?? "no address"))" }
  }

  struct Request: Decodable { let url: String }

  struct Response: Decodable {
    let url: String?
    let status: Int?
  }

  struct Parameters: Decodable {
    let name: String?
    let type: String?
    let message: String?
    let requestId: String?
    let loaderId: String?
    let frameId: String?
    let url: String?
    let args: [Thrown.Value]?
    let entry: Entry?
    let exceptionDetails: Thrown?
    let request: Request?
    let response: Response?
    let errorText: String?
    let canceled: Bool?
    let blockedReason: String?
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
    case "Log.entryAdded": params.entry.flatMap { $0.level == "error" ? $0.problem : nil }
    case "Network.requestWillBeSent":
      params.request.flatMap { params.requestId == load ? nil : complaint(loading: $0.url) }
    case "Network.webSocketCreated": "the page loads \(params.url ?? "")"
    default: commonProblem
    }
  }

  /// The problem that this event reports, if any, in whatever page: a failed script, an error on the console, a dialog.
  var commonProblem: String? {
    switch method {
    case "Runtime.exceptionThrown": params?.exceptionDetails.map { "a script failed: \($0)" }
    case "Runtime.consoleAPICalled":
      ["error", "assert"].contains(params?.type) ? "the console says: \(words)" : nil
    case _ where isDialog && !isLeaving: "the page opens a dialog: \(params?.message ?? "")"
    case "Inspector.targetCrashed": "the page crashed"
    default: nil
    }
  }

  /// Whether the event is the end of the load with an ID.
  func isEnd(ofLoad load: String?) -> Bool {
    isEndOfLoad && params?.loaderId == load
  }

  /// Whether the event is the end of the load of a page, or of a frame in it.
  var isEndOfLoad: Bool { method == "Page.lifecycleEvent" && params?.name == "load" }

  /// Whether the page waits for the user in a dialog.
  var isDialog: Bool { method == "Page.javascriptDialogOpening" }

  /// Whether the dialog asks whether to leave the page, which the browser does.
  var isLeaving: Bool { isDialog && params?.type == "beforeunload" }

  private var words: String {
    (params?.args ?? []).map { $0.value?.text ?? $0.description ?? "" }.joined(separator: " ")
  }
}

/// Returns the problem of loading an external resource; nil if the resource is part of the page.
func complaint(loading address: String) -> String? {
  let isWithin = ["data:", "blob:", "about:"].contains(where: address.hasPrefix)
  return isWithin ? nil : "the page loads \(address)"
}

// MARK: Requests

extension Event {
  /// The address of the request that this event begins.
  var requested: String? {
    switch method {
    case "Network.requestWillBeSent": params?.request?.url
    case "Network.webSocketCreated": params?.url
    default: nil
    }
  }

  var requestID: String? { params?.requestId }

  /// Whether the event is the failure of a request. A request that the page itself cancels, as by leaving, is none.
  var isFailure: Bool {
    switch method {
    case "Network.responseReceived": (params?.response?.status ?? 0) >= 400
    case "Network.loadingFailed": params?.canceled != true && params?.blockedReason != "csp"
    default: false
    }
  }

  /// Returns the failure of the request of an address that this event reports, if any.
  func failure(of address: String?) -> String? {
    guard isFailure, let params else { return nil }
    let address = params.response?.url ?? address ?? "no address"
    return params.response?.status.map { "the server answers \($0) for \(address)" }
      ?? "the request fails for \(address): \(params.errorText ?? "")"
  }

  /// Returns the error that the browser logs, if any; failures of these addresses are left out.
  func loggedProblem(besides failures: Set<String>) -> String? {
    guard method == "Log.entryAdded", let entry = params?.entry, entry.level == "error" else { return nil }
    return entry.source == "network" && failures.contains(entry.url ?? "") ? nil : entry.problem
  }
}

extension Array where Element: Hashable {
  /// The elements without repetitions.
  var unique: [Element] {
    var known: Set<Element> = []
    return filter { known.insert($0).inserted }
  }
}
