# Attack one: the n-th system call on the attacked files fails, or the disk is full; then everything must still hold.

import base64
import json
import os
import re
import shutil
import struct

import samples
from program import DAMAGE, NO_SPACE, complaints_of
from runner import Case

CALLS_MAX = 60
# A name, the error, and what else the library reads.
MODES = [
    ("EIO", "EIO", {}), ("ENOSPC", "ENOSPC", {}), ("short", "short", {}),
    ("EIO-sticky", "EIO", {"ATTACK_STICKY": "1"}), ("ENOSPC-sticky", "ENOSPC", {"ATTACK_STICKY": "1"}),
    ("short-sticky", "short", {"ATTACK_STICKY": "1"}),
    ("EIO-meta", "EIO", {"ATTACK_META": "1"}), ("ENOSPC-meta", "ENOSPC", {"ATTACK_META": "1"}),
    ("short-meta", "short", {"ATTACK_META": "1"}),
    # A quota that is used up, and a disk that the system makes read-only after an error.
    ("EDQUOT-sticky", "EDQUOT", {"ATTACK_STICKY": "1"}), ("EROFS-sticky", "EROFS", {"ATTACK_STICKY": "1"}),
]
# Bytes that are free on a disk that is nearly full.
FREE = [0, 4096, 8192, 16384, 32768, 65536, 131072, 262144, 524288]
SAID = b"a word from the terminal"


class Target:
    """A command under attack: what it works on, and what must be so after it failed."""

    # The sample that is attacked: an attribute of the samples.
    sample = "chat"

    def __init__(self, all_samples, folder):
        self.samples, self.program, self.folder = all_samples, all_samples.program, folder
        (folder / "temporary").mkdir(parents=True)
        self.prepare()

    def prepare(self):
        sample = getattr(self.samples, self.sample)
        self.path = self.folder / ("log" if self.sample == "log" else "chat")
        samples.copy_tree(sample, self.path)
        self.before = self.samples.lines[sample]

    def run(self, environment={}, prefix=()):
        arguments, input = self.command()
        return self.program.run(*arguments, input=input, environment=environment, prefix=prefix)

    def check(self, run):
        """What does not hold after a run that may have failed, without a fault."""
        found = self.check_log(self.path, self.before)
        again = self.run()
        found += complaints_of(again)
        if not again.works:
            found.append(("retry", f"again: {again.said}"))
        return found + self.check_log(self.path, self.before)

    def check_log(self, path, before):
        """Whether a log or workspace holds and begins with some events."""
        found = []
        verified = self.program.run("log", "verify", path)
        found += complaints_of(verified)
        if b"opening the log completes it" in verified.output:
            # The meta page of the last commit could not be written: whatever opens the log puts it in force.
            self.program.run("log", "stats", path)
            verified = self.program.run("log", "verify", path)
        if b"Its index differs and is derived from it: delete" in verified.output:
            # A write into the index was cut short: what is advised must mend it.
            shutil.rmtree(path / "index")
            verified = self.program.run("log", "verify", path)
        if not verified.works:
            found.append(("log verify", verified.said))
        read = self.program.run("log", "read", path)
        found += complaints_of(read)
        if not read.works:
            return found + [("unopened", read.said)]
        self.after = read.output.splitlines()
        if self.after[:len(before)] != before:
            found.append(("lost", f"{len(self.after)} events, and not the {len(before)} of before at the beginning"))
        found += open_modes(path)
        if path.name == "log":
            return found
        if "rebuilds them from the log" in self.program.run("status", path).errors:
            # A write into tables was cut short: what is advised must mend it.
            rebuilt = self.program.run("rebuild", path)
            if not rebuilt.works:
                found.append(("rebuild", rebuilt.said))
        for command in ("status", "verify"):
            run = self.program.run(command, path)
            found += complaints_of(run)
            if not run.works:
                found.append((command, run.said))
        return found


def open_modes(path):
    """What below a log or workspace others than its owner may read or write."""
    names = [str(file.relative_to(path)) for file in [path, *path.rglob("*")] if file.lstat().st_mode & 0o077]
    return [("mode", f"others may use {', '.join(sorted(names)[:5])}")] if names else []


class Append(Target):
    name = "log append"
    sample = "log"

    def command(self):
        return ["log", "append", self.path], samples.append_lines(len(self.before), 4)

    def check(self, run):
        found = self.check_log(self.path, self.before)
        receipts = [json.loads(line) for line in run.output.splitlines()]
        appends = [json.loads(line)["append"] for line in getattr(self, "after", [])]
        for receipt in receipts:
            position = receipt["positions"][0]
            if appends[position - 1:position] != [receipt["id"]]:
                found.append(("lost", f"the acknowledged event {position} is not in the log"))
        denied = re.search(r"Line (\d+): .*nothing was appended", run.errors)
        if denied and samples.append_id(len(self.before) + int(denied[1]) - 1) in appends:
            found.append(("untrue", f"the append is in the log all the same: {run.said}"))
        again = self.run()
        found += complaints_of(again)
        if not again.works:
            return found + [("retry", f"again: {again.said}")]
        if again.output.splitlines()[:len(receipts)] != run.output.splitlines():
            found.append(("retry", "an append that was acknowledged is answered in another way when it is repeated"))
        found += self.check_log(self.path, self.before)
        ids = [json.loads(line)["append"] for line in getattr(self, "after", [])]
        if ids != [samples.append_id(number) for number in range(len(self.before) + 4)]:
            found.append(("retry", f"the log holds {len(ids)} events after the appends were repeated, not one of each"))
        return found


