# Attack two: each path of a directory becomes a trap; nothing outside may change, nothing may hang or crash.

import hashlib
import os
import re
import shutil
import socket
import stat

import samples
from program import DAMAGE, DENIED, NO_SPACE, complaints_of
from runner import Case

# Bytes that are free on a disk that is nearly full.
FREE = [0, 4096, 16384, 65536, 262144]
NOBODY = 65534
AS_NOBODY = ["setpriv", "--reuid", str(NOBODY), "--regid", str(NOBODY), "--clear-groups"]
KINDS = [
    "link to a directory", "link to a file", "link to a twin", "dangling link", "fifo", "device", "socket",
    "other kind", "unreadable",
]
CAUSE = re.compile(
    r"link|FIFO|pipe|device|socket|director|regular|special|not a file|already|there is (no|something)|"
    r"belongs to|no such|not found|cannot be|too many levels", re.I)
# Paths that a command makes, looks for or removes, and that a workspace at rest does not have.
ABSENT = [
    "index/beginning", "index/dirty", "projections/{views}/beginning", "projections/{views}/dirty", "projections/past/1",
    "projections/past/1/data.mdb", "projections/past/2", "projections/checkpoints", "compacting", "compacting/log",
    "compacting/log/data.mdb", "projections/snapshots/{views}/making", "projections/snapshots/{views}/999", "blobs/unfinished",
    "blobs/00", "incoming", "incoming/log", "incoming/log/data.mdb", "log/data.mdb-new",
]
SENTINELS = ["data.mdb", "lock.mdb", "gate", "holders", "writer", "dirty", "complete", "note", "1/data.mdb", "log/note"]


class Place:
    """What the commands of a case work with."""

    def __init__(self, all_samples, path, folder, owner):
        self.samples, self.path, self.folder, self.made = all_samples, path, folder, folder / "made"
        self.owner = owner

    def other(self):
        """Another workspace with the same log."""
        if not (self.made / "other").exists():
            samples.copy_tree(self.samples.chat, self.made / "other", self.owner)
        return self.made / "other"


def question(*words):
    return lambda place: [*words, place.path, "--as", samples.USER]


def at(*words):
    return lambda place: [*words, place.path]


def to(*words):
    return lambda place: [*words, place.path, place.made / "new"]


# Each command: its name, its arguments, and whether it is one that only reads.
SHARED = [
    ("log read", at("log", "read"), True), ("log stats", at("log", "stats"), True),
    ("log verify", at("log", "verify"), True), ("log tail", at("log", "tail"), True),
    ("log salvage", at("log", "salvage"), True),
    ("log salvage --into", lambda place: ["log", "salvage", place.path, "--into", place.made / "new"], True),
    ("log backup", to("log", "backup"), True), ("log append", at("log", "append"), False),
    ("compact", at("compact"), False), ("readers", at("readers"), True),
]
COMMANDS = SHARED + [
    ("status", at("status"), True),
    ("show", lambda place: ["show", place.path, place.samples.channel, "--as", samples.USER], True),
    ("query channels", question("query", "channels"), True),
    ("query messages", lambda place: [
        "query", "messages", place.path, place.samples.channel, "--as", samples.USER], True),
    ("query at", lambda place: [
        "query", "messages", place.path, place.samples.channel, "--as", samples.USER, "--at", "150"], True),
    ("events", at("events"), True), ("event", lambda place: ["event", place.path, "5"], True),
    ("biography", lambda place: [
        "biography", place.path, f"{place.samples.channel}/{place.samples.message}", "--as", samples.USER], True),
    ("tail", at("tail"), True), ("replay", at("replay"), True), ("verify", at("verify"), True),
    ("snapshot", at("snapshot"), False), ("snapshot --check", at("snapshot", "--check"), True),
    ("rebuild", at("rebuild"), False), ("backup", to("backup"), True), ("restore", to("restore"), True),
    ("export", at("export"), True), ("diff", lambda place: ["diff", place.path, place.other()], True),
    ("diff past", lambda place: ["diff", f"{place.path}@5", f"{place.path}@9"], True),
    ("init", at("init"), False), ("generate", at("generate"), False),
    ("run", lambda place: ["run", "--into", place.path, samples.SCRIPT], False),
    ("import", lambda place: ["import", place.path, place.samples.export], False),
    ("compose", lambda place: [
        "compose", place.path, "--as", samples.USER, "--channel", place.samples.channel], False),
]


def run(name, arguments, place, prefix=()):
    if name == "compose":
        typed = [(b"Write in", b"hello"), (b"hello", b"\r"), (b": hello", b"\x03"), (None, b"\x03")]
        return place.samples.program.run_in_terminal(*arguments(place), typed=typed, prefix=prefix)
    input = samples.append_lines(6, 2) if name == "log append" else b""
    return place.samples.program.run(
        *arguments(place), input=input, prefix=prefix, environment={"TMPDIR": str(place.folder / "temporary")})


