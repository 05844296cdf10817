# Attack four: the files of a log are moved, removed or replaced, as a restore does, while a process has them open.

import json
import os
import select
import shutil
import subprocess
import time

import samples
from program import TIMEOUT, Run, complaints_of, kill
from runner import Case


def rename_directory(path, copy):
    path.rename(path.with_name("moved"))


def remove_directory(path, copy):
    shutil.rmtree(path)


def replace_directory(path, copy):
    rename_directory(path, copy)
    copy.rename(path)


def replace_log(path, copy):
    (path / "log").rename(path / "was")
    (copy / "log").rename(path / "log")


def replace_file(path, copy):
    os.rename(copy / "log" / "data.mdb", path / "log" / "data.mdb")


def remove_file(path, copy):
    (path / "log" / "data.mdb").unlink()


WAYS = [rename_directory, remove_directory, replace_directory, replace_log, replace_file, remove_file]


def cases(all_samples):
    for way in WAYS:
        name = way.__name__.replace("_", " ")
        yield Case(f"replaced:{name}:log append", appending(all_samples, way), ("replaced", "log append"))
        if way in (replace_directory, replace_log, replace_file):
            yield Case(f"replaced:{name}:log tail", following(all_samples, way), ("replaced", "log tail"))


class Opened:
    """A running command with its pipes; it is ended at the latest when it is left."""

    def __init__(self, program, *arguments):
        self.arguments = list(map(str, arguments))
        self.process = subprocess.Popen(
            [program.path, *self.arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env=program.environment, start_new_session=True)
        os.set_blocking(self.process.stdout.fileno(), False)
        self.read = b""

    def send(self, line):
        try:
            self.process.stdin.write(line + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass

    def lines(self, count, seconds=TIMEOUT):
        """The lines so far, when there are so many, or the process has ended or is silent."""
        end = time.monotonic() + seconds
        while self.read.count(b"\n") < count and time.monotonic() < end:
            if select.select([self.process.stdout], [], [], 0.1)[0]:
                piece = self.process.stdout.read()
                if not piece:
                    break
                self.read += piece
        return self.read.splitlines()

    def end(self):
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        hung = False
        try:
            self.process.wait(TIMEOUT)
        except subprocess.TimeoutExpired:
            hung = True
            kill(self.process)
            self.process.wait()
        self.read += self.process.stdout.read() or b""
        return Run(self.arguments, self.process.returncode, self.read, self.process.stderr.read().decode(), hung)


def prepare(all_samples, folder):
    path, copy = folder / "log", folder / "copy"
    samples.copy_tree(all_samples.log, path)
    samples.copy_tree(all_samples.log, copy)
    return path, copy, len(all_samples.lines[all_samples.log])


def appending(all_samples, way):
    """A case in which each append that is acknowledged after the change must be in the log at the path."""
    def body(folder):
        path, copy, count = prepare(all_samples, folder)
        lines = samples.append_lines(count, 6).splitlines()
        opened = Opened(all_samples.program, "log", "append", path)
        opened.send(lines[0])
        before = len(opened.lines(1))
        way(path, copy)
        for number, line in enumerate(lines[1:], 2):
            opened.send(line)
            if len(opened.lines(number)) < number:
                break
        run = opened.end()
        found = complaints_of(run)
        read = all_samples.program.run("log", "read", path)
        there = {json.loads(line)["append"] for line in read.output.splitlines()} if read.works else set()
        lost = [receipt for receipt in run.output.splitlines()[before:] if json.loads(receipt)["id"] not in there]
        if lost:
            found.append(("lost", f"{len(lost)} appends were acknowledged after the change and are not at the path"))
        return found, f"exit {run.code}"
    return body


def following(all_samples, way):
    """A case in which a follower must show what is appended to the new log, or end with an error."""
    def body(folder):
        path, copy, count = prepare(all_samples, folder)
        opened = Opened(all_samples.program, "log", "tail", path, "--follow")
        seen = len(opened.lines(min(count, 6)))
        way(path, copy)
        appended = all_samples.program.run("log", "append", path, input=samples.append_lines(count, 1))
        shown = opened.lines(seen + 1, 10)
        has_ended = opened.process.poll() is not None
        kill(opened.process)
        run = opened.end()
        if appended.works and len(shown) <= seen and not (has_ended and run.code == 3):
            return [("unnoticed", "the follower shows nothing more, and does not end")], ""
        return complaints_of(run) if has_ended else [], f"ended: {has_ended}"
    return body
