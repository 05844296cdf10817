# Attack three: each bit of LMDB's two meta pages is flipped; `log verify` must notice when events are gone by it.

import os
import random
import shutil

from program import complaints_of
from runner import Case
from samples import append_lines

PAGE = 4096
# A page's header and the meta that follows it; the rest of the page is not read by anything, and sampled.
USED = 152
COUNTS = [1, 2, 3, 4, 7, 12]


def cases(all_samples):
    """A case for each byte of the meta pages of some small logs."""
    for count in COUNTS:
        path = all_samples.folder / f"log-{count}"
        all_samples.make_log(path, count)
        for page in range(2):
            unused = random.Random(count + page).sample(range(USED, PAGE), 16)
            for place in [*range(USED), *sorted(unused)]:
                name = f"metas:{count} events:page {page}:byte {place}"
                yield Case(name, flip(all_samples, path, page * PAGE + place, count), ("metas", f"{count} events"))
    for size in [0, 1, 120, 4096, 8191, 8192, 12288]:
        for command, arguments in CREATING:
            body = begin_again(all_samples, size, arguments)
            yield Case(f"metas:{size} zero bytes:{command}", body, ("metas", "never a log"))


# Commands that make a log where there is none, also where an earlier attempt left a file without content.
CREATING = [
    ("init", lambda path: (["init", path], b"")),
    ("log append", lambda path: (["log", "append", path, "--create"], append_lines(0, 2))),
]


def begin_again(all_samples, size, arguments):
    """A case in which a power cut left zeros where the first pages of a log were to be."""
    def body(folder):
        path = folder / "new"
        (path / "log").mkdir(parents=True, mode=0o700)
        path.chmod(0o700)
        (path / "log" / "data.mdb").write_bytes(bytes(size))
        (path / "log" / "data.mdb").chmod(0o600)
        words, input = arguments(path)
        run = all_samples.program.run(*words, input=input)
        found = complaints_of(run)
        if not run.works:
            found.append(("never a log", run.said))
        return found, ""
    return body


def flip(all_samples, source, place, count):
    """A case that flips each bit of a byte of a log's file, copied alone, without index and locks."""
    def body(folder):
        found, held = [], 0
        content = (source / "log" / "data.mdb").read_bytes()
        for bit in range(8):
            path = folder / f"bit-{bit}"
            (path / "log").mkdir(parents=True, mode=0o700)
            path.chmod(0o700)
            data = path / "log" / "data.mdb"
            flipped = bytearray(content)
            flipped[place] ^= 1 << bit
            data.write_bytes(flipped)
            data.chmod(0o600)
            verified = all_samples.program.run("log", "verify", path)
            found += named(bit, complaints_of(verified))
            held += verified.works
            if data.read_bytes() != bytes(flipped) or os.listdir(path) != ["log"]:
                found.append(("changed", f"bit {bit}: log verify changed something"))
            read = all_samples.program.run("log", "read", path)
            found += named(bit, complaints_of(read))
            events = len(read.output.splitlines())
            if verified.works and (not read.works or events != count):
                found.append(("holds", f"bit {bit}: log verify holds, log read has {events} of {count} events"))
            elif read.works and events < count:
                found.append(("hidden", f"bit {bit}: log read ends well with {events} of {count} events"))
            shutil.rmtree(path)
        return found, f"{held} of 8 flips hold"
    return body


def named(bit, found):
    return [(kind, f"bit {bit}: {text}") for kind, text in found]