def cases(all_samples):
    """A case for each path, each kind of trap and each command; then the read-only directories."""
    codes = {}
    for base, commands in [(all_samples.chat, COMMANDS), (all_samples.log, SHARED)]:
        for relative in [*entries(base), *absent(base)]:
            for kind in KINDS:
                if kind in ("link to a twin", "unreadable", "other kind") and not (base / relative).exists():
                    continue
                for name, arguments, _ in commands:
                    body = trap(all_samples, base, relative, kind, name, arguments, codes)
                    yield Case(f"paths:{base.name}:{relative}:{kind}:{name}", body, ("paths", base.name, kind))
        for way in ["bind", "tmpfs", "mode"] if os.geteuid() == 0 else ["mode"]:
            for content in ["whole", "log alone"]:
                for name, arguments, reads in commands:
                    if reads:
                        body = read_only(all_samples, base, way, content, name, arguments, codes)
                        yield Case(f"read-only:{base.name}:{way}:{content}:{name}", body, ("read-only", way))
        for free in FREE if os.geteuid() == 0 else []:
            for content in ["whole", "log alone"]:
                for name, arguments, reads in commands:
                    if reads:
                        body = full(all_samples, base, free, content, name, arguments, codes)
                        yield Case(f"full:{base.name}:{free} free:{content}:{name}", body, ("full", f"{free} free"))


def entries(base):
    return sorted(str(path.relative_to(base)) for path in base.rglob("*"))


def absent(base):
    views = sorted(path.name for path in (base / "projections").glob("*") if len(path.name) == 32)
    names = {name.format(views=view) for name in ABSENT for view in views or [""] if views or "{" not in name}
    return sorted(name for name in names if not (base / name).exists())


def trap(all_samples, base, relative, kind, name, arguments, codes):
    """A case in which a path of a fresh copy becomes something else before a command is run."""
    def body(folder):
        is_nobody = kind == "unreadable" and os.geteuid() == 0
        place = ready(all_samples, base, folder, NOBODY if is_nobody else None)
        outside = make_outside(folder, place.path / relative)
        if not set_trap(place.path / relative, kind, outside):
            return [], "not possible here"
        before = look(outside)
        done = run(name, arguments, place, AS_NOBODY if is_nobody else ())
        found = complaints_of(done)
        if (after := look(outside)) != before:
            found.append(("outside", f"outside changed: {difference(before, after)}"))
        if done.code not in (0, usual_code(all_samples, base, name, arguments, folder, codes)):
            found += wrong_cause(done, relative, kind)
        return found, f"exit {done.code}"
    return body


def wrong_cause(done, relative, kind):
    said = done.errors + done.text
    if kind == "unreadable":
        if DAMAGE.search(said):
            return [("permission called damage", done.said)]
        if done.code != 3 or not DENIED.search(said):
            return [("cause", done.said)]
        return []
    if relative.split("/")[-1] in said or CAUSE.search(said):
        return []
    return [("cause", done.said)]


def ready(all_samples, base, folder, owner=None):
    """Copies a sample into a case's folder, with a place for what is made and one for temporary files."""
    place = Place(all_samples, folder / base.name, folder, owner)
    samples.copy_tree(base, place.path, owner)
    for path in (place.made, folder / "temporary"):
        path.mkdir()
        if owner is not None:
            os.chown(path, owner, owner)
    return place


def usual_code(all_samples, base, name, arguments, folder, codes):
    """With what code a command ends where nothing is wrong."""
    key = (base.name, name)
    if key not in codes:
        usual = folder / "usual"
        usual.mkdir(mode=0o711)
        codes[key] = run(name, arguments, ready(all_samples, base, usual)).code
    return codes[key]


# MARK: What is outside

def make_outside(folder, original):
    outside = folder / "outside"
    for name in SENTINELS:
        path = outside / "directory" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"This is {name}, and nobody else's.\n" * 50)
    (outside / "file").write_text("A file that belongs to somebody else.\n" * 50)
    if original.is_dir():
        shutil.copytree(original, outside / "twin")
    elif original.exists():
        shutil.copy(original, outside / "twin")
    for path in [*outside.rglob("*"), outside]:
        path.chmod(0o750 if path.is_dir() else 0o640)
        os.utime(path, (1_000_000_000, 1_000_000_000))
    return outside


def look(outside):
    """What is outside: of each path its kind, mode, owner, links, size, time and content."""
    found = {}
    for path in [outside, *outside.rglob("*")]:
        status = path.lstat()
        content = hashlib.sha256(path.read_bytes()).hexdigest() if stat.S_ISREG(status.st_mode) else ""
        size = status.st_size if content else 0
        found[str(path.relative_to(outside))] = (
            status.st_ino, oct(status.st_mode), status.st_uid, status.st_nlink, size, status.st_mtime_ns, content)
    return found


def difference(before, after):
    names = sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))
    return ", ".join(
        f"{name} {'is gone' if name not in after else 'is new' if name not in before else 'is not as it was'}"
        for name in names)


# MARK: Traps

