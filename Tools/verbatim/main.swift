// The command `verbatim`, which is implemented in the module VerbatimCommand.
import VerbatimCommand

Invocation.main()
