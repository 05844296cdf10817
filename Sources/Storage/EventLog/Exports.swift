// Re-exports of the type of times, which the signatures of this module name.
@_exported public import Timestamps
