// What an app needs of the modules below: whoever imports this module has it.

// Their documentation is with each of them, and not here once more.
#if !DOCUMENTATION
  @_exported public import Chat
  @_exported public import struct ChatCodec.UnreadableEvent
  @_exported public import ChatComposer
  @_exported public import ChatMessageList
  @_exported public import ChatRendering
  @_exported public import ChatProjections
  @_exported public import EventLog
  @_exported public import Projections
#endif