class Making(Target):
    """A command that makes a directory."""

    def prepare(self):
        self.path = self.folder / "new"
        self.before = []

    def is_made(self):
        return self.path.is_dir() and any(self.path.iterdir())

    def check(self, run):
        found, there = [], self.is_made()
        if run.works or (self.path / "log" / "data.mdb").exists():
            held = self.check_log(self.path, [])
            again = self.run()
            if run.works:
                return held
            # What never became a log is no damage, and can be made again where the command takes what is there.
            if again.works:
                return found + self.after_retry(again)
            held += [("retry", f"again: {again.said}")]
            return found + [complaint for complaint in held if DAMAGE.search(complaint[1])]
        again = self.run()
        found += complaints_of(again)
        if again.works:
            return found + self.after_retry(again)
        if not there or DAMAGE.search(again.errors):
            found.append(("retry", f"again: {again.said}"))
        return found

    def after_retry(self, again):
        return self.check_log(self.path, [])


class Generate(Making):
    name = "generate"

    def command(self):
        return ["generate", self.path, "--seed", "3", "--messages", "8", "--users", "3", "--channels", "1"], b""


class Play(Making):
    name = "run"

    def command(self):
        return ["run", "--into", self.path, samples.SCRIPT], b""


class Import(Making):
    name = "import"

    def command(self):
        return ["import", self.path], self.samples.export.read_bytes()

    def check(self, run):
        found = super().check(run)
        if not run.works and (self.path / "log").exists():
            more = self.program.run("import", self.path, self.samples.export, "--resume")
            if not more.works and not DAMAGE.search(more.errors) and "holds all" in more.errors:
                return found
            read = self.program.run("log", "read", self.path)
            if read.output.splitlines() != self.samples.lines[self.samples.chat]:
                found.append(("retry", f"--resume: {more.said}"))
        return found


class Backup(Target):
    name = "backup"

    def command(self):
        return ["backup", self.path, self.folder / "copy"], b""

    def check(self, run):
        copy = self.folder / "copy"
        found = self.check_log(self.path, self.before)
        if run.works or (copy / "log" / "data.mdb").exists():
            found += self.check_log(copy, self.before)
        if not run.works:
            again = self.run()
            found += complaints_of(again)
            if not again.works and (not copy.exists() or DAMAGE.search(again.errors)):
                found.append(("retry", f"again: {again.said}"))
        return found


class Compact(Target):
    name = "compact"

    def command(self):
        return ["compact", self.path], b""


class Rebuild(Target):
    name = "rebuild"

    def command(self):
        return ["rebuild", self.path], b""


class Snapshot(Target):
    name = "snapshot"

    def prepare(self):
        super().prepare()
        shutil.rmtree(self.path / "projections" / "snapshots")

    def command(self):
        return ["snapshot", self.path], b""


class Erase(Target):
    name = "erase"
    sample = "erasable"

    def command(self):
        return ["erase", self.path, samples.USER, "--yes"], b""

    def check(self, run):
        found = self.check_log(self.path, self.before)
        is_requested = len(getattr(self, "after", [])) > len(self.before)
        again = self.program.run("erase", self.path, "--resume") if is_requested else self.run()
        found += complaints_of(again)
        if not again.works:
            found.append(("retry", f"again: {again.said}"))
        for name in samples.files_with(samples.WORD, self.path):
            found.append(("not erased", f"{name} has the word that was erased"))
        if "erasureCompleted" not in str(self.program.run("log", "read", self.path).output):
            found.append(("not erased", "the erasure is not completed"))
        return found + self.check_log(self.path, self.before)


class RotateKey(Target):
    name = "rotate-key"
    sample = "erasable"

    def command(self):
        return ["rotate-key", self.path, "--content"], b""

    def check(self, run):
        found = super().check(run)
        if samples.WORD not in self.program.run("events", self.path, "--json").output:
            found.append(("unreadable", "the word from before the keys were replaced is not read"))
        return found


class Compose(Target):
    name = "compose"

    def command(self):
        return ["compose", self.path, "--as", samples.USER, "--channel", self.samples.channel], b""

    def run(self, environment={}, prefix=()):
        typed = [(b"Write in", SAID), (SAID, b"\r"), (b": " + SAID, b"\x03"), (None, b"\x03")]
        return self.program.run_in_terminal(
            *self.command()[0], typed=typed, environment=environment, prefix=prefix)

    def check(self, run):
        found = super().check(run)
        if not any(SAID in payload_of(line) for line in getattr(self, "after", [])):
            found.append(("lost", "what was typed and sent, again without a fault, is not in the log"))
        return found


