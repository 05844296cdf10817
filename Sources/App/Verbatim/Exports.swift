// Re-exports of the modules whose API an app uses together with this one.

// Documentation is built from each module itself; re-exporting there would duplicate it.
#if !DOCUMENTATION
  @_exported public import Chat
  @_exported public import struct ChatCodec.UnreadableEvent
  @_exported public import ChatProjections
  @_exported public import EventLog
  @_exported public import Projections
#endif
