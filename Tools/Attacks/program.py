# The program under attack: how it is run, and what must hold of every run.

import dataclasses
import os
import pty
import re
import select
import signal
import subprocess
import time

TIMEOUT = 20
LINE_MAX = 2000
DAMAGE = re.compile(r"damaged|corrupt|salvage|restore a backup|not whole", re.I)
NO_SPACE = re.compile(r"no space|disk is full|is full|No space left|free space|kept in reserve", re.I)
DENIED = re.compile(r"permission|denied|not allowed|read-only|cannot be read|cannot be written", re.I)
CONTRADICTIONS = [
    (re.compile(r"not known", re.I), re.compile(r"nothing was appended|nothing was recorded|was not appended", re.I)),
]
INTERNALS = re.compile(r"Error\(|Optional\(|rawValue|Fatal error|\.swift:\d+|(?<!MDB)_[a-z]+\(")


@dataclasses.dataclass
class Run:
    """One run of the program: how it ended and what it printed."""

    arguments: list
    code: int
    output: bytes
    errors: str
    hung: bool = False

    @property
    def text(self):
        return self.output.decode(errors="replace")

    @property
    def said(self):
        """What it printed, in few words, for a complaint."""
        text = " ".join((self.errors or self.text[-300:]).split())
        return f"exit {self.code}: {text[:300]}"

    @property
    def works(self):
        return self.code == 0 and not self.hung


class Program:
    """The command `verbatim`, run in an environment of its own."""

    def __init__(self, path):
        self.path = str(path)
        keep = ("PATH", "LD_LIBRARY_PATH", "HOME", "LANG")
        self.environment = {name: os.environ[name] for name in keep if name in os.environ}
        # A program that crashes does not take its time to print where.
        self.environment |= {"SWIFT_BACKTRACE": "enable=no", "TERM": "xterm"}

    def run(self, *arguments, input=b"", environment={}, prefix=(), timeout=TIMEOUT):
        """Runs a command to its end, or ends it and all that it started at the deadline."""
        command = [*prefix, self.path, *map(str, arguments)]
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env=self.environment | environment, start_new_session=True)
        hung = False
        try:
            output, errors = process.communicate(input, timeout)
        except subprocess.TimeoutExpired:
            hung = True
            kill(process)
            output, errors = process.communicate()
        return Run(list(map(str, arguments)), process.returncode, output, errors.decode(errors="replace"), hung)

    def run_in_terminal(self, *arguments, typed=(), environment={}, prefix=(), timeout=TIMEOUT):
        """Runs a command in a pseudo terminal; `typed` holds pairs: a text to wait for, then what to type."""
        control, terminal = pty.openpty()
        process = subprocess.Popen(
            [*prefix, self.path, *map(str, arguments)], stdin=terminal, stdout=terminal, stderr=terminal,
            env=self.environment | environment, start_new_session=True, preexec_fn=take_terminal)
        os.close(terminal)
        output, end = bytearray(), time.monotonic() + timeout

        def read_until(wanted, seconds):
            until, start = min(end, time.monotonic() + seconds), len(output)
            while time.monotonic() < until:
                if wanted and wanted in output[start:]:
                    return True
                if not select.select([control], [], [], 0.05)[0]:
                    if process.poll() is not None:
                        return False
                    continue
                try:
                    piece = os.read(control, 1 << 16)
                except OSError:
                    return False
                if not piece:
                    return False
                output.extend(piece)
            return False

        for wanted, keys in typed:
            read_until(wanted, 3)
            try:
                os.write(control, keys)
            except OSError:
                break
        read_until(None, timeout)
        hung = process.poll() is None and not ended(process, 1)
        if hung:
            kill(process)
        code = process.wait()
        os.close(control)
        plain = re.sub(rb"\x1b\[[0-9;?]*[A-Za-z]", b"", bytes(output)).replace(b"\r", b"")
        errors = "\n".join(line for line in plain.decode(errors="replace").split("\n") if line.startswith("verbatim: "))
        return Run(list(map(str, arguments)), code, plain, errors, hung)


def take_terminal():
    import fcntl
    import termios
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def ended(process, seconds):
    try:
        process.wait(seconds)
        return True
    except subprocess.TimeoutExpired:
        return False


def kill(process):
    """Ends a process that leads a group, and its group."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def complaints_of(run):
    """What no run may do, whatever was done to its files."""
    name = " ".join(word for word in run.arguments[:2] if not word.startswith(("/", "-")))
    if run.hung:
        return [("hang", f"{name} did not end")]
    if run.code < 0 or run.code > 128 or "Fatal error: " in run.errors:
        return [("crash", f"{name} crashed: {run.said}")]
    found = []
    if run.code > 3:
        found.append(("exit code", f"{name}: {run.said}"))
    if run.code != 0 and (problem := problem_of_errors(run)):
        found.append(("sentence", f"{name}: {problem}: {run.said}"))
    for first, second in CONTRADICTIONS:
        if first.search(run.errors) and second.search(run.errors):
            found.append(("contradiction", f"{name}: {run.said}"))
    return found


def problem_of_errors(run):
    """Why what a failed run printed is not one plain message; None where it is."""
    lines = [line for line in run.errors.split("\n") if line.strip()]
    messages = [line for line in lines if line.startswith("verbatim: ")]
    # A check that failed prints its findings as its output, and salvage what it found beside its output.
    if (not lines and run.output.strip()) or (not messages and lines[0].startswith("Salvaged ")):
        return None
    if len(messages) != 1:
        return f"{len(messages)} messages on standard error"
    if INTERNALS.search(messages[0]) or len(messages[0]) > LINE_MAX:
        return "a message that is not plain text"
    if not re.search(r"[.?)”»:]$", lines[-1].strip()):
        return "a message that is not a sentence"
    return None
