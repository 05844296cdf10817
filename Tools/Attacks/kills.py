# Attack six: the program is killed before one of its changes; then everything must still hold.

import json
import shutil
import signal
import struct

import faults
import samples
from program import complaints_of
from runner import Case

CALLS_MAX = 250


class Init(faults.Making):
    name = "init"

    def command(self):
        return ["init", self.path], b""


class Submit(faults.Target):
    name = "submit"

    def command(self):
        lines = []
        for number in range(4):
            intent = {"message": {"channel": self.samples.channel, "id": f"kept-{number}"}, "send": {"text": "Hello"}}
            lines.append(json.dumps({"id": samples.append_id(100 + number), "intents": [intent]}))
        return ["submit", self.path, "--as", samples.USER], ("\n".join(lines) + "\n").encode()

    def check(self, run):
        found = super().check(run)
        ids = [json.loads(line)["append"] for line in getattr(self, "after", [])]
        for number in range(4):
            if ids.count(samples.append_id(100 + number)) < 1:
                found.append(("lost", f"the submit {number}, which was repeated, is not in the log"))
        if len(set(ids[len(self.before):])) != 4:
            found.append(("retry", f"{len(set(ids[len(self.before):]))} appends follow after all were repeated, not 4"))
        return found


class Query(faults.Target):
    """A reading command, which folds the tables."""

    name = "query"

    def prepare(self):
        super().prepare()
        shutil.rmtree(self.path / "projections")
        shutil.rmtree(self.path / "index", ignore_errors=True)

    def command(self):
        return ["query", "messages", self.path, self.samples.channel, "--as", samples.USER], b""


class Verify(faults.Target):
    name = "verify"

    def command(self):
        return ["verify", self.path], b""


class Restore(faults.Making):
    name = "restore"

    def prepare(self):
        super().prepare()
        self.backup = self.folder / "backup"
        self.samples.must("backup", self.samples.chat, self.backup)

    def command(self):
        return ["restore", self.backup, self.path], b""


class Salvage(faults.Making):
    name = "log salvage"

    def prepare(self):
        self.path, self.before = self.folder / "log", []

    def command(self):
        return ["log", "salvage", self.samples.log, "--into", self.path], b""


class Mirror(faults.Making):
    name = "mirror"

    def command(self):
        return ["mirror", self.samples.chat, self.path, "--once"], b""


TARGETS = faults.TARGETS + [Init, Submit, Query, Verify, Restore, Salvage, Mirror]


def cases(all_samples, library, work, is_wanted):
    """For each command, a case for each call before which it is killed, or for some in equal distances."""
    for kind in TARGETS:
        if not is_wanted(f"kills:{kind.name}:"):
            continue
        count = faults.count_of_calls(kind, all_samples, library, work / "counting", "kill", {})
        chosen = min(count, CALLS_MAX)
        for number in sorted({1 + index * count // chosen for index in range(chosen)}):
            yield Case(f"kills:{kind.name}:{number}", kill(kind, all_samples, library, number), (kind.name, "kill"))


def kill(kind, all_samples, library, number):
    def body(folder):
        target = kind(all_samples, folder / "files")
        run = target.run(faults.environment_of(library, folder, "kill", {}, number))
        _, _, first = struct.unpack("II1024s", (folder / "counter").read_bytes()[:1032])
        found = [] if run.code == -signal.SIGKILL else complaints_of(run)
        call = first.split(b"\0")[0].decode(errors="replace")
        return found + target.check(run), f"killed before {call}" if call else "not killed"
    return body
