// The asynchronous requests of a live composer, which run concurrently with typing.
internal import Chat

/// The asynchronous requests of a live composer; leaving and stopping cancel them all.
struct ComposerRequests {
  /// The suggestions for the text being typed.
  var suggestions = SuggestionRequests()
  /// The target typed for the active command.
  var target = TargetResolution()
  /// The uploads of attachments.
  var uploads = Uploads()
  /// The link previews.
  var previews = Previews()
  /// The animated pictures that the giphy picker offers.
  var pictures = OfferedPictures()
  /// The updates of the presentation by time alone.
  var timer = PresentationTimer()

  /// Cancels all requests.
  mutating func cancelAll() {
    suggestions.cancel()
    target.cancel()
    uploads.cancelAll()
    previews.cancelAll()
    pictures.cancel()
    timer.cancel()
  }
}

/// The resolution of the user whose name was typed for the active command.
struct TargetResolution {
  /// The resolved user; nil if no name was typed, or none that matches a user.
  var resolved: ResolvedTarget?
  /// The latest resolution.
  private(set) var task: Task<Void, Never>?

  /// Starts a resolution in place of the previous one.
  mutating func start(_ resolution: Task<Void, Never>) {
    task?.cancel()
    task = resolution
  }

  /// Cancels the resolution; the resolved user stays.
  mutating func cancel() {
    task?.cancel()
    task = nil
  }
}

/// The link previews: each link is requested once while it is in the text.
struct Previews {
  private var requests: [UserText: Task<Void, Never>] = [:]

  /// The requests, finished ones included.
  var tasks: [Task<Void, Never>] { Array(requests.values) }

  /// Whether a link was requested.
  func contains(_ link: UserText) -> Bool { requests[link] != nil }

  /// Adds the request for a link.
  mutating func add(_ request: Task<Void, Never>, for link: UserText) { requests[link] = request }

  /// Cancels and removes the requests of other links.
  mutating func cancelAll(except links: [UserText] = []) {
    for (link, request) in requests where !links.contains(link) {
      request.cancel()
      requests[link] = nil
    }
  }
}

/// The timer for presentations that change by time alone: the seconds of slow mode, the end of a ban.
struct PresentationTimer {
  /// The number of changes so far; reading it registers observers of the presentation.
  private(set) var ticks = 0
  private var scheduled: (instant: Timestamp, task: Task<Void, Never>)?

  /// The instant of the next change; nil if none is scheduled.
  var next: Timestamp? { scheduled?.instant }

  /// Schedules the next change in place of the previous one.
  mutating func schedule(at instant: Timestamp, _ task: Task<Void, Never>) {
    scheduled?.task.cancel()
    scheduled = (instant, task)
  }

  /// Counts the scheduled change.
  mutating func tick() {
    scheduled = nil
    ticks += 1
  }

  /// Cancels the scheduled change.
  mutating func cancel() {
    scheduled?.task.cancel()
    scheduled = nil
  }
}