def payload_of(line):
    event = json.loads(line)
    return base64.b64decode(event["payload64"]) if "payload64" in event else event["payload"].encode()


TARGETS = [Append, Play, Generate, Compose, Backup, Compact, Rebuild, Snapshot, Import, Erase, RotateKey]


def cases(all_samples, library, work, is_wanted):
    """One case for each command, error and number of the call; then one for each amount of free space."""
    for kind in TARGETS:
        for mode, error, more in MODES:
            names = [f"faults:{kind.name}:{mode}:{number}" for number in range(1, CALLS_MAX + 1)]
            if not any(map(is_wanted, names)):
                continue
            count = count_of_calls(kind, all_samples, library, work / "counting", error, more)
            for number, name in enumerate(names[:count], 1):
                yield Case(name, attack(kind, all_samples, library, error, more, number), (kind.name, mode))
        if os.geteuid() == 0:
            for free in FREE:
                yield Case(f"faults:{kind.name}:full:{free}", fill(kind, all_samples, free), (kind.name, "full"))


def quick_cases(all_samples, library, chance):
    """Two cases for each command: an error in a call by chance, and a full disk."""
    for kind in TARGETS:
        for mode, error, more in chance.sample(MODES, 1):
            body = attack_somewhere(kind, all_samples, library, error, more, chance.random())
            yield Case(f"faults:{kind.name}:{mode}:by chance", body, (kind.name, mode))
        if os.geteuid() == 0:
            free = chance.choice(FREE)
            yield Case(f"faults:{kind.name}:full:{free}", fill(kind, all_samples, free), (kind.name, "full"))


def attack_somewhere(kind, all_samples, library, error, more, part):
    """A case that counts the calls first, and then lets the one fail at a part of them."""
    def body(folder):
        count = min(CALLS_MAX, count_of_calls(kind, all_samples, library, folder / "counting", error, more))
        number = 1 + int(part * count)
        found, note = attack(kind, all_samples, library, error, more, number)(folder)
        return found, f"call {number}: {note}"
    return body


def environment_of(library, folder, error, more, number):
    counter = folder / "counter"
    counter.write_bytes(bytes(4096))
    return {
        "LD_PRELOAD": str(library), "ATTACK_BELOW": str(folder / "files"), "ATTACK_ERROR": error,
        "ATTACK_CALL": str(number), "ATTACK_COUNTER": str(counter),
        "TMPDIR": str(folder / "files" / "temporary"), **more,
    }


def count_of_calls(kind, all_samples, library, folder, error, more):
    try:
        target = kind(all_samples, folder / "files")
        target.run(environment_of(library, folder, error, more, 0))
        return struct.unpack("I", (folder / "counter").read_bytes()[:4])[0]
    finally:
        shutil.rmtree(folder)


def attack(kind, all_samples, library, error, more, number):
    def body(folder):
        target = kind(all_samples, folder / "files")
        run = target.run(environment_of(library, folder, error, more, number))
        _, failed, first = struct.unpack("II1024s", (folder / "counter").read_bytes()[:1032])
        found = complaints_of(run)
        if failed and DAMAGE.search(run.errors + run.text) and error != "EIO":
            found.append(("no space called damage", run.said))
        found += target.check(run)
        call = first.split(b"\0")[0].decode(errors="replace")
        return found, f"{failed} failed, first {call}" if failed else "no call failed"
    return body


FULL = """
mount -t tmpfs -o size=64m attacked "$1" && cp -a "$2/." "$1/" || exit 99
dd if=/dev/zero of="$1/filler" bs=65536 status=none 2>/dev/null
size=$(stat -c %s "$1/filler")
truncate -s $((size - $3)) "$1/filler"
files=$1 result=$4
shift 4
"$@"
code=$?
rm "$files/filler"
cp -a "$files/." "$result/" || exit 99
exit $code
"""


def fill(kind, all_samples, free):
    """A case in which the command runs where so many bytes are free; what it leaves is looked at elsewhere."""
    def body(folder):
        target = kind(all_samples, folder / "files")
        mount, result = folder / "files", folder / "result"
        before = folder / "before"
        mount.rename(before)
        mount.mkdir()
        result.mkdir()
        prefix = [
            "unshare", "-m", "--propagation", "private", "sh", "-c", FULL, "sh", mount, before, str(free), result]
        run = target.run({"TMPDIR": "/tmp"}, prefix)
        shutil.rmtree(mount)
        result.rename(mount)
        found = complaints_of(run)
        if DAMAGE.search(run.errors + run.text):
            found.append(("no space called damage", run.said))
        elif run.code not in (0, 3) or (run.code == 3 and not NO_SPACE.search(run.errors + run.text)):
            found.append(("cause", f"a full disk is not named: {run.said}"))
        return found + target.check(run), "run " + ("worked" if run.works else "failed")
    return body
