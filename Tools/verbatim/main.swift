// The command `verbatim`; all that it does lies in the module VerbatimCommand.
import VerbatimCommand

Invocation.main()
