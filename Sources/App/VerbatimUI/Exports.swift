// Re-exports of the modules whose API an app uses together with this one.

// Documentation is built from each module itself; re-exporting there would duplicate it.
#if !DOCUMENTATION
  @_exported public import ChatComposer
  @_exported public import ChatMessageList
  @_exported public import ChatRendering
  @_exported public import Verbatim

  @_exported public import struct Bindings.ValueBinding
#endif
