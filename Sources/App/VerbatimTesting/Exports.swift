// Re-export of the module that these tests are for.

#if !DOCUMENTATION
  @_exported public import Verbatim
#endif
