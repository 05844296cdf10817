// Re-exports of the modules and declarations that an app uses together with this module: those that its signatures
// name, and those that an app's own projection needs.

// Documentation is built from each module itself; re-exporting there would duplicate it.
#if !DOCUMENTATION
  @_exported public import Chat
  @_exported public import ChatProjections
  @_exported public import EventLog
  @_exported public import Projections

  @_exported public import struct ChatCodec.EventDecoder
  @_exported public import struct ChatCodec.UnreadableEvent
  @_exported public import func ChatCodec.decode
  @_exported public import func ChatCodec.encode

  @_exported public import enum ContentKeys.KeyError
  @_exported public import enum ContentKeys.KeyHolder
  @_exported public import enum ContentKeys.MasterKey
  @_exported public import struct ContentKeys.Erasure

  @_exported public import struct Digests.PublicKey
  @_exported public import struct Digests.SecretKey
  @_exported public import class Digests.SigningKey

  @_exported public import struct Bytes.ByteWriter
  @_exported public import protocol Bytes.TableKey
  @_exported public import protocol Tables.BinaryRow
  @_exported public import class Tables.LiveTable
  @_exported public import enum Tables.RowOrder
  @_exported public import enum Tables.TablesError
#endif