def set_trap(path, kind, outside):
    """Puts a trap in the place of a path; answers whether this system lets it."""
    if kind == "unreadable":
        path.chmod(0)
        return True
    is_directory = path.is_dir()
    if is_directory:
        shutil.rmtree(path)
    elif path.exists():
        path.unlink()
    path.parent.mkdir(parents=True, exist_ok=True)
    if kind == "link to a directory":
        path.symlink_to(outside / "directory")
    elif kind == "link to a file":
        path.symlink_to(outside / "file")
    elif kind == "link to a twin":
        path.symlink_to(outside / "twin")
    elif kind == "dangling link":
        path.symlink_to(outside / "nothing")
    elif kind == "fifo":
        os.mkfifo(path, 0o600)
    elif kind == "device":
        return set_device(path)
    elif kind == "socket":
        return set_socket(path)
    elif is_directory:
        path.write_text("A file in the place of a directory.\n")
    else:
        path.mkdir(mode=0o700)
        (path / "note").write_text("A directory in the place of a file.\n")
    return True


def set_device(path):
    try:
        os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, 5))
    except PermissionError:
        path.symlink_to("/dev/zero")
    return True


def set_socket(path):
    # The path of a socket is short: it is made elsewhere and moved.
    short = f"/tmp/verbatim-{os.getpid()}-{hash(str(path)) & 0xFFFFFF:x}"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(short)
    try:
        os.rename(short, path)
    except OSError:
        os.unlink(short)
        return False
    return True


# MARK: Read-only directories

BIND = 'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && shift 2 && exec "$@"'
TMPFS = """
mv "$1" "$1.was" && mkdir "$1" && mount -t tmpfs attacked "$1" && cp -a "$1.was/." "$1/" &&
mount -o remount,ro "$1" && shift 2 && exec "$@"
"""


def leave_log(path):
    """Removes everything but the file of the log."""
    for path in [*path.iterdir(), path / "log" / "lock.mdb"]:
        if path.name != "log":
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def full(all_samples, base, free, content, name, arguments, codes):
    """A case in which a command reads on a disk that is full but for some bytes, and again when there is room."""
    def body(folder):
        place = ready(all_samples, base, folder)
        if content == "log alone":
            leave_log(place.path)
        script = FULL + ('"$@" >"$again" 2>&1\n' 'echo $? >>"$again"\n' "exit $code\n")
        again = folder / "again"
        prefix = ["unshare", "-m", "--propagation", "private", "sh", "-c", script, "sh", place.path, str(free), again]
        done = run(name, arguments, place, prefix)
        found = complaints_of(done)
        said = done.errors + done.text
        usual = usual_code(all_samples, base, name, arguments, folder, codes)
        if done.code != usual and DAMAGE.search(said):
            found.append(("no space called damage", done.said))
        elif done.code != usual and not NO_SPACE.search(said):
            found.append(("cause", f"a full disk is not named: {done.said}"))
        # With room, the command does what it always does; but what it was to make is there if it did so before.
        text = again.read_text(errors="replace")
        if int(text.split()[-1]) != usual and not (done.works and (place.made / "new").exists()):
            found.append(("again", f"with room: {text[-300:]}"))
        return found, f"exit {done.code}"
    return body


FULL = """
mv "$1" "$1.was" && mkdir "$1" && mount -t tmpfs -o size=64m attacked "$1" && cp -a "$1.was/." "$1/" || exit 99
filler=$1/filler
dd if=/dev/zero of="$filler" bs=65536 status=none 2>/dev/null
truncate -s $(($(stat -c %s "$filler") - $2)) "$filler"
again=$3
shift 3
"$@"
code=$?
rm "$filler"
"""


def read_only(all_samples, base, way, content, name, arguments, codes):
    """A case in which a command reads where nothing can be written."""
    def body(folder):
        is_nobody = way == "mode" and os.geteuid() == 0
        place = ready(all_samples, base, folder, NOBODY if is_nobody else None)
        if content == "log alone":
            leave_log(place.path)
        prefix = AS_NOBODY if is_nobody else ()
        if way == "mode":
            for path in [*place.path.rglob("*"), place.path]:
                path.chmod(0o500 if path.is_dir() else 0o400)
        else:
            script = BIND if way == "bind" else TMPFS
            prefix = ["unshare", "-m", "--propagation", "private", "sh", "-c", script, "sh", place.path, "run"]
        before = look(place.path) if way != "tmpfs" else None
        done = run(name, arguments, place, prefix)
        found = complaints_of(done)
        if name == "readers":
            # LMDB lists readers in a file that must be written: the answer is that it is not known.
            if done.code != 3 or "is not known" not in done.errors or DAMAGE.search(done.errors):
                found.append(("read-only", done.said))
        elif done.code != usual_code(all_samples, base, name, arguments, folder, codes):
            found.append(("read-only", done.said))
        if before is not None and look(place.path) != before:
            found.append(("outside", f"something was written: {difference(before, look(place.path))}"))
        return found, f"exit {done.code}"
    return body
