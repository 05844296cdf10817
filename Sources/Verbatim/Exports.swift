// What an app needs of the modules below: whoever imports this module has it.
@_exported public import Chat
@_exported public import struct ChatCodec.UnreadableEvent
@_exported public import ChatViews
@_exported public import EventLog
@_exported public import Views
