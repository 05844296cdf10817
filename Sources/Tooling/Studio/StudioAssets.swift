// The modules and style sheets of the pages, which are part of the program.

/// The assets of the pages by their names.
internal enum StudioAssets {
  /// The bytes of each asset.
  static let all: [String: [UInt8]] = [
    "studio.js": PackageResources.studio_js,
    "studio.css": PackageResources.studio_css,
    "conversation.js": PackageResources.conversation_js,
    "conversation.css": PackageResources.conversation_css,
    "streams.js": PackageResources.streams_js,
    "actions.js": PackageResources.actions_js,
    "events.js": PackageResources.events_js,
    "events.css": PackageResources.events_css,
    "time.js": PackageResources.time_js,
    "timeline.js": PackageResources.timeline_js,
    "playback.js": PackageResources.playback_js,
    "past.js": PackageResources.past_js,
    "time.css": PackageResources.time_css,
    "health.js": PackageResources.health_js,
    "health.css": PackageResources.health_css,
  ]
}
