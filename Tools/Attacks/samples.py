# Sample logs and workspaces, made once and copied for each case.

import hashlib
import json
import os
import pathlib
import shutil

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SCRIPT = ROOT / "Fixtures" / "scenarios" / "composer" / "giphy.jsonl"
USER = "ada"
WORD = b"Pomegranate"


class Samples:
    """A log, a chat workspace with all kinds of files, what it exports, and what the log of each holds."""

    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        folder.mkdir()
        self.log, self.chat, self.export = folder / "log", folder / "chat", folder / "chat.jsonl"
        self.make_log(self.log, 6)
        self.must("generate", self.chat, "--seed", "1", "--messages", "30", "--users", "4", "--channels", "2")
        self.must("snapshot", self.chat)
        self.export.write_bytes(self.must("export", self.chat).output)
        self.add_blob(b"An attachment.\n" * 400)
        self.leave_compacting()
        self.erasable = folder / "erasable"
        self.must("generate", self.erasable, "--seed", "1", "--messages", "30", "--users", "4", "--erasable")
        self.channel = self.first_channel(self.chat)
        messages = json.loads(self.must(
            "query", "messages", self.chat, self.channel, "--as", USER, "--json").text.split("\n")[0])
        self.message = first_text(messages["messages"][0], "id", "message", "key")
        self.say_word()
        self.lines = {path: self.read(path) for path in (self.log, self.chat, self.erasable)}

    def say_word(self):
        """Sends a message with a word that is then in the tables, a snapshot and the keys of an erasable workspace."""
        channel = self.first_channel(self.erasable)
        intent = {"message": {"channel": channel, "id": "word"}, "send": {"text": WORD.decode()}}
        line = json.dumps({"id": append_id(200), "intents": [intent]})
        self.must("submit", self.erasable, "--as", USER, input=line.encode() + b"\n")
        self.must("query", "messages", self.erasable, channel, "--as", USER)
        self.must("snapshot", self.erasable)
        if not files_with(WORD, self.erasable):
            raise SystemExit("Tools/attack: the sample has no word to erase")

    def first_channel(self, path):
        channels = json.loads(self.must("query", "channels", path, "--as", USER, "--json").text.split("\n")[0])
        return first_text(channels["channels"][0], "id", "channel", "key")

    def must(self, *arguments, **options):
        run = self.program.run(*arguments, **options)
        if not run.works:
            raise SystemExit(f"Tools/attack: the sample is not made: {' '.join(run.arguments)}: {run.said}")
        return run

    def make_log(self, path, count):
        """Makes a log of so many events, each in a block of its own."""
        self.must("log", "append", path, "--create", input=append_lines(0, count))

    def read(self, path):
        """The lines of all events of a log, of which a copy is read."""
        copy = self.folder / "reading"
        shutil.copytree(path, copy)
        try:
            return self.must("log", "read", copy).output.splitlines()
        finally:
            shutil.rmtree(copy)

    def add_blob(self, content):
        name = hashlib.blake2b(content, digest_size=32).hexdigest()
        folder = self.chat / "blobs" / name[:2]
        folder.mkdir(parents=True, mode=0o700)
        (self.chat / "blobs").chmod(0o700)
        (folder / name).write_bytes(content)
        (folder / name).chmod(0o600)

    def leave_compacting(self):
        """Leaves what a process leaves that is killed while it compacts."""
        left = self.chat / "compacting" / "log"
        left.mkdir(parents=True, mode=0o700)
        left.parent.chmod(0o700)
        (left / "data.mdb").write_bytes((self.chat / "log" / "data.mdb").read_bytes()[:20000])
        (left / "data.mdb").chmod(0o600)


def append_lines(first, count):
    """Lines for `log append` that are committed one by one, each with an id."""
    lines = []
    for number in range(first, first + count):
        line = {
            "id": append_id(number), "stream": "a", "type": "noted", "payload": f"event {number} " + "x" * 300,
            "expect": [{"stream": "a", "version": number}],
        }
        lines.append(json.dumps(line))
    return ("\n".join(lines) + "\n").encode()


def append_id(number):
    return f"019b76da-a800-7000-8000-{number + 1:012x}"


def files_with(word, path):
    """The files below a directory that have a word, in capital or small letters."""
    return [
        str(file.relative_to(path)) for file in sorted(path.rglob("*"))
        if file.is_file() and word.lower() in file.read_bytes().lower()]


def first_text(value, *names):
    """The first of some members that is a text, or that of an object within."""
    for name in names:
        found = value.get(name)
        if isinstance(found, str):
            return found
        if isinstance(found, dict):
            return first_text(found, *names)
    raise SystemExit(f"Tools/attack: no id in {value}")


def copy_tree(source, target, owner=None):
    """Copies a directory with its modes; of another owner if told."""
    shutil.copytree(source, target, symlinks=True)
    if owner is not None:
        for folder, _, files in os.walk(target):
            os.chown(folder, owner, owner)
            for name in files:
                os.chown(os.path.join(folder, name), owner, owner, follow_symlinks=False)
