# Attack five: limits of the process, for open files, the size of files and addresses; then everything must still hold.

import re
import signal

import faults
from program import DAMAGE, complaints_of
from runner import Case

# Numbers of open files; bytes of a file; MiB of addresses, of which a workspace maps three files of 1 GiB at least, and
# leaves half a GiB for threads.
FILES = range(4, 45)
BYTES = [1, 512, 4096, 8192, 12288, 20480, 32768, 49152, 65536, 98304, 131072, 262144]
ADDRESSES = [100, 200, 400, 800, 1200, 1600, 2000, 2400, 2800, 3000, 3200, 3400, 3600]
LIMITS = [("nofile", FILES, 1), ("fsize", BYTES, 1), ("as", ADDRESSES, 1 << 20)]
# Swift ends a program that gets no memory, and the loader one that gets no file.
NO_MEMORY = re.compile(r"failed to allocate|bad_alloc|error while loading shared", re.I)


def cases(all_samples):
    for kind in faults.TARGETS:
        for limit, values, unit in LIMITS:
            for value in values:
                body = limited(kind, all_samples, limit, value * unit)
                yield Case(f"limits:{kind.name}:{limit}:{value}", body, (kind.name, limit))


def limited(kind, all_samples, limit, value):
    """A case in which a command runs under a limit; what it leaves is looked at without one."""
    def body(folder):
        target = kind(all_samples, folder / "files")
        run = target.run({"TMPDIR": str(folder / "files" / "temporary")}, ["prlimit", f"--{limit}={value}:{value}"])
        if waits_for_threads(run, limit, value):
            return [], "waits"
        said = run.errors + run.text
        found = []
        if run.hung or not ended_by_system(run, limit):
            found += complaints_of(run)
            if DAMAGE.search(said):
                found.append(("limit called damage", run.said))
        return found + target.check(run), f"exit {run.code}"
    return body


def waits_for_threads(run, limit, value):
    """Whether Dispatch waits without end for the addresses of a thread, before a file is opened: nothing prevents it."""
    return run.hung and limit == "as" and value < 256 << 20


def ended_by_system(run, limit):
    """Whether the language, its libraries or the loader ended a program that reached a limit: no program prevents it."""
    if limit == "nofile" and run.code == -signal.SIGILL and not run.errors:
        # Dispatch, when it can have no descriptor to wait for events.
        return True
    if limit == "as" and run.code == -signal.SIGINT:
        # Dispatch waits for the memory of a thread, until the key that is typed ends the program.
        return True
    if limit == "as" and run.code == -signal.SIGSEGV and not run.errors:
        # Swift, when it gets no memory for the message that it got none.
        return True
    return limit != "fsize" and NO_MEMORY.search(run.errors + run.text) is not None
